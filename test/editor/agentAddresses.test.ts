import { deepEqual, equal, ok } from "node:assert/strict";
import * as vscode from "vscode";
import { shownFolder, agentFolderUri, agentFileOf } from "../../src/editor/agents/files/agentUri.ts";
import { AGENT_SCHEME } from "../../src/editor/kit/ids.ts";
import { type AgentWithFiles, type, useAgentWithFiles } from "./agentWithFiles.ts";
import { theExtension } from "./extensionUnderTest.ts";
import { until } from "../support/until.ts";

/** What stands above a file in the editor is the path of its address. */
describe("The address of an agent's file", () => {
  let at: AgentWithFiles;

  useAgentWithFiles((agent) => {
    at = agent;
  });

  const folder = async (name: string): Promise<vscode.Uri> =>
    shownFolder((await theExtension()).platforms, { ...at.ref, name });
  const asEarlier = (path: string): vscode.Uri => {
    const ids = [at.ref.connectionId, at.ref.agentId].map(encodeURIComponent);
    return vscode.Uri.from({ scheme: AGENT_SCHEME, path: `/${ids.join("/")}/${path}` });
  };

  it("shows the names of its platform and of its agent, and no id", async () => {
    const document = await at.open("skills/report/SKILL.md");
    equal(document.uri.path, "/Platform/Helper/skills/report/SKILL.md");
  });

  it("leads to the agent whatever both are called and whatever its id is", () => {
    const ids = ["7c9e6679-7425", "Agent_7.b/c", "..", "ÄÖ+ü", "a.5f.b"];
    const names = ["Helper", "a/b\\c", "..", "", " ", "100 % #1?", "über\nuns"];
    for (const agentId of ids)
      for (const name of names) {
        const ref = { connectionId: "localPlatform", agentId };
        const uri = agentFolderUri(ref, { platform: name, agent: name });
        const again = vscode.Uri.parse(vscode.Uri.joinPath(uri, "docs/a b.md").toString(), true);
        deepEqual(agentFileOf(again), { ...ref, path: "docs/a b.md", theirs: false }, uri.toString());
        equal(again.path.split("/").length, 5);
      }
  });

  it("stays when the agent is renamed while a file of it is open, and has the new name afterwards", async () => {
    await at.open("AGENTS.md");
    await at.change({ name: "Renamed" });
    equal((await folder("Renamed")).path, "/Platform/Helper");
    await vscode.commands.executeCommand("workbench.action.closeAllEditors");
    await until(
      "the editor let go of it",
      async () => (await folder("Renamed")).path === "/Platform/Renamed",
    );
  });

  it("is still good as an earlier version had it, and no file is open under two", async () => {
    const document = await vscode.workspace.openTextDocument(asEarlier("AGENTS.md"));
    await vscode.window.showTextDocument(document, { preview: false });
    equal(document.getText(), "Be brief.\n");
    equal(at.uri("AGENTS.md").toString(), document.uri.toString());
    await type(document, "Be bold.");
    ok(await document.save());
    equal((await at.now()).system_prompt as unknown, "Be bold.");
    await at.change({ system_prompt: "Be swift." });
    await until("what changed elsewhere is shown", async () => {
      await vscode.workspace.fs.stat(at.uri("agent.json"));
      return document.getText() === "Be swift.";
    });
  });
});
