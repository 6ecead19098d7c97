import { deepEqual, doesNotMatch, equal, match, ok } from "node:assert/strict";
import * as vscode from "vscode";
import { agentUri } from "../../src/editor/agentFiles/agentUri.ts";
import { AUTO_SAVE_TOLD } from "../../src/editor/agentFiles/autoSaveNotice.ts";
import { LocalPlatform, text } from "../unit/emulator/localPlatform.ts";
import { ManagedClient } from "../unit/emulator/managedClient.ts";
import { theExtension, tidyUp, until } from "./extensionUnderTest.ts";
import type { Extension } from "./extensionUnderTest.ts";
import { Person } from "./person.ts";

describe("An agent's files", () => {
  let extension: Extension;
  let platform: LocalPlatform;
  let client: ManagedClient;
  let person: Person;
  let ref: { connectionId: string; agentId: string };

  before(async () => {
    extension = await theExtension();
  });

  beforeEach(async () => {
    await tidyUp(extension);
    platform = await LocalPlatform.start();
    client = new ManagedClient(platform);
    const { baseUrl: url, controlPlaneUrl, apiKey } = platform.ready;
    const { id } = await extension.connections.add({
      name: "Platform",
      kind: "platform",
      url,
      controlPlaneUrl,
    });
    await extension.apiKeys.set(id, [url], apiKey);
    const agentId = await client.agentId({
      name: "Helper",
      system_prompt: "Be brief.\n",
      skills: [{ name: "report", description: "Reports", instructions: "Do it." }],
      files: { ".vscode/settings.json": "{}", "docs/a.md": "A" },
    });
    ref = { connectionId: id, agentId };
    person = new Person();
  });

  afterEach(async () => {
    person[Symbol.dispose]();
    person.done();
    await vscode.workspace
      .getConfiguration("files")
      .update("autoSave", "off", vscode.ConfigurationTarget.Global);
    await vscode.commands.executeCommand("workbench.action.revertAndCloseActiveEditor");
    await tidyUp(extension);
    await platform.remove();
    await remove(vscode.Uri.joinPath(root(), "agents"));
  });

  it("are a folder, in which hidden ones are left out", async () => {
    const names = async (path = ""): Promise<string[]> =>
      (await vscode.workspace.fs.readDirectory(agentUri(ref, path))).map(([name]) => name).sort();
    deepEqual(await names(), ["AGENTS.md", "agent.json", "docs", "skills"]);
    deepEqual(await names("skills/report"), ["SKILL.md"]);
    await rejects(names("nowhere"));
  });

  it("are saved with the editor's own means, each as it was typed", async () => {
    const document = await open("AGENTS.md");
    equal(document.getText(), "Be brief.\n");
    await type(document, "Be kind.\nAnd brief.");
    ok(await document.save());
    equal((await agent()).system_prompt as unknown, document.getText());
    await vscode.workspace.fs.writeFile(agentUri(ref, "subagents/critic/AGENTS.md"), bytes("Be stern."));
    await vscode.workspace.fs.delete(agentUri(ref, "docs"), { recursive: true });
    await vscode.workspace.fs.rename(agentUri(ref, "skills/report"), agentUri(ref, "skills/essay"));
    deepEqual(Object.keys((await agent()).files ?? {}).sort(), [
      ".vscode/settings.json",
      "AGENTS.md",
      "skills/essay/SKILL.md",
      "subagents/critic/AGENTS.md",
    ]);
  });

  it("are sent when a person saves them; that Auto Save sends them, too, is told once", async () => {
    const files = (): vscode.WorkspaceConfiguration => vscode.workspace.getConfiguration("files");
    equal(files().get("autoSave"), "off", "the editor of this suite saves when it is told to, and only then");
    await extension.context.globalState.update(AUTO_SAVE_TOLD, undefined);
    await files().update("autoSave", "afterDelay", vscode.ConfigurationTarget.Global);
    person.press = (said) => (said.startsWith("Auto Save is on") ? "Turn Off Auto Save" : undefined);
    const document = await open("AGENTS.md");
    await type(document, "Half a sen");
    await until("it was sent", async () => text((await agent()).system_prompt) === "Half a sen");
    await until("Auto Save is off", () => files().get("autoSave") === "off");
    deepEqual(person.told.length, 1);
  });

  it("show backend settings that can't be sent at their place, and do not send them", async () => {
    const document = await open("agent.json");
    const settings = JSON.parse(document.getText()) as object;
    const backend = { type: "state", sandbox_config: { scope: "world" } };
    await type(document, JSON.stringify({ ...settings, backend }, null, 2));
    const problem = await until("it is marked", () => vscode.languages.getDiagnostics(document.uri)[0]);
    match(problem.message, /Only a backend of type "sandbox"/);
    match(document.getText(problem.range), /world/);
    equal(await document.save(), false);
    ok(document.isDirty);
    deepEqual((await agent()).backend, { type: "state" });
    const good = { type: "sandbox", sandbox_config: { scope: "agent", idle_ttl_seconds: 60 } };
    await type(document, JSON.stringify({ ...settings, backend: good }, null, 4));
    ok(await document.save());
    deepEqual((await agent()).backend, good);
    match(document.getText(), /^ {4}"name"/m);
  });

  it("of tools.json are not sent when invalid", async () => {
    await rejects(
      vscode.workspace.fs.writeFile(agentUri(ref, "tools.json"), bytes('{"tools":[{"name":"x"}]}')),
    );
    deepEqual((await agent()).tools as unknown, { tools: [], interrupt_config: {} });
  });

  it("are not saved over a newer version: both are shown, and one of them is chosen", async () => {
    const document = await open("AGENTS.md");
    await type(document, "Mine, typed.");
    await client.send("PATCH", `/agents/${ref.agentId}`, { system_prompt: "Theirs now" });
    equal(await document.save(), false);
    await until("both are shown", () => diffTab() !== undefined);
    equal(document.getText(), "Mine, typed.");
    equal((await agent()).system_prompt as unknown, "Theirs now");
    const theirs = diffTab()?.original;
    equal((await vscode.workspace.openTextDocument(theirs ?? document.uri)).getText(), "Theirs now");
    await run("agentFile.overwrite", document.uri);
    equal((await agent()).system_prompt as unknown, "Mine, typed.");
    await until("the comparison is gone", () => diffTab() === undefined);
  });

  it("of the same length are told apart, and the platform's can be taken without losing one's own", async () => {
    const document = await open("AGENTS.md");
    await type(document, "Mine first");
    await client.send("PATCH", `/agents/${ref.agentId}`, { system_prompt: "Be swift.\n" });
    equal(await document.save(), false);
    await until("both are shown", () => diffTab() !== undefined);
    await run("agentFile.takeTheirs", document.uri);
    equal(document.getText(), "Be swift.\n");
    equal(document.isDirty, false);
    equal((await agent()).system_prompt as unknown, "Be swift.\n");
    await vscode.window.showTextDocument(document);
    await vscode.commands.executeCommand("undo");
    equal(document.getText(), "Mine first");
  });

  it("are saved without a question when another file was changed", async () => {
    const document = await open("AGENTS.md");
    await type(document, "Mine");
    await client.send("PATCH", `/agents/${ref.agentId}`, { name: "Renamed", files: { "docs/a.md": "B" } });
    ok(await document.save());
    const now = await agent();
    deepEqual([now.name, now.system_prompt], ["Renamed", "Mine"] as unknown);
  });

  it("of an agent that was deleted elsewhere stay in the editor", async () => {
    const document = await open("AGENTS.md");
    await type(document, "Mine");
    await client.send("DELETE", `/agents/${ref.agentId}`);
    equal(await document.save(), false);
    equal(document.getText(), "Mine");
  });

  it("are pulled to the workspace, hidden ones left out, and pushed back after a look", async () => {
    await run("agent.pull", ref);
    const folder = vscode.Uri.joinPath(root(), "agents/helper");
    deepEqual(await content(folder, "AGENTS.md"), "Be brief.\n");
    deepEqual(await content(folder, "docs/a.md"), "A");
    match(person.told.join("\n"), /1 file was left out: "\.vscode\/settings\.json" \(it is hidden\)/);
    await vscode.workspace.fs.writeFile(vscode.Uri.joinPath(folder, "AGENTS.md"), bytes("From disk"));
    await vscode.workspace.fs.writeFile(vscode.Uri.joinPath(folder, "skills/new/SKILL.md"), bytes("New"));
    await vscode.workspace.fs.delete(vscode.Uri.joinPath(folder, "docs/a.md"));
    person.will("cancel");
    await run("agent.push", ref);
    equal((await agent()).system_prompt as unknown, "Be brief.\n");
    deepEqual(person.asked.at(-1)?.labels, [
      "$(cloud-upload) Push 3 files to “Helper”",
      "$(diff-modified) AGENTS.md",
      "$(diff-removed) docs/a.md",
      "$(diff-added) skills/new/SKILL.md",
    ]);
    person.will({ choose: /Push/ });
    await run("agent.push", ref);
    const files = (await agent()).files ?? {};
    deepEqual(Object.keys(files).sort(), [
      ".vscode/settings.json",
      "AGENTS.md",
      "skills/new/SKILL.md",
      "skills/report/SKILL.md",
    ]);
    await run("agent.compare", ref);
    match(person.told.at(-1) ?? "", /is the same as “Helper”/);
  });

  it("that were changed in the workspace are named before a pull replaces them", async () => {
    await run("agent.pull", ref);
    const file = vscode.Uri.joinPath(root(), "agents/helper/AGENTS.md");
    await vscode.workspace.fs.writeFile(file, bytes("Precious"));
    await run("agent.pull", ref);
    match(person.told.at(-1) ?? "", /Replace 1 file in agents\/helper.*\nAGENTS\.md \(changed\)/s);
    equal(await content(file), "Precious");
    person.press = (asked) => (asked.startsWith("Replace") ? "Replace" : undefined);
    await run("agent.pull", ref);
    equal(await content(file), "Be brief.\n");
  });

  it("of a folder that was never pushed make a new agent", async () => {
    const folder = vscode.Uri.joinPath(root(), "agents/fresh");
    await vscode.workspace.fs.writeFile(
      vscode.Uri.joinPath(folder, "agent.json"),
      bytes('{ "name": "Fresh" }'),
    );
    await vscode.workspace.fs.writeFile(vscode.Uri.joinPath(folder, "AGENTS.md"), bytes("Hello"));
    person.press = (asked) => (asked.startsWith("Create") ? "Create" : undefined);
    await run("agent.push");
    const { agent_id: id } = JSON.parse(await content(folder, "agent.json")) as { agent_id: string };
    const made = await client.get(`/agents/${id}`);
    deepEqual([text(made.name), text(made.system_prompt)], ["Fresh", "Hello"]);
    doesNotMatch(person.told.join("\n"), /error/i);
  });

  async function open(path: string): Promise<vscode.TextDocument> {
    const document = await vscode.workspace.openTextDocument(agentUri(ref, path));
    await vscode.window.showTextDocument(document, { preview: false });
    return document;
  }

  async function type(document: vscode.TextDocument, typed: string): Promise<void> {
    const edit = new vscode.WorkspaceEdit();
    const end = document.positionAt(document.getText().length);
    edit.replace(document.uri, new vscode.Range(new vscode.Position(0, 0), end), typed);
    ok(await vscode.workspace.applyEdit(edit));
  }

  async function agent(): ReturnType<ManagedClient["get"]> {
    return client.get(`/agents/${ref.agentId}?include_files=true`);
  }

  async function run(command: string, ...args: unknown[]): Promise<void> {
    await vscode.commands.executeCommand(`agentOperations.${command}`, ...args);
  }
});

function diffTab(): vscode.TabInputTextDiff | undefined {
  const inputs = vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs).map(({ input }) => input);
  return inputs.find((input) => input instanceof vscode.TabInputTextDiff);
}

function root(): vscode.Uri {
  const [folder] = vscode.workspace.workspaceFolders ?? [];
  ok(folder, "the editor has a workspace");
  return folder.uri;
}

function bytes(content: string): Uint8Array {
  return new TextEncoder().encode(content);
}

async function content(folder: vscode.Uri, path = ""): Promise<string> {
  const uri = path === "" ? folder : vscode.Uri.joinPath(folder, path);
  return new TextDecoder().decode(await vscode.workspace.fs.readFile(uri));
}

async function remove(uri: vscode.Uri): Promise<void> {
  await vscode.workspace.fs.delete(uri, { recursive: true }).then(undefined, () => undefined);
}

async function rejects(work: Thenable<unknown>): Promise<void> {
  const failed = await work.then(
    () => false,
    () => true,
  );
  ok(failed, "it was expected to fail");
}
