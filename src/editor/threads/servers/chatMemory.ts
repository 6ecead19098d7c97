/** What this window knows of a chat backend, which keeps no list of its runs. */

import type { RunStatus, Thread, ThreadState } from "../../../api/agentServer/wire.ts";
import type { Capabilities } from "../../../api/capabilities.ts";
import type { ThreadCapability } from "../../../run/panel/messages.ts";
import { ProtocolOrder } from "../../../run/protocol/order.ts";
import { ProtocolTranslator } from "../../../run/protocol/translator.ts";
import { NotPossibleError, RemediableError } from "../../kit/remedies.ts";
import { ChatStates } from "./chatStates.ts";
import type { CreatedThreads } from "./createdThreads.ts";
import type { Unsupported } from "./threadHost.ts";

/** One run that is or was followed. */
export interface ChatRun {
  status: RunStatus;
  readonly order: ProtocolOrder;
  readonly translator: ProtocolTranslator;
}

/** One thread. */
export class ChatThreadMemory {
  readonly runs = new Map<string, ChatRun>();
  /** Where each interrupt asks from. */
  readonly namespaces = new Map<string, readonly string[]>();
  /** The ids of all questions that its state listed so far. */
  readonly asked = new Set<string>();
  /** The number of the newest event that was seen; undefined when none was. */
  lastSeq: number | undefined;
  /** Created here, and nothing has run on it yet. */
  isNew = false;

  begin(runId: string): ChatRun {
    const run = {
      status: "running",
      order: new ProtocolOrder(this.isNew ? "start" : this.lastSeq),
      translator: new ProtocolTranslator(),
    };
    this.runs.set(runId, run);
    this.isNew = false;
    return run;
  }
}

type ListedThread = Pick<Thread, "thread_id" | "updated_at">;

/** What a memory works with. */
export interface ChatMemoryParts {
  /** What the backend was found not to support; shared with its clients. */
  readonly capabilities: Capabilities;
  /** A backend without a list has no others. */
  readonly created: CreatedThreads;
  /** The backend turned out not to know a thread any more. */
  readonly onLost: () => void;
  /** Epoch milliseconds. */
  readonly now: () => number;
}

/**
 * One backend: its threads and their runs, and what it does not support. It is forgotten with the window, so that a
 * reload tries again; only which threads were created here is remembered.
 */
export class ChatMemory {
  readonly capabilities: Capabilities;
  readonly created: CreatedThreads;
  readonly states: ChatStates;
  /** Threads whose states are not asked for only to see whether they changed. */
  readonly large = new Set<string>();
  readonly #threads = new Map<string, ChatThreadMemory>();
  readonly #onLost: () => void;

  constructor({ capabilities, created, onLost, now }: ChatMemoryParts) {
    this.capabilities = capabilities;
    this.created = created;
    this.states = new ChatStates(now);
    this.#onLost = onLost;
  }

  /** What the backend can't do as far as it said so, with the reason in words. */
  get unsupported(): Unsupported {
    const names = ["rename", "repair", ...this.capabilities.unsupported].filter(isThreadCapability);
    return new Map(names.map((name) => [name, unsupportedError(name)]));
  }

  /** The backend does not know the thread any more; returns the error that says so to a person. */
  setLost(threadId: string): ThreadLostError {
    if (this.created.setLost(threadId)) this.#onLost();
    return new ThreadLostError();
  }

  thread(threadId: string): ChatThreadMemory {
    const known = this.#threads.get(threadId) ?? new ChatThreadMemory();
    this.#threads.set(threadId, known);
    return known;
  }

  /** A thread was created here: the backend has no events of it. */
  add(threadId: string): void {
    this.thread(threadId).isNew = true;
    this.created.add(threadId);
  }

  forget(threadId: string): void {
    this.#threads.delete(threadId);
    this.created.remove(threadId);
  }

  /** The thread's status, as far as it was followed here or its state was read since it changed last. */
  statusOf(thread: ListedThread): "busy" | "interrupted" | "error" | "idle" {
    const followed = this.#followedStatus(thread.thread_id);
    if (followed === "busy") return followed;
    const interrupts = this.states.interrupts(thread.thread_id, this.versionOf(thread));
    if (interrupts === undefined) return followed;
    if (interrupts.length > 0) return "interrupted";
    return followed === "interrupted" ? "idle" : followed;
  }

  /** What a thread looks like from outside: while it stays so, its state is likely to be the same. */
  versionOf({ thread_id: id, updated_at: at }: ListedThread): string {
    return [at, this.#threads.get(id)?.lastSeq ?? "", this.#followedStatus(id)].join(" ");
  }

  /** Those that were created here whose state may give a title that is not known yet. */
  get untitled(): readonly string[] {
    const ids = this.created.list.map(({ id }) => id);
    return ids.filter((id) => {
      if (this.#threads.get(id)?.isNew === true || this.states.isBackingOff(id)) return false;
      return this.states.mayHaveTitle(id, this.#undatedVersion(id));
    });
  }

  /** Keeps the state of a thread that was created here; undefined for one that can never be read. */
  setState(threadId: string, state: ThreadState | undefined): void {
    const version = this.#undatedVersion(threadId);
    this.states.setTitle(threadId, version, state);
    if (state !== undefined) this.states.set(threadId, version, state, false);
  }

  /** The state of a thread that was created here could not be read for now: it is read again a little later. */
  setError(threadId: string, error: unknown): void {
    this.states.setError(threadId, this.#undatedVersion(threadId), error);
  }

  /** Nobody says when a thread changed that is in no list. */
  #undatedVersion(threadId: string): string {
    return this.versionOf({ thread_id: threadId, updated_at: "" });
  }

  #followedStatus(threadId: string): "busy" | "interrupted" | "error" | "idle" {
    const newest = [...(this.#threads.get(threadId)?.runs.values() ?? [])].at(-1);
    if (newest?.status === "running") return "busy";
    if (newest?.status === "error") return "error";
    return newest !== undefined && newest.translator.pending.size > 0 ? "interrupted" : "idle";
  }
}

/** A thread that was there is not on the backend any more. */
class ThreadLostError extends RemediableError {
  override readonly name = "ThreadLostError";
  readonly status = 404;

  constructor() {
    super(
      "The backend does not know this thread any more: it was deleted, or the backend was restarted and keeps threads in memory only.",
      { remedy: "Start a new thread to go on." },
    );
  }
}

const words: Readonly<Record<ThreadCapability, readonly [message: string, remedy: string]>> = {
  stop: [
    "This backend has no way to stop a run.",
    "Start another run: backends of this kind end the one before.",
  ],
  answer: [
    "This backend takes no answers: it does not know the command input.respond.",
    "Start another run to go on.",
  ],
  rename: [
    "Chat backends name a thread by its first message, and have no way to rename it.",
    "Keep the name.",
  ],
  delete: ["This backend has no way to delete a thread.", "Delete it where the backend keeps it."],
  list: ["This backend has no list of threads.", "Those that were made here are shown."],
  history: ["This backend keeps no earlier states of a thread.", "Its newest state is there."],
  repair: ["Chat backends have no way to change the course of a thread.", "Send another message to go on."],
};

/** Why a chat backend can't do something, and what to do instead. */
export function unsupportedError(capability: ThreadCapability): NotPossibleError {
  return new NotPossibleError(...words[capability]);
}

function isThreadCapability(name: string): name is ThreadCapability {
  return Object.hasOwn(words, name);
}
