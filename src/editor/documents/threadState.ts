/**
 * A thread's state as a read-only JSON document: searched, folded and compared with the editor's own means.
 * Credentials in it are masked, as in the transcript.
 */

import * as vscode from "vscode";
import { redact } from "../../run/redact.ts";
import type { ThreadRef } from "../connections/connection.ts";
import { SCHEME } from "../ids.ts";
import type { Services } from "../services.ts";
import type { DocumentKind } from "./router.ts";

export class ThreadStateDocuments implements DocumentKind, vscode.Disposable {
  readonly #services: Pick<Services, "threadHosts">;
  readonly #changed = new vscode.EventEmitter<vscode.Uri>();
  readonly onDidChange = this.#changed.event;
  /** What was fetched for a document that is about to be shown. */
  readonly #fetched = new Map<string, string>();

  constructor(services: Pick<Services, "threadHosts">) {
    this.#services = services;
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

  owns(path: string): boolean {
    return statePath.test(path);
  }

  async text(uri: vscode.Uri): Promise<string> {
    const fetched = this.#fetched.get(uri.toString());
    this.#fetched.delete(uri.toString());
    return fetched ?? (await this.#fetch(threadOfStateUri(uri)));
  }

  dispose(): void {
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

const statePath = /^\/([^/]+)\/([^/]+)\/threads\/([^/]+)\/state\.json$/;

function threadOfStateUri({ path }: vscode.Uri): ThreadRef {
  const [, connectionId = "", serverId = "", threadId = ""] = statePath.exec(path) ?? [];
  return {
    connectionId: decodeURIComponent(connectionId),
    serverId: decodeURIComponent(serverId),
    threadId: decodeURIComponent(threadId),
  };
}
