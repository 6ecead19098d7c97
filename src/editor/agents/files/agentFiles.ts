/** Managed agents as files in the editor: everything that it takes, made once. */

import * as vscode from "vscode";
import { AgentBases } from "./agentBases.ts";
import { AgentConflicts } from "./agentConflicts.ts";
import { AgentFileSystem } from "./agentFileSystem.ts";
import type { AgentStore } from "./agentStore.ts";
import type { Connections } from "../../connections/connections.ts";
import { AGENT_SCHEME } from "../../kit/ids.ts";
import { problemsOfFile } from "./agentTree.ts";
import { agentFileOf } from "./agentUri.ts";
import { showWarning } from "../../kit/notice.ts";

/** The key under which it is remembered that the Auto Save notice was shown. */
export const AUTO_SAVE_NOTED = "agentOperations.toldOfAutoSave";

/** Agents' files, served to the editor until they are disposed of. */
export class AgentFiles implements vscode.Disposable {
  readonly files: AgentFileSystem;
  readonly conflicts: AgentConflicts;
  readonly #subscriptions: vscode.Disposable;
  /** Files that the editor is about to save by itself. */
  readonly #unasked = new Set<string>();

  constructor(services: {
    readonly context: Pick<vscode.ExtensionContext, "globalState" | "workspaceState">;
    readonly agents: { readonly store: AgentStore };
    readonly connections: Pick<Connections, "resolve">;
  }) {
    const bases = new AgentBases(services.context.workspaceState);
    this.files = new AgentFileSystem(services.agents.store, bases, services.connections);
    this.conflicts = new AgentConflicts(this.files);
    this.#subscriptions = vscode.Disposable.from(
      this.files,
      this.conflicts,
      registerAgentDiagnostics(),
      registerAutoSaveNotice(services.context.globalState),
      vscode.workspace.onWillSaveTextDocument(({ document: { uri }, reason }) => {
        if (reason === vscode.TextDocumentSaveReason.Manual) this.#unasked.delete(uri.toString());
        else this.#unasked.add(uri.toString());
      }),
    );
  }

  /** Saves a file for the editor, which says nothing of whether a person wants that. */
  async save(
    uri: vscode.Uri,
    content: Uint8Array,
    options: { readonly create: boolean; readonly overwrite: boolean },
  ): Promise<void> {
    const isUnasked = this.#unasked.delete(uri.toString());
    await this.files.writeFile(uri, content, { ...options, isUnasked });
  }

  dispose(): void {
    this.#subscriptions.dispose();
  }
}

/** Marks the problems of every agent's file that is open. */
function registerAgentDiagnostics(): vscode.Disposable {
  const problems = vscode.languages.createDiagnosticCollection("Agents");
  const check = (document: vscode.TextDocument): void => {
    const path = pathOf(document.uri);
    if (path !== undefined) problems.set(document.uri, diagnosticsOf(document, path));
  };
  vscode.workspace.textDocuments.forEach(check);
  return vscode.Disposable.from(
    problems,
    vscode.workspace.onDidOpenTextDocument(check),
    vscode.workspace.onDidChangeTextDocument(({ document }) => check(document)),
    vscode.workspace.onDidCloseTextDocument(({ uri }) => problems.delete(uri)),
  );
}

function diagnosticsOf(document: vscode.TextDocument, path: string): vscode.Diagnostic[] {
  return problemsOfFile(path, document.getText()).map(({ start, end, message }) => {
    const range = new vscode.Range(document.positionAt(start), document.positionAt(end));
    const diagnostic = new vscode.Diagnostic(range, message, vscode.DiagnosticSeverity.Error);
    diagnostic.source = "Agents";
    return diagnostic;
  });
}

/** The path within an agent, in its virtual folder or where agents are pulled to: `agents/<name>/…`. */
function pathOf(uri: vscode.Uri): string | undefined {
  if (uri.scheme === AGENT_SCHEME) return uri.query === "" ? agentFileOf(uri)?.path : undefined;
  const pulled = /\/agents\/[^/]+\/(agent\.json|tools\.json|subagents\/[^/]+\/(?:agent|tools)\.json)$/;
  return uri.scheme === "file" ? pulled.exec(uri.path)?.[1] : undefined;
}

/** Shows a notice when the editor first saves an agent's file by itself; a browser's editor does so unless it is set otherwise. */
function registerAutoSaveNotice(memory: vscode.Memento): vscode.Disposable {
  return vscode.workspace.onWillSaveTextDocument(({ document, reason }) => {
    const isUnasked = reason !== vscode.TextDocumentSaveReason.Manual;
    const isFirst = isUnasked && document.uri.scheme === AGENT_SCHEME;
    if (isFirst && memory.get(AUTO_SAVE_NOTED) === undefined) void showAutoSaveNotice(memory);
  });
}

async function showAutoSaveNotice(memory: vscode.Memento): Promise<void> {
  await memory.update(AUTO_SAVE_NOTED, true);
  const turnOff = "Turn Off Auto Save";
  const words =
    "Auto Save is on: what you type in an agent's file is sent to the platform whenever you pause, and is live there.";
  if ((await showWarning(words, turnOff, "Keep It On")) !== turnOff) return;
  const files = vscode.workspace.getConfiguration("files");
  const { Global, Workspace } = vscode.ConfigurationTarget;
  const isOfWorkspace = files.inspect("autoSave")?.workspaceValue !== undefined;
  await files.update("autoSave", "off", isOfWorkspace ? Workspace : Global);
}
