/**
 * A thread's state as a read-only JSON document: searched, folded and compared with the editor's own means.
 * Credentials in it are masked, as in the transcript.
 */

import * as vscode from "vscode";
import { redact } from "../../run/redact.ts";
import type { ThreadRef } from "../connection.ts";
import { SCHEME } from "../ids.ts";
import type { Services } from "../services.ts";

export class ThreadStateDocuments implements vscode.TextDocumentContentProvider, vscode.Disposable {
  readonly #services: Pick<Services, "threadHosts">;
  readonly #changed = new vscode.EventEmitter<vscode.Uri>();
  readonly onDidChange = this.#changed.event;
  readonly #registration: vscode.Disposable;
  /** What was fetched for a document that is about to be shown. */
  readonly #fetched = new Map<string, string>();

  constructor(services: Pick<Services, "threadHosts">) {
    this.#services = services;
    this.#registration = vscode.workspace.registerTextDocumentContentProvider(SCHEME, this);
  }

  /** Shows the state as it is now, also in a document that is open already; throws what the server answers. */
  async open(thread: ThreadRef): Promise<vscode.TextDocument> {
    const uri = threadStateUri(thread);
    this.#fetched.set(uri.toString(), await this.#fetch(thread));
    this.#changed.fire(uri);
    const document = await vscode.workspace.openTextDocument(uri);
    await vscode.window.showTextDocument(document);
    return document;
  }

  async provideTextDocumentContent(uri: vscode.Uri): Promise<string | undefined> {
    const thread = threadOfStateUri(uri);
    if (thread === undefined) return undefined;
    const fetched = this.#fetched.get(uri.toString());
    this.#fetched.delete(uri.toString());
    return fetched ?? (await this.#fetch(thread));
  }

  dispose(): void {
    this.#registration.dispose();
    this.#changed.dispose();
  }

  async #fetch(thread: ThreadRef): Promise<string> {
    const state = await this.#services.threadHosts.of(thread).state(thread.threadId);
    return `${redact(JSON.stringify(state, null, 2))}\n`;
  }
}

/** `agent-operations:/<connection>/<server>/threads/<thread>/state.json`, each part percent-encoded. */
export function threadStateUri({ connectionId, serverId, threadId }: ThreadRef): vscode.Uri {
  const [connection, server, thread] = [connectionId, serverId, threadId].map(encodeURIComponent);
  return vscode.Uri.from({ scheme: SCHEME, path: `/${connection}/${server}/threads/${thread}/state.json` });
}

function threadOfStateUri({ path }: vscode.Uri): ThreadRef | undefined {
  const [, connectionId, serverId, threadId] =
    /^\/([^/]+)\/([^/]+)\/threads\/([^/]+)\/state\.json$/.exec(path) ?? [];
  if (connectionId === undefined || serverId === undefined || threadId === undefined) return undefined;
  return {
    connectionId: decodeURIComponent(connectionId),
    serverId: decodeURIComponent(serverId),
    threadId: decodeURIComponent(threadId),
  };
}
