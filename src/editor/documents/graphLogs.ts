/** The logs of the servers that run the workspace's graphs, as live documents. */

import * as vscode from "vscode";
import { SCHEME } from "../kit/ids.ts";
import type { Services } from "../services.ts";
import { followEnd, revealEnd } from "./followEnd.ts";
import type { DocumentKind } from "./router.ts";

/** The shortest time between two drawings of a log, in milliseconds. */
const drawMs = 200;

/** The log of each project that has a tab. */
export class GraphLogs implements DocumentKind {
  readonly #graphs: Services["workspaceGraphs"];
  readonly #changed = new vscode.EventEmitter<vscode.Uri>();
  readonly onDidChange = this.#changed.event;
  readonly #subscription: vscode.Disposable;
  /** Projects whose log is to be drawn again. */
  readonly #due = new Map<string, NodeJS.Timeout>();

  constructor({ workspaceGraphs }: Pick<Services, "workspaceGraphs">) {
    this.#graphs = workspaceGraphs;
    this.#subscription = workspaceGraphs.onDidChangeLog((id) => this.#grown(id));
  }

  /** Shows the log in a tab of its own, at its end. */
  async show(id: string): Promise<void> {
    const document = await vscode.workspace.openTextDocument(
      logUri(id, this.#graphs.project(id)?.name ?? id),
    );
    await vscode.languages.setTextDocumentLanguage(document, "log").then(undefined, () => undefined);
    revealEnd(await vscode.window.showTextDocument(document, { preview: false }));
  }

  async text(uri: vscode.Uri): Promise<string> {
    const id = idOf(uri);
    await this.#graphs.resume(id);
    const text = await this.#graphs.log(id);
    return text === "" ? "The graphs were not started yet.\n" : `${text}\n`;
  }

  dispose(): void {
    for (const timer of this.#due.values()) clearTimeout(timer);
    this.#subscription.dispose();
    this.#changed.dispose();
  }

  #grown(id: string): void {
    if (this.#due.has(id)) return;
    const open = vscode.workspace.textDocuments.find(({ uri }) => uri.scheme === SCHEME && idOf(uri) === id);
    if (open === undefined) return;
    const draw = (): void => {
      this.#due.delete(id);
      followEnd(open.uri);
      this.#changed.fire(open.uri);
    };
    this.#due.set(id, setTimeout(draw, drawMs));
  }
}

function logUri(id: string, name: string): vscode.Uri {
  return vscode.Uri.from({ scheme: SCHEME, path: `/graphs/${id}/${name.replaceAll("/", "-")}.log` });
}

/** Empty for a document of another kind. */
function idOf({ path }: vscode.Uri): string {
  return /^\/graphs\/([^/]+)\/[^/]+\.log$/.exec(path)?.[1] ?? "";
}
