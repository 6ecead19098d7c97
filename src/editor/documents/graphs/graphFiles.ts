/** Each `langgraph.json` that is open: its problems, and above each graph what can be done with it. */

import * as vscode from "vscode";
import type { Services } from "../../services.ts";
import { checkGraphFile } from "../../workspaceGraphs/graphFileCheck.ts";
import { GRAPH_FILE, readGraphFile } from "../../workspaceGraphs/graphFile.ts";
import type { GraphProject } from "../../workspaceGraphs/graphProject.ts";
import type { CommandId } from "../../kit/ids.ts";

const checkMs = 200;

/** Marks what is wrong, and shows the lenses. */
export class GraphFiles implements vscode.Disposable {
  readonly #graphs: Services["workspaceGraphs"];
  readonly #collection = vscode.languages.createDiagnosticCollection("agentOperations.graphFiles");
  readonly #subscriptions: vscode.Disposable;
  /** The env file that was marked with each graph file. */
  readonly #env = new Map<string, vscode.Uri>();
  #due: NodeJS.Timeout | undefined;

  constructor({ workspaceGraphs }: Pick<Services, "workspaceGraphs">) {
    this.#graphs = workspaceGraphs;
    const soon = (): void => {
      clearTimeout(this.#due);
      this.#due = setTimeout(() => void this.#checkAll(), checkMs);
    };
    const selector = { scheme: "file", pattern: `**/${GRAPH_FILE}` };
    this.#subscriptions = vscode.Disposable.from(
      this.#collection,
      vscode.workspace.onDidOpenTextDocument((document) => (isGraphFile(document) ? soon() : undefined)),
      vscode.workspace.onDidChangeTextDocument(({ document }) =>
        isGraphFile(document) ? soon() : undefined,
      ),
      // A source or an env file may have come, gone or changed its exports.
      vscode.workspace.onDidSaveTextDocument(soon),
      vscode.workspace.onDidCreateFiles(soon),
      vscode.workspace.onDidDeleteFiles(soon),
      vscode.workspace.onDidRenameFiles(soon),
      vscode.workspace.onDidCloseTextDocument(({ uri }) => this.#forget(uri)),
      vscode.languages.registerCodeLensProvider(selector, {
        onDidChangeCodeLenses: workspaceGraphs.onDidChange,
        provideCodeLenses: (document) => this.#lenses(document),
      }),
    );
    soon();
  }

  dispose(): void {
    clearTimeout(this.#due);
    this.#subscriptions.dispose();
  }

  async #checkAll(): Promise<void> {
    await this.#graphs.find();
    await Promise.all(
      vscode.workspace.textDocuments.filter(isGraphFile).map((document) => this.#check(document)),
    );
  }

  async #check(document: vscode.TextDocument): Promise<void> {
    const { uri, version } = document;
    const { problems, env } = await checkGraphFile(uri.fsPath, document.getText());
    if (document.isClosed || document.version !== version) return;
    this.#forget(uri);
    this.#collection.set(
      uri,
      problems.map(({ message, span, severity }) => {
        const end = document.positionAt(span.offset + span.length);
        const range = new vscode.Range(document.positionAt(span.offset), end);
        return diagnostic(range, message, severity);
      }),
    );
    if (env === undefined) return;
    const envUri = vscode.Uri.file(env.path);
    this.#env.set(uri.toString(), envUri);
    this.#collection.set(
      envUri,
      env.odd.map(({ line, message }) =>
        diagnostic(new vscode.Range(line, 0, line, 1000), message, "warning"),
      ),
    );
  }

  #forget(uri: vscode.Uri): void {
    const env = this.#env.get(uri.toString());
    if (env !== undefined) this.#collection.delete(env);
    this.#env.delete(uri.toString());
    if (uri.path.endsWith(`/${GRAPH_FILE}`)) this.#collection.delete(uri);
  }

  #lenses(document: vscode.TextDocument): vscode.CodeLens[] {
    const project = this.#graphs.projects.find(({ file }) => file.toString() === document.uri.toString());
    if (project === undefined) return [];
    return readGraphFile(document.getText()).graphs.flatMap(({ name, span }) => {
      const start = document.positionAt(span.offset);
      return lensesOf(project, name).map(
        (command) => new vscode.CodeLens(new vscode.Range(start, start), command),
      );
    });
  }
}

function lensesOf({ id: connectionId }: GraphProject, graph: string): vscode.Command[] {
  const lens = (title: string, command: CommandId): vscode.Command => {
    return { title, command, arguments: [{ connectionId, graph }] };
  };
  return [
    lens("$(play) Run", "agentOperations.graph.run"),
    lens("$(debug-alt) Debug", "agentOperations.graph.debug"),
    lens("$(type-hierarchy) Open Graph", "agentOperations.graph.open"),
  ];
}

function isGraphFile({ uri }: vscode.TextDocument): boolean {
  return uri.scheme === "file" && uri.path.endsWith(`/${GRAPH_FILE}`);
}

function diagnostic(range: vscode.Range, message: string, severity: "error" | "warning"): vscode.Diagnostic {
  const { Error, Warning } = vscode.DiagnosticSeverity;
  const made = new vscode.Diagnostic(range, message, severity === "error" ? Error : Warning);
  made.source = "Agents";
  return made;
}
