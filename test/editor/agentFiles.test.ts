import { deepEqual, equal, match, ok } from "node:assert/strict";
import * as vscode from "vscode";
import { AUTO_SAVE_NOTED } from "../../src/editor/agents/files/agentFiles.ts";
import { text } from "../support/localPlatform.ts";
import { type AgentWithFiles, type, useAgentWithFiles } from "./agentWithFiles.ts";
import { theExtension } from "./extensionUnderTest.ts";
import { until } from "../support/until.ts";

describe("An agent's files", () => {
  let at: AgentWithFiles;

  useAgentWithFiles((agent) => {
    at = agent;
  });

  it("are a folder, in which hidden ones are left out", async () => {
    const names = async (path = ""): Promise<string[]> =>
      (await vscode.workspace.fs.readDirectory(at.uri(path))).map(([name]) => name).sort();
    deepEqual(await names(), ["AGENTS.md", "agent.json", "docs", "skills"]);
    deepEqual(await names("skills/report"), ["SKILL.md"]);
    await rejects(names("nowhere"));
  });

  it("are saved with the editor's own means, each as it was typed", async () => {
    const document = await at.open("AGENTS.md");
    equal(document.getText(), "Be brief.\n");
    await type(document, "Be kind.\nAnd brief.");
    ok(await document.save());
    equal((await at.now()).system_prompt as unknown, document.getText());
    await vscode.workspace.fs.writeFile(
      at.uri("subagents/critic/AGENTS.md"),
      new TextEncoder().encode("Be stern."),
    );
    await vscode.workspace.fs.delete(at.uri("docs"), { recursive: true });
    await vscode.workspace.fs.rename(at.uri("skills/report"), at.uri("skills/essay"));
    deepEqual(Object.keys((await at.now()).files ?? {}).sort(), [
      ".vscode/settings.json",
      "AGENTS.md",
      "skills/essay/SKILL.md",
      "subagents/critic/AGENTS.md",
    ]);
  });

  it("are made by their path, begun as their kind is, and opened", async () => {
    at.person.will(
      { type: "skills/report/SKILL.md" },
      { type: "../out.md" },
      { type: "skills/poem/SKILL.md" },
    );
    await at.run("agent.newFile", at.ref);
    match(at.person.told[0] ?? "", /it is there already/);
    match(at.person.told[1] ?? "", /it leads out of the agent's folder/);
    equal(vscode.window.activeTextEditor?.document.uri.path.endsWith("/skills/poem/SKILL.md"), true);
    const { "skills/poem/SKILL.md": made } = (await at.now()).files ?? {};
    equal(
      (made as { readonly content?: unknown } | undefined)?.content,
      '---\nname: "poem"\ndescription: ""\n---\n\n',
    );
    at.person.will({ type: "tools.json" });
    await at.run("agent.newFile", at.ref);
    deepEqual(JSON.parse(vscode.window.activeTextEditor.document.getText()), { tools: [] });
  });

  it("are sent when a person saves them; that Auto Save sends them, too, is said once", async () => {
    const files = (): vscode.WorkspaceConfiguration => vscode.workspace.getConfiguration("files");
    equal(files().get("autoSave"), "off", "the editor of this suite saves when it is told to, and only then");
    await (await theExtension()).context.globalState.update(AUTO_SAVE_NOTED, undefined);
    await files().update("autoSave", "afterDelay", vscode.ConfigurationTarget.Global);
    at.person.press = (said) => (said.startsWith("Auto Save is on") ? "Turn Off Auto Save" : undefined);
    const document = await at.open("AGENTS.md");
    await type(document, "Half a sen");
    await until("it was sent", async () => text((await at.now()).system_prompt) === "Half a sen");
    await until("Auto Save is off", () => files().get("autoSave") === "off");
    deepEqual(at.person.told.length, 1);
  });

  it("show backend settings that can't be sent at their place, and do not send them", async () => {
    const document = await at.open("agent.json");
    const settings = JSON.parse(document.getText()) as object;
    const backend = { type: "state", sandbox_config: { scope: "world" } };
    await type(document, JSON.stringify({ ...settings, backend }, null, 2));
    const problem = await until("it is marked", () => vscode.languages.getDiagnostics(document.uri)[0]);
    match(problem.message, /Only a backend of type "sandbox"/);
    match(document.getText(problem.range), /world/);
    equal(await document.save(), false);
    ok(document.isDirty);
    deepEqual((await at.now()).backend, { type: "state" });
    const good = { type: "sandbox", sandbox_config: { scope: "agent", idle_ttl_seconds: 60 } };
    await type(document, JSON.stringify({ ...settings, backend: good }, null, 4));
    ok(await document.save());
    deepEqual((await at.now()).backend, good);
    match(document.getText(), /^ {4}"name"/m);
  });

  it("of tools.json are not sent when invalid", async () => {
    await rejects(
      vscode.workspace.fs.writeFile(
        at.uri("tools.json"),
        new TextEncoder().encode('{"tools":[{"name":"x"}]}'),
      ),
    );
    deepEqual((await at.now()).tools as unknown, { tools: [], interrupt_config: {} });
  });

  for (const theirs of ["Theirs now", "Theirs, and far longer than what is typed here.\n", "", "Théirs"]) {
    it(`are not saved over a newer version (${JSON.stringify(theirs)}): both are shown, and one is chosen`, async () => {
      const document = await at.open("AGENTS.md");
      await type(document, "Mine, typed.");
      await at.change({ system_prompt: theirs });
      equal(await document.save(), false);
      await until("both are shown", () => diffTab() !== undefined);
      equal(document.getText(), "Mine, typed.");
      equal((await at.now()).system_prompt as unknown, theirs);
      const shown = diffTab()?.original;
      equal((await vscode.workspace.openTextDocument(shown ?? document.uri)).getText(), theirs);
      await at.run("agentFile.overwrite", document.uri);
      equal(document.isDirty, false);
      equal((await at.now()).system_prompt as unknown, "Mine, typed.");
      await until("the comparison is gone", () => diffTab() === undefined);
      await type(document, "Typed once more, and longer.");
      ok(await document.save());
      equal((await at.now()).system_prompt as unknown, "Typed once more, and longer.");
    });
  }

  it("of the same length are distinguished, and the platform's can be taken without losing one's own", async () => {
    const document = await at.open("AGENTS.md");
    await type(document, "Mine first");
    await at.change({ system_prompt: "Be swift.\n" });
    equal(await document.save(), false);
    await until("both are shown", () => diffTab() !== undefined);
    await at.run("agentFile.takeTheirs", document.uri);
    equal(document.getText(), "Be swift.\n");
    equal(document.isDirty, false);
    equal((await at.now()).system_prompt as unknown, "Be swift.\n");
    await vscode.window.showTextDocument(document);
    await vscode.commands.executeCommand("undo");
    equal(document.getText(), "Mine first");
  });

  it("are saved without a question when another file was changed", async () => {
    const document = await at.open("AGENTS.md");
    await type(document, "Mine");
    await at.change({ name: "Renamed", files: { "docs/a.md": "B" } });
    ok(await document.save());
    const now = await at.now();
    deepEqual([now.name, now.system_prompt], ["Renamed", "Mine"] as unknown);
  });

  it("of an agent that was deleted elsewhere stay in the editor", async () => {
    const document = await at.open("AGENTS.md");
    await type(document, "Mine");
    await at.client.send("DELETE", `/agents/${at.ref.agentId}`);
    equal(await document.save(), false);
    equal(document.getText(), "Mine");
  });
});

function diffTab(): vscode.TabInputTextDiff | undefined {
  const inputs = vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs).map(({ input }) => input);
  return inputs.find((input) => input instanceof vscode.TabInputTextDiff);
}

async function rejects(work: Thenable<unknown>): Promise<void> {
  const failed = await work.then(
    () => false,
    () => true,
  );
  ok(failed, "it was expected to fail");
}
