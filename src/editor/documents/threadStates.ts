/**
 * A thread's state as a read-only JSON document: searched, folded and compared with the editor's own means.
 * Credentials in it are masked, as in the transcript. One that is seen follows what happens to its thread.
 */

import * as vscode from "vscode";
import { redact } from "../../run/json/redact.ts";
import type { StepOutcome } from "../../run/panel/transcript.ts";
import type { ThreadRef } from "../connections/connection.ts";
import { isSameThread } from "../connections/serverRef.ts";
import { type CommandId, SCHEME } from "../kit/ids.ts";
import type { Services } from "../services.ts";
import type { ThreadVersion } from "../threads/servers/threadHost.ts";
import { goneVersion, ThreadWatch } from "../threads/threadWatch.ts";
import type { DocumentKind } from "./router.ts";
import { stateName, stateOfUri, threadStateUri } from "./threadStateUri.ts";

/** A state that was read out of a thread's history. */
export interface StateOfCheckpoint {
  readonly state: unknown;
  readonly checkpointId: string;
  /** What people call it: "Step 5". */
  readonly name: string;
}

/** What the documents are made with. */
export type ThreadStateServices = Pick<Services, "threadHosts" | "threads" | "clock" | "attention">;

/**
 * How a shown state may differ from what its thread is by now: "old" where the thread went on, "gone" where the server
 * has it no more, "unknown" where the server would tell only by the whole state.
 */
export type StateAge = "old" | "gone" | "unknown";

/** A larger state is read anew only when somebody asks for it. */
const mostFollowed = 1_000_000;

/** States of threads, read from their servers. */
export class ThreadStateDocuments implements DocumentKind {
  readonly #services: ThreadStateServices;
  readonly #changed = new vscode.EventEmitter<vscode.Uri>();
  readonly onDidChange = this.#changed.event;
  readonly #agedOrRenewed = new vscode.EventEmitter<void>();
  /** A document became old, new again, or the last of its thread. */
  readonly onDidChangeAge = this.#agedOrRenewed.event;
  /** What was fetched for a document that is about to be shown. */
  readonly #fetched = new Map<string, string>();
  /** What the threads were just before their states were read. */
  readonly #versions = new Map<string, ThreadVersion>();
  readonly #watches = new Map<string, ThreadWatch>();
  readonly #ages = new Map<string, StateAge>();
  readonly #subscriptions: vscode.Disposable;

