import { ok } from "node:assert/strict";
import * as vscode from "vscode";
import type { AgentRef } from "../../src/editor/agents/files/agentUri.ts";
import { shownFolder } from "../../src/editor/agents/files/agentUri.ts";
import { LocalPlatform } from "../support/localPlatform.ts";
import { ManagedClient } from "../support/managedClient.ts";
import { connectPlatform, theExtension, tidyUp } from "./extensionUnderTest.ts";
import type { Extension } from "./extensionUnderTest.ts";
import { Person } from "./person.ts";

/** Has such an agent for each test; what a person was to do has been done when the test passed. */
export function useAgentWithFiles(given: (agent: AgentWithFiles) => void): void {
  let agent: AgentWithFiles;
  beforeEach(async () => {
    agent = await AgentWithFiles.make();
    given(agent);
  });
  afterEach(async function () {
    await agent.remove();
    if (this.currentTest?.state === "passed") agent.person.done();
  });
}

/** A managed agent with files, on a platform of its own that the extension is connected to, and who works on them. */
export class AgentWithFiles {
  readonly client: ManagedClient;
  readonly ref: AgentRef;
  readonly person = new Person();
  readonly #extension: Extension;
  readonly #platform: LocalPlatform;

  private constructor(extension: Extension, platform: LocalPlatform, client: ManagedClient, ref: AgentRef) {
    this.#extension = extension;
    this.#platform = platform;
    this.client = client;
    this.ref = ref;
  }

  static async make(): Promise<AgentWithFiles> {
    const extension = await theExtension();
    await tidyUp(extension);
    const platform = await LocalPlatform.start();
    const { id: connectionId } = await connectPlatform(extension, "Platform", platform);
    const client = new ManagedClient(platform);
    const agentId = await client.agentId({
      name: "Helper",
      system_prompt: "Be brief.\n",
      skills: [{ name: "report", description: "Reports", instructions: "Do it." }],
      files: { ".vscode/settings.json": "{}", "docs/a.md": "A" },
    });
    return new AgentWithFiles(extension, platform, client, { connectionId, agentId });
  }

  /** Takes away what was made, on disk too. */
  async remove(): Promise<void> {
    this.person[Symbol.dispose]();
    await vscode.workspace
      .getConfiguration("files")
      .update("autoSave", "off", vscode.ConfigurationTarget.Global);
    await vscode.commands.executeCommand("workbench.action.revertAndCloseActiveEditor");
    await tidyUp(this.#extension);
    await this.#platform.remove();
    await vscode.workspace.fs
      .delete(vscode.Uri.joinPath(workspaceRoot(), "agents"), { recursive: true })
      .then(undefined, () => undefined);
  }

  /** The agent as it is on the platform, with its files. */
  async now(): ReturnType<ManagedClient["get"]> {
    return this.client.get(`/agents/${this.ref.agentId}?include_files=true`);
  }

  /** Changes the agent as somebody else would. */
  async change(body: object): Promise<void> {
    await this.client.send("PATCH", `/agents/${this.ref.agentId}`, body);
  }

  /** Where the editor has one of its files. */
  uri(path: string): vscode.Uri {
    return vscode.Uri.joinPath(shownFolder(this.#extension.platforms, { ...this.ref, name: "Helper" }), path);
  }

  /** Shows one of its files in an editor. */
  async open(path: string): Promise<vscode.TextDocument> {
    const document = await vscode.workspace.openTextDocument(this.uri(path));
    await vscode.window.showTextDocument(document, { preview: false });
    return document;
  }

  async run(command: string, ...args: unknown[]): Promise<void> {
    await vscode.commands.executeCommand(`agentOperations.${command}`, ...args);
  }
}

/** Types over all of a document. */
export async function type(document: vscode.TextDocument, typed: string): Promise<void> {
  const edit = new vscode.WorkspaceEdit();
  const end = document.positionAt(document.getText().length);
  edit.replace(document.uri, new vscode.Range(new vscode.Position(0, 0), end), typed);
  ok(await vscode.workspace.applyEdit(edit));
}

/** The folder that the editor has open. */
export function workspaceRoot(): vscode.Uri {
  const [folder] = vscode.workspace.workspaceFolders ?? [];
  ok(folder, "the editor has a workspace");
  return folder.uri;
}

/** A file of the workspace as text. */
export async function readText(...path: readonly string[]): Promise<string> {
  const file = vscode.Uri.joinPath(workspaceRoot(), ...path);
  return new TextDecoder().decode(await vscode.workspace.fs.readFile(file));
}

/** Makes a file of the workspace hold the text. */
export async function writeText(path: string, content: string): Promise<vscode.Uri> {
  const file = vscode.Uri.joinPath(workspaceRoot(), path);
  await vscode.workspace.fs.writeFile(file, new TextEncoder().encode(content));
  return file;
}
