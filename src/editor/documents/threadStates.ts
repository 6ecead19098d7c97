/**
 * A thread's state as a read-only JSON document: searched, folded and compared with the editor's own means.
 * Credentials in it are masked, as in the transcript.
 */

import * as vscode from "vscode";
import { redact } from "../../run/json/redact.ts";
import type { ThreadRef } from "../connections/connection.ts";
import { serverFromText, serverText } from "../connections/serverRef.ts";
import { SCHEME } from "../kit/ids.ts";
import type { Services } from "../services.ts";
import type { DocumentKind } from "./router.ts";

/** A state that was read out of a thread's history. */
export interface StateOfCheckpoint {
  readonly state: unknown;
  readonly checkpointId: string;
  /** What its tab is called: no part of a path. */
  readonly name: string;
}

/** States of threads, read from their servers. */
export class ThreadStateDocuments implements DocumentKind {
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
    return show(this.#put(thread, await this.#services.threadHosts.of(thread).state(thread.threadId)));
  }

  /** Shows a state of the thread's history. */
  async openEarlier(thread: ThreadRef, earlier: StateOfCheckpoint): Promise<void> {
    await show(this.#put(thread, earlier.state, earlier));
  }

  /** Shows a state of the thread's history beside the one of now; throws what the server answers. */
  async compare(thread: ThreadRef, earlier: StateOfCheckpoint): Promise<void> {
    const then = this.#put(thread, earlier.state, earlier);
    const now = this.#put(thread, await this.#services.threadHosts.of(thread).state(thread.threadId));
    await vscode.commands.executeCommand("vscode.diff", then, now, `${earlier.name} ↔ Newest State`);
  }

  async text(uri: vscode.Uri): Promise<string> {
    const fetched = this.#fetched.get(uri.toString());
    this.#fetched.delete(uri.toString());
    if (fetched !== undefined) return fetched;
    const { thread, checkpointId } = stateOfUri(uri);
    return textOf(await this.#services.threadHosts.of(thread).state(thread.threadId, checkpointId));
  }

  dispose(): void {
    this.#changed.dispose();
  }

  /** Keeps a state for the document that is about to ask for it, which may be open already. */
  #put(thread: ThreadRef, state: unknown, earlier?: StateOfCheckpoint): vscode.Uri {
    const uri = threadStateUri(thread, earlier);
    this.#fetched.set(uri.toString(), textOf(state));
    this.#changed.fire(uri);
    return uri;
  }
}

/**
 * `agent-operations:/<connection>/<server>/threads/<thread>/state.json`, or `…/states/<checkpoint>/<name>.json`; ids are
 * percent-encoded.
 */
export function threadStateUri(
  { connectionId, server: ref, threadId }: ThreadRef,
  earlier?: Pick<StateOfCheckpoint, "checkpointId" | "name">,
): vscode.Uri {
  const [connection, server, thread] = [connectionId, serverText(ref), threadId].map(encodeURIComponent);
  const name =
    earlier === undefined ? "state" : `states/${encodeURIComponent(earlier.checkpointId)}/${earlier.name}`;
  return vscode.Uri.from({ scheme: SCHEME, path: `/${connection}/${server}/threads/${thread}/${name}.json` });
}

const statePath = /^\/([^/]+)\/([^/]+)\/threads\/([^/]+)\/(?:state|states\/([^/]+)\/[^/]+)\.json$/;

function stateOfUri({ path }: vscode.Uri): {
  readonly thread: ThreadRef;
  readonly checkpointId: string | undefined;
} {
  const [, connectionId = "", server = "", threadId = "", checkpointId] = statePath.exec(path) ?? [];
  return {
    thread: {
      connectionId: decodeURIComponent(connectionId),
      server: serverFromText(decodeURIComponent(server)),
      threadId: decodeURIComponent(threadId),
    },
    checkpointId: checkpointId === undefined ? undefined : decodeURIComponent(checkpointId),
  };
}

function textOf(state: unknown): string {
  return `${redact(JSON.stringify(state, null, 2))}\n`;
}

async function show(uri: vscode.Uri): Promise<vscode.TextDocument> {
  const document = await vscode.workspace.openTextDocument(uri);
  await vscode.window.showTextDocument(document);
  return document;
}