  constructor(services: ThreadStateServices) {
    this.#services = services;
    this.#subscriptions = vscode.Disposable.from(
      vscode.window.onDidChangeVisibleTextEditors(() => this.#follow()),
      vscode.window.onDidChangeActiveTextEditor((editor) => {
        const shown = editor && stateOfUri(editor.document.uri);
        if (shown !== undefined) services.threads.activate(shown.thread);
      }),
      vscode.workspace.onDidCloseTextDocument(({ uri }) => this.#leave(uri.toString())),
      services.threads.onDidChange(({ threads }) => this.#hurry(threads)),
    );
    this.#follow();
  }

  /** Shows the state as it is now, also in a document that is open already; throws what the server answers. */
  async open(thread: ThreadRef): Promise<vscode.TextDocument> {
    return show(await this.#putNewest(thread));
  }

  /** Shows a state of the thread's history. */
  async openEarlier(thread: ThreadRef, earlier: StateOfCheckpoint): Promise<void> {
    await show(this.#putEarlier(thread, earlier));
  }

  /** Shows a state of the thread's history beside another one, or beside that of now; throws what the server answers. */
  async compare(thread: ThreadRef, earlier: StateOfCheckpoint, later?: StateOfCheckpoint): Promise<void> {
    const then = this.#putEarlier(thread, earlier);
    const other = later === undefined ? await this.#putNewest(thread) : this.#putEarlier(thread, later);
    const names = `${earlier.name} ↔ ${later?.name ?? "newest state"}`;
    const title = stateName(this.#services.threads.titleOf(thread), names);
    await vscode.commands.executeCommand("vscode.diff", then, other, title);
  }

  async text(uri: vscode.Uri): Promise<string> {
    const fetched = this.#fetched.get(uri.toString());
    this.#fetched.delete(uri.toString());
    return fetched ?? this.#read(uri);
  }

  /** Undefined for a state that is the thread's own, as far as is known. */
  ageOf(uri: vscode.Uri): StateAge | undefined {
    return this.#ages.get(uri.toString());
  }

  dispose(): void {
    this.#subscriptions.dispose();
    for (const watch of this.#watches.values()) watch.dispose();
    this.#changed.dispose();
    this.#agedOrRenewed.dispose();
  }

  async #read(uri: vscode.Uri): Promise<string> {
    const shown = stateOfUri(uri);
    if (shown === undefined) return "";
    const { thread, checkpointId, checkpointNs, outcome } = shown;
    const host = this.#services.threadHosts.of(thread);
    if (checkpointId !== undefined) {
      const state = await host.state(thread.threadId, { checkpointId, checkpointNs });
      return textOf(outcome === undefined ? state : withOutcome(state, outcome));
    }
    const version = await host.version(thread.threadId, {}).catch(() => undefined);
    if (version !== undefined) this.#versions.set(uri.toString(), version);
    return textOf(await host.state(thread.threadId));
  }

  async #putNewest(thread: ThreadRef): Promise<vscode.Uri> {
    const uri = newestOf(thread) ?? threadStateUri({ thread }, this.#name(thread));
    this.#put(uri, await this.#read(uri));
    return uri;
  }

  #putEarlier(thread: ThreadRef, { state, checkpointId, name }: StateOfCheckpoint): vscode.Uri {
    const uri = threadStateUri({ thread, checkpointId }, this.#name(thread, name));
    this.#put(uri, textOf(state));
    return uri;
  }

  #name(thread: ThreadRef, state?: string): string {
    return stateName(this.#services.threads.titleOf(thread), state);
  }

  /** Keeps a state for the document that is about to ask for it, which may be open already. */
  #put(uri: vscode.Uri, text: string): void {
    this.#fetched.set(uri.toString(), text);
    this.#setAge(uri, undefined);
    this.#changed.fire(uri);
  }

  /** Looks at the threads of those documents that are seen. */
  #follow(): void {
    const seen = new Map(
      vscode.window.visibleTextEditors.map(({ document }) => [document.uri.toString(), document] as const),
    );
    for (const [key, document] of seen) {
      const shown = stateOfUri(document.uri);
      if (shown === undefined || shown.checkpointId !== undefined || this.#watches.has(key)) continue;
      const watch = this.#watchOf(document, shown.thread);
      this.#watches.set(key, watch);
      watch.start(this.#versions.get(key));
    }
    for (const [key, watch] of this.#watches) watch.watch(seen.has(key));
  }

  #watchOf(document: vscode.TextDocument, thread: ThreadRef): ThreadWatch {
    const { threadHosts, clock, attention } = this.#services;
    return new ThreadWatch({
      read: async (signal) => {
        const version = await threadHosts.of(thread).version(thread.threadId, { signal }).catch(goneVersion);
        if (version === undefined) this.#setAge(document.uri, "unknown");
        else if (version.status === "gone") this.#setAge(document.uri, "gone");
        return version;
      },
      state: () => "polls",
      isNews: () => Promise.resolve(false),
      renew: () => this.#renew(document),
      clock,
      slowestMs: () => attention.slowestMs(),
    });
  }

  /** What can't be read, or is too large to be read unasked, is marked as old; the last state of a thread stays. */
  async #renew(document: vscode.TextDocument): Promise<void> {
    const { uri } = document;
    if (this.ageOf(uri) === "gone") return;
    this.#setAge(uri, "old");
    if (document.getText().length <= mostFollowed) this.#put(uri, await this.#read(uri));
  }

  #setAge(uri: vscode.Uri, age: StateAge | undefined): void {
    const key = uri.toString();
    if (this.#ages.get(key) === age) return;
    if (age === undefined) this.#ages.delete(key);
    else this.#ages.set(key, age);
    this.#agedOrRenewed.fire();
  }

  #hurry(threads: readonly ThreadRef[]): void {
    for (const [key, watch] of this.#watches) {
      const shown = stateOfUri(vscode.Uri.parse(key));
      if (shown !== undefined && threads.some((thread) => isSameThread(thread, shown.thread))) watch.hurry();
    }
  }

  #leave(key: string): void {
    this.#watches.get(key)?.dispose();
    this.#watches.delete(key);
    this.#ages.delete(key);
    this.#fetched.delete(key);
    this.#versions.delete(key);
  }
}

/** The document that shows the thread's newest state already, whatever the thread was called when it was opened. */
function newestOf(thread: ThreadRef): vscode.Uri | undefined {
  const uris = vscode.workspace.textDocuments.filter(({ isClosed }) => !isClosed).map(({ uri }) => uri);
  return uris.find((uri) => {
    const shown = stateOfUri(uri);
    return shown?.checkpointId === undefined && shown !== undefined && isSameThread(shown.thread, thread);
  });
}

/** The state with no more of how its tasks ended than is asked for. */
function withOutcome(state: unknown, { taskId, fields }: StepOutcome): unknown {
  if (typeof state !== "object" || state === null || !("tasks" in state) || !Array.isArray(state.tasks))
    return state;
  const tasks = state.tasks.map((task: unknown) => {
    const { id, name, ...all } = (task ?? {}) as Readonly<Record<string, unknown>>;
    const kept = id === taskId ? fields.map((field) => [field, all[field]] as const) : [];
    return { id, name, ...Object.fromEntries(kept) };
  });
  return { ...state, tasks };
}

function textOf(state: unknown): string {
  return `${redact(JSON.stringify(state, null, 2))}\n`;
}

async function show(uri: vscode.Uri): Promise<vscode.TextDocument> {
  const document = await vscode.workspace.openTextDocument(uri);
  await vscode.window.showTextDocument(document, { preview: false });
  return document;
}

const ageTexts: Record<StateAge, string> = {
  old: "$(history) The thread went on since. Show the newest state",
  gone: "$(warning) The thread is not on the server any more. This is its last state, as it was read",
  unknown: "$(info) The server reports changes of this large thread only when asked. Show the newest state",
};

/** Shows a line above a state that may not be the thread's own any more, until it is disposed of. */
export function registerStateLens(states: ThreadStateDocuments): vscode.Disposable {
  return vscode.languages.registerCodeLensProvider(
    { scheme: SCHEME, pattern: "**/threads/*/state/*.json" },
    {
      onDidChangeCodeLenses: states.onDidChangeAge,
      provideCodeLenses: ({ uri }) => {
        const [thread, age] = [stateOfUri(uri)?.thread, states.ageOf(uri)];
        if (thread === undefined || age === undefined) return [];
        const openState: CommandId = "agentOperations.thread.openState";
        // Without a command it is a text.
        const command = age === "gone" ? "" : openState;
        const line = { title: ageTexts[age], command, arguments: [thread] };
        return [new vscode.CodeLens(new vscode.Range(0, 0, 0, 0), line)];
      },
    },
  );
}
