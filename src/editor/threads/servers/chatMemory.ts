/** What this window knows of the runs of a chat backend, which keeps no list of them. */

import type { RunStatus, Thread, ThreadState } from "../../../api/agentServer/wire.ts";
import { Capabilities } from "../../../api/capabilities.ts";
import { ProtocolOrder } from "../../../run/protocol/order.ts";
import { ProtocolTranslator } from "../../../run/protocol/translator.ts";
import { RemediableError } from "../../kit/remedies.ts";
import { chatRefusal, isThreadCapability } from "./chatRefusals.ts";
import type { Unsupported } from "./threadHost.ts";
import { ChatStandings } from "./chatStandings.ts";
import { MadeThreads, passingStore } from "./madeThreads.ts";
import type { MadeStore } from "./madeThreads.ts";

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
  /** The number of the newest event that was seen; undefined when none was. */
  lastSeq: number | undefined;
  /** Made here, and nothing has run on it yet. */
  untouched = false;

  begin(runId: string): ChatRun {
    const run = {
      status: "running",
      order: new ProtocolOrder(this.untouched ? "start" : this.lastSeq),
      translator: new ProtocolTranslator(),
    };
    this.runs.set(runId, run);
    this.untouched = false;
    return run;
  }
}

type ListedThread = Pick<Thread, "thread_id" | "updated_at">;

/** What a memory works with. */
export interface ChatMemoryParts {
  /** What the backend was found not to support; shared with its clients. */
  readonly capabilities: Capabilities;
  /** The backend turned out not to know a thread any more. */
  readonly onLost: () => void;
  /** Where it is remembered which threads were made here; by default for as long as the memory is there. */
  readonly made: MadeStore;
  /** Epoch milliseconds. */
  readonly now: () => number;
}

/**
 * One backend: its threads, and what it does not support. It is forgotten with the window, so that a reload tries again;
 * only which threads were made here is remembered.
 */
export class ChatMemory {
  readonly capabilities: Capabilities;
  /** What threads' states said, of those that were asked for. */
  readonly standings: ChatStandings;
  /** A backend without a list tells of no others. */
  readonly madeHere: MadeThreads;
  readonly #threads = new Map<string, ChatThreadMemory>();
  readonly #onLost: () => void;

  constructor({
    capabilities = new Capabilities(),
    onLost = () => undefined,
    made = passingStore(),
    now = Date.now,
  }: Partial<ChatMemoryParts> = {}) {
    this.capabilities = capabilities;
    this.#onLost = onLost;
    this.standings = new ChatStandings(now);
    this.madeHere = new MadeThreads(made);
  }

  /** What the backend can't do as far as it said so, with the reason in words. */
  get unsupported(): Unsupported {
    const names = ["rename", ...this.capabilities.unsupported].filter(isThreadCapability);
    return new Map(names.map((name) => [name, chatRefusal(name)]));
  }

  /** The backend does not know the thread any more; gives the error that tells a person so. */
  lose(threadId: string): ThreadLostError {
    if (this.madeHere.lose(threadId)) this.#onLost();
    return new ThreadLostError();
  }

  of(threadId: string): ChatThreadMemory {
    const known = this.#threads.get(threadId) ?? new ChatThreadMemory();
    this.#threads.set(threadId, known);
    return known;
  }

  /** A thread was made here: the backend has no events of it. */
  made(threadId: string): void {
    this.of(threadId).untouched = true;
    this.madeHere.add(threadId);
  }

  forget(threadId: string): void {
    this.#threads.delete(threadId);
    this.madeHere.remove(threadId);
  }

  /** How a thread stands, as far as it was followed here or its state was read since it changed last. */
  statusOf(thread: ListedThread): "busy" | "interrupted" | "error" | "idle" {
    const seen = this.#seenOf(thread.thread_id);
    if (seen === "busy") return seen;
    const asked = this.standings.interrupts(thread.thread_id, this.markOf(thread));
    if (asked === undefined) return seen;
    if (asked.length > 0) return "interrupted";
    return seen === "interrupted" ? "idle" : seen;
  }

  /** What a thread looks like from outside: while it stays so, its state is likely to be the same. */
  markOf({ thread_id: id, updated_at: at }: ListedThread): string {
    return [at, this.#threads.get(id)?.lastSeq ?? "", this.#seenOf(id)].join(" ");
  }

  /** Those that were made here of which a state may tell more than is known. */
  get untold(): readonly string[] {
    const ids = this.madeHere.list.map(({ id }) => id);
    return ids.filter((id) => {
      const made = this.#threads.get(id)?.untouched === true;
      return !made && !this.standings.isResting(id) && this.madeHere.isUntold(id, this.#undatedMark(id));
    });
  }

  /** The state of a thread that was made here could not be read for now: it is asked for again a little later. */
  rest(threadId: string, error: unknown): void {
    this.standings.noteError(threadId, this.#undatedMark(threadId), error);
  }

  /** Notes what the state of a thread tells that was made here; undefined for one that can't be read. */
  tell(threadId: string, state: ThreadState | undefined): void {
    const mark = this.#undatedMark(threadId);
    this.madeHere.tell(threadId, state, mark);
    if (state !== undefined) this.standings.note(threadId, mark, state, false);
  }

  /** Nobody tells when a thread changed that is in no list. */
  #undatedMark(threadId: string): string {
    return this.markOf({ thread_id: threadId, updated_at: "" });
  }

  #seenOf(threadId: string): "busy" | "interrupted" | "error" | "idle" {
    const newest = [...(this.#threads.get(threadId)?.runs.values() ?? [])].at(-1);
    if (newest?.status === "running") return "busy";
    if (newest?.status === "error") return "error";
    return newest !== undefined && newest.translator.pending.size > 0 ? "interrupted" : "idle";
  }
}
