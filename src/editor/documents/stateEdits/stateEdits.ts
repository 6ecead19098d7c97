/**
 * States of threads as files that can be written: one that is saved becomes a fork, from which the thread goes on. What
 * is not written, because somebody left a question or the server refused it, stays in its editor, unsaved.
 */

import * as vscode from "vscode";
import { act } from "../../connections/guard.ts";
import type { ThreadState } from "../../../api/agentServer/wire.ts";
import { earlierState } from "../../../run/fold/threadState.ts";
import { editableText } from "../../../run/repair/stateEdit.ts";
import type { ThreadRef } from "../../connections/connection.ts";
import { serverFromText, serverText } from "../../connections/serverRef.ts";
import { STATE_SCHEME } from "../../kit/ids.ts";
import { adviceFor, adviceText } from "../../kit/remedies.ts";
import type { Services } from "../../services.ts";
import { titleOnTab } from "../../threads/servers/threadTitle.ts";
import { writeState } from "./stateWrite.ts";
import { StateSchema } from "./stateSchema.ts";

/** A state of a thread's history, as the address of a file names it. */
interface EditedState {
  readonly thread: ThreadRef;
  readonly checkpointId: string;
  /** As the server has it, not to be written: what an edited one is compared with. */
  readonly original: boolean;
}

/** A state that is edited. */
export interface OpenEdit {
  readonly state: ThreadState;
  readonly schema: StateSchema;
  /** As it was saved last. */
  text: string;
  savedAt: number;
}

const paths = /^\/([^/]+)\/([^/]+)\/([^/]+)\/([^/]+)\/[^/]+\.json$/;

/** The editor's files of states. */
export class StateEdits implements vscode.Disposable {
  readonly #services: Services;
  readonly #open = new Map<string, Promise<OpenEdit>>();
  /** Files that the editor is about to save by itself: nobody wants a fork for each pause. */
  readonly #unasked = new Set<string>();
  readonly #checked = new vscode.EventEmitter<vscode.Uri>();
  /** The schema of a state is known, so that it can be checked. */
  readonly onDidReadSchema = this.#checked.event;
  readonly #subscriptions: vscode.Disposable;

  constructor(services: Services) {
    this.#services = services;
    this.#subscriptions = vscode.Disposable.from(
      this.#checked,
      vscode.workspace.onWillSaveTextDocument(({ document: { uri }, reason }) => {
        if (reason === vscode.TextDocumentSaveReason.Manual) this.#unasked.delete(uri.toString());
        else this.#unasked.add(uri.toString());
      }),
    );
  }

  /** Opens a state for editing; throws what the server answers. */
  async open(thread: ThreadRef, checkpointId: string): Promise<void> {
    const { threadHosts, threads } = this.#services;
    const state = (await threadHosts.of(thread).state(thread.threadId, { checkpointId })) as ThreadState;
    const name = `Edit ${earlierState(state).step} of ${titleOnTab(threads.titleOf(thread))}`;
    const uri = stateEditUri({ thread, checkpointId, original: false }, name);
    const key = keyOf(uri);
    if (!this.#open.has(key)) this.#open.set(key, Promise.resolve(this.#edit(uri, state)));
    await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(uri), { preview: false });
  }

  /** What is known of a file; throws what the server answers. */
  edit(uri: vscode.Uri): Promise<OpenEdit> {
    const key = keyOf(uri);
    const known = this.#open.get(key) ?? this.#read(uri);
    this.#open.set(key, known);
    known.catch(() => this.#open.delete(key));
    return known;
  }

  async stat(uri: vscode.Uri): Promise<vscode.FileStat> {
    const { original } = editedStateOf(uri);
    const { text, savedAt, state } = await this.edit(uri);
    return {
      type: vscode.FileType.File,
      ctime: Date.parse(state.created_at ?? "") || 0,
      mtime: original ? 0 : savedAt,
      size: Buffer.byteLength(original ? editableText(state.values) : text),
      ...(original && { permissions: vscode.FilePermission.Readonly }),
    };
  }

  async readFile(uri: vscode.Uri): Promise<Uint8Array> {
    const { original } = editedStateOf(uri);
    const { text, state } = await this.edit(uri);
    return new TextEncoder().encode(original ? editableText(state.values) : text);
  }

  async writeFile(uri: vscode.Uri, content: Uint8Array): Promise<void> {
    const { thread, checkpointId, original } = editedStateOf(uri);
    if (original) throw vscode.FileSystemError.NoPermissions(uri);
    const edit = await this.edit(uri);
    const text = new TextDecoder().decode(content);
    // The editor keeps what was not saved, and asks before it closes it.
    if (this.#unasked.delete(uri.toString()))
      throw vscode.FileSystemError.NoPermissions("Auto Save writes no state. Save it yourself.");
    const { state, schema } = edit;
    await saved(() => writeState(this.#services, { thread, checkpointId, state, schema, text }));
    edit.text = text;
    edit.savedAt = Date.now();
  }

  dispose(): void {
    this.#subscriptions.dispose();
  }

  async #read(uri: vscode.Uri): Promise<OpenEdit> {
    const { thread, checkpointId } = editedStateOf(uri);
    const host = this.#services.threadHosts.of(thread);
    return this.#edit(uri, (await host.state(thread.threadId, { checkpointId })) as ThreadState);
  }

  #edit(uri: vscode.Uri, state: ThreadState): OpenEdit {
    const { thread } = editedStateOf(uri);
    const host = this.#services.threadHosts.of(thread);
    const ask = async () => {
      const { metadata } = (await host.runs.threads.row?.(thread.threadId)) ?? {};
      const assistantId = metadata?.["assistant_id"] ?? metadata?.["graph_id"];
      return typeof assistantId === "string" ? host.runs.assistants?.schemas?.(assistantId) : undefined;
    };
    const schema = new StateSchema(ask, () => this.#checked.fire(uri));
    return { state, schema, text: editableText(state.values), savedAt: Date.now() };
  }
}

function keyOf(uri: vscode.Uri): string {
  return uri.with({ query: "" }).toString();
}

/** The editor says of a file that was not saved why, in these words. */
async function saved(write: () => Promise<void>): Promise<void> {
  try {
    await act("Write State", write);
  } catch (error) {
    const words =
      error instanceof vscode.CancellationError
        ? "Nothing was written, and nothing ran."
        : adviceText(adviceFor(error));
    throw vscode.FileSystemError.Unavailable(words);
  }
}

/** `agent-operations-state:/<connection>/<server>/<thread>/<checkpoint>/<name>.json`; ids are percent-encoded. */
function stateEditUri({ thread, checkpointId, original }: EditedState, name: string): vscode.Uri {
  const { connectionId, server, threadId } = thread;
  const ids = [connectionId, serverText(server), threadId, checkpointId].map(encodeURIComponent);
  const fileName = name.replace(/[\p{Cc}/\\:*?"<>|]+/gu, " ").trim();
  const path = `/${ids.join("/")}/${fileName}.json`;
  return vscode.Uri.from({ scheme: STATE_SCHEME, path, query: original ? "original" : "" });
}

/** Throws a FileSystemError for another address. */
function editedStateOf(uri: vscode.Uri): EditedState {
  const [, ...ids] = paths.exec(uri.path) ?? [];
  const [connectionId, server, threadId, checkpointId] = ids.map(decodeURIComponent);
  if (connectionId === undefined || server === undefined || threadId === undefined)
    throw vscode.FileSystemError.FileNotFound(uri);
  return {
    thread: { connectionId, server: serverFromText(server), threadId },
    checkpointId: checkpointId ?? "",
    original: uri.query === "original",
  };
}
