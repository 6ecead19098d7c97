/** What this window knows of the runs of a chat backend, which keeps no list of them. */

import type { RunStatus, Thread } from "../../api/agentServer/wire.ts";
import type { Acquaintance } from "../../api/threadProtocol/wire.ts";
import type { Ability } from "../../run/ability.ts";
import { ProtocolOrder } from "../../run/protocol/order.ts";
import { ProtocolTranslator } from "../../run/protocol/translator.ts";
import type { RefusalError } from "../refusal.ts";
import { chatRefusal } from "./chatRefusals.ts";
import { ChatStandings } from "./chatStandings.ts";

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

/** One backend: its threads, and what it lacks; forgotten with the window, so that a reload tries again. */
export class ChatMemory {
  /** For the clients of the backend. */
  readonly acquaintance: Acquaintance = { commands: 0, streamPath: "stream" };
  /** What threads' states said, of those that were asked for. */
  readonly standings: ChatStandings;
  readonly #threads = new Map<string, ChatThreadMemory>();
  readonly #made: string[] = [];
  readonly #lacks = new Map<Ability, RefusalError>([["rename", chatRefusal("rename")]]);
  readonly #onLack: () => void;

  /** `onLack` is called when the backend turns out to lack something; `now` gives epoch milliseconds. */
  constructor(onLack: () => void = () => undefined, now: () => number = Date.now) {
    this.#onLack = onLack;
    this.standings = new ChatStandings(now);
  }

  /** What the backend can't do as far as it said so, with the reason in words. */
  get lacks(): ReadonlyMap<Ability, RefusalError> {
    return this.#lacks;
  }

  /** The backend said that it can't do this; gives the refusal that tells a person so. */
  lack(ability: Ability): RefusalError {
    const refusal = this.#lacks.get(ability) ?? chatRefusal(ability);
    if (!this.#lacks.has(ability)) {
      this.#lacks.set(ability, refusal);
      this.#onLack();
    }
    return refusal;
  }

  /** The threads that were made here, newest first: a backend without a list tells of no others. */
  get madeHere(): readonly string[] {
    return this.#made.toReversed();
  }

  of(threadId: string): ChatThreadMemory {
    const known = this.#threads.get(threadId) ?? new ChatThreadMemory();
    this.#threads.set(threadId, known);
    return known;
  }

  /** A thread was made here: the backend has no events of it. */
  made(threadId: string): void {
    this.of(threadId).untouched = true;
    this.#made.push(threadId);
  }

  forget(threadId: string): void {
    this.#threads.delete(threadId);
    if (this.#made.includes(threadId)) this.#made.splice(this.#made.indexOf(threadId), 1);
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

  #seenOf(threadId: string): "busy" | "interrupted" | "error" | "idle" {
    const newest = [...(this.#threads.get(threadId)?.runs.values() ?? [])].at(-1);
    if (newest?.status === "running") return "busy";
    if (newest?.status === "error") return "error";
    return newest !== undefined && newest.translator.pending.size > 0 ? "interrupted" : "idle";
  }
}
