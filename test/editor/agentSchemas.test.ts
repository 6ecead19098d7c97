import { deepEqual, match } from "node:assert/strict";
import * as vscode from "vscode";
import { type AgentWithFiles, type, writeText, useAgentWithFiles } from "./agentWithFiles.ts";
import { until } from "../support/until.ts";

/** The editor's own JSON features, which read the schemas that the extension contributes. */
describe("The schemas of an agent's files", () => {
  let at: AgentWithFiles;

  useAgentWithFiles((agent) => {
    at = agent;
  });

  it("explain the settings of agent.json, and mark a value that is none", async () => {
    const document = await at.open("agent.json");
    match(await explained(document, '"backend"'), /Where the agent works/);
    const settings = JSON.parse(document.getText()) as object;
    await type(document, JSON.stringify({ ...settings, permissions: { visibility: "everybody" } }, null, 2));
    const marked = await until("it is marked", () => ofSchema(document)[0]);
    match(document.getText(marked.range), /everybody/);
    await type(document, JSON.stringify({ ...settings, permissions: { visibility: "user" } }, null, 2));
    await until("it is marked no more", () => ofSchema(document).length === 0);
  });

  it("explain the tools of tools.json, and mark a value that is none", async () => {
    const tool = { name: "search", mcp_server_url: "https://tools.example.com/mcp" };
    await at.change({ tools: { tools: [tool] } });
    const document = await at.open("tools.json");
    match(await explained(document, '"mcp_server_url"'), /address under which the tool server is registered/);
    deepEqual(ofSchema(document), []);
    await type(document, JSON.stringify({ tools: [{ ...tool, mcp_server_name: 7 }] }));
    const marked = await until("it is marked", () => ofSchema(document)[0]);
    match(document.getText(marked.range), /7/);
  });

  it("hold for the folders of agents in the workspace, and for no other file of that name", async () => {
    const settings = await opened("agents/helper/agent.json", '{ "name": "Helper" }');
    match(await explained(settings, '"name"'), /What the agent is called/);
    const tools = await opened("agents/helper/subagents/critic/tools.json", '{ "tools": [] }');
    match(await explained(tools, '"tools"'), /tool/);
    const other = await opened("agents/agent.json", '{ "name": "Helper" }');
    deepEqual(await hovers(other, '"name"'), []);
  });

  async function opened(path: string, content: string): Promise<vscode.TextDocument> {
    const document = await vscode.workspace.openTextDocument(await writeText(path, content));
    await vscode.window.showTextDocument(document, { preview: false });
    return document;
  }
});

/** What is marked by the editor, and not by the extension's own checks. */
function ofSchema({ uri }: vscode.TextDocument): readonly vscode.Diagnostic[] {
  return vscode.languages.getDiagnostics(uri).filter(({ source }) => source !== "Agents");
}

/** What the editor says of the first place with these characters, once its JSON features are ready. */
async function explained(document: vscode.TextDocument, characters: string): Promise<string> {
  return until(`${characters} is explained`, async () => (await hovers(document, characters)).join("\n"));
}

async function hovers(document: vscode.TextDocument, characters: string): Promise<string[]> {
  const position = document.positionAt(document.getText().indexOf(characters) + 1);
  const command = "vscode.executeHoverProvider";
  const found = await vscode.commands.executeCommand<vscode.Hover[]>(command, document.uri, position);
  const contents = found.flatMap((hover) => hover.contents);
  return contents.map((content) => (content instanceof vscode.MarkdownString ? content.value : ""));
}
