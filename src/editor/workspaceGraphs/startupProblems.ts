/** Why graphs do not load, as a problem at the file and line that the server names. */

import { access } from "node:fs/promises";
import { extname } from "node:path";
import * as vscode from "vscode";
import type { ServerError } from "./serverLog.ts";
import type { GraphFile } from "./graphFile.ts";
import type { GraphProject } from "./graphProject.ts";
import type { GraphServerState } from "./serverProcess.ts";

/** What of the projects is needed. */
interface Graphs {
  readonly projects: readonly GraphProject[];
  readonly onDidChange: vscode.Event<void>;
  state(id: string): GraphServerState;
  file(id: string): Promise<GraphFile>;
}

/** The marks of all projects whose graphs do not load. */
export class StartupProblems implements vscode.Disposable {
  readonly #graphs: Graphs;
  readonly #collection = vscode.languages.createDiagnosticCollection("agentOperations.graphs");
  readonly #shown = new Map<string, { readonly error: ServerError; readonly uri: vscode.Uri }>();
  readonly #subscription: vscode.Disposable;

  constructor(graphs: Graphs) {
    this.#graphs = graphs;
    this.#subscription = vscode.Disposable.from(
      this.#collection,
      graphs.onDidChange(() => this.#update()),
    );
    this.#update();
  }

  dispose(): void {
    this.#subscription.dispose();
  }

  #update(): void {
    for (const project of this.#graphs.projects) {
      const state = this.#graphs.state(project.id);
      const shown = this.#shown.get(project.id);
      if (state.kind === "broken") {
        if (shown?.error !== state.error) void this.#show(project, state.error);
      } else if (shown !== undefined) {
        this.#shown.delete(project.id);
        this.#collection.delete(shown.uri);
      }
    }
  }

  async #show(project: GraphProject, error: ServerError): Promise<void> {
    const { uri, range } = await locationOf(this.#graphs, project, error);
    const state = this.#graphs.state(project.id);
    if (state.kind !== "broken" || state.error !== error) return;
    const before = this.#shown.get(project.id);
    if (before !== undefined) this.#collection.delete(before.uri);
    this.#shown.set(project.id, { error, uri });
    const diagnostic = new vscode.Diagnostic(range, error.message, vscode.DiagnosticSeverity.Error);
    diagnostic.source = "Agents";
    this.#collection.set(uri, [diagnostic]);
  }
}

/** Where an error is to be mended: its line, else the graph in `langgraph.json` that it is about, else that file. */
async function locationOf(
  graphs: Pick<Graphs, "file">,
  { id, file }: GraphProject,
  { location, graph }: ServerError,
): Promise<{ readonly uri: vscode.Uri; readonly range: vscode.Range }> {
  if (location !== undefined) {
    const start = new vscode.Position(Math.max(0, location.line - 1), Math.max(0, location.column - 1));
    const uri = vscode.Uri.file(await written(location.file));
    return { uri, range: new vscode.Range(start, start) };
  }
  const entry = graph === undefined ? undefined : (await graphs.file(id)).graphs[graph];
  if (entry === undefined) return { uri: file, range: new vscode.Range(0, 0, 0, 0) };
  const document = await vscode.workspace.openTextDocument(file);
  const { offset, length } = entry.span;
  return {
    uri: file,
    range: new vscode.Range(document.positionAt(offset), document.positionAt(offset + length)),
  };
}

/** The loader says `agent.ts` also where the file is `agent.mts`. */
async function written(path: string): Promise<string> {
  const stem = path.slice(0, path.length - extname(path).length);
  for (const candidate of [path, ...[".mts", ".cts", ".tsx", ".mjs"].map((extension) => stem + extension)]) {
    const isThere = await access(candidate).then(
      () => true,
      () => false,
    );
    if (isThere) return candidate;
  }
  return path;
}
