/** One open stream of a thread of a chat backend: what it still has of earlier runs is kept apart from what is new. */

import { setTimeout } from "node:timers/promises";
import type { SseEvent } from "../../../api/exchange.ts";
import type { ThreadProtocol } from "../../../api/threadProtocol/index.ts";
import type { ProtocolEvent } from "../../../api/threadProtocol/wire.ts";
import { ProtocolOrder } from "../../../run/protocol/order.ts";
import { ProtocolTranslator } from "../../../run/protocol/translator.ts";
import type { ChatRun, ChatThreadMemory } from "./chatMemory.ts";

/** What a backend still has comes at once; after such a pause everything else is new. */
const quietMs = 400;

type Batch = readonly ProtocolEvent[];

/** Opens a connection that gives what comes after an event, until its own signal aborts. */
type Ask = (after: number | undefined, ends: AbortSignal) => Promise<AsyncIterable<Batch>>;

export class ChatStream {
  readonly #ask: Ask;
  readonly #memory: ChatThreadMemory;
  #abort = new AbortController();
  #batches: AsyncIterator<Batch> | undefined;
  #next: Promise<IteratorResult<Batch>> | undefined;

  private constructor(ask: Ask, memory: ChatThreadMemory) {
    this.#ask = ask;
    this.#memory = memory;
  }

  /** A stream that begins after an event, or at the first one that the backend still has. */
  static async open(
    client: ThreadProtocol,
    threadId: string,
    after: number | undefined,
    signal: AbortSignal | undefined,
    memory: ChatThreadMemory,
  ): Promise<ChatStream> {
    const ask: Ask = (since, ends) => {
      const either = signal === undefined ? ends : AbortSignal.any([signal, ends]);
      return client.stream(threadId, { since, signal: either });
    };
    const stream = new ChatStream(ask, memory);
    await stream.#connect(after);
    return stream;
  }

  /** A stream that has sent all events so far: what comes next is new. Remembers where that begins. */
  static async atEnd(
    client: ThreadProtocol,
    threadId: string,
    memory: ChatThreadMemory,
    signal: AbortSignal | undefined,
  ): Promise<ChatStream> {
    const known = memory.lastSeq;
    // One event that is known is asked for again: it shows at once that the backend still counts as before.
    const stream = await ChatStream.open(
      client,
      threadId,
      known === undefined ? undefined : known - 1,
      signal,
      memory,
    );
    if (memory.isNew) return stream;
    const last = await stream.#backlog(known);
    if (known === undefined || last === known) {
      memory.lastSeq = last;
      return stream;
    }
    stream.close();
    const again = await ChatStream.open(client, threadId, undefined, signal, memory);
    memory.lastSeq = await again.#backlog(undefined);
    return again;
  }

  /** Whether the backend has anything after what is known. */
  async hasEvents(): Promise<boolean> {
    const known = this.#memory.lastSeq ?? -Infinity;
    for (;;) {
      const batch = await this.#read(quietMs);
      if (!isBatch(batch)) return false;
      if (batch.some(({ seq = -Infinity }) => seq > known)) return true;
    }
  }

  close(): void {
    // What was asked for and not waited for fails now, and nobody needs to know.
    this.#next?.catch(() => undefined);
    this.#abort.abort();
  }

  /**
   * The run's events until its end; leaving the loop closes the stream. Of a run that is known to be `over`, only what
   * the backend still has.
   */
  async *events(run: ChatRun, over = false): AsyncIterable<readonly SseEvent[]> {
    const { order, translator } = run;
    let askedAt: number | undefined;
    try {
      for (;;) {
        const batch = await this.#read(over || order.holding ? quietMs : undefined);
        const came = isBatch(batch) ? order.accept(batch) : [];
        const stuck = order.holding && (!isBatch(batch) || order.crowded);
        const again = stuck && (order.gapped || batch === undefined) && askedAt !== (order.last ?? -1);
        const freed = !stuck || again ? [] : order.gapped ? order.flush() : order.settle();
        const events = [...came, ...freed];
        const { translated, next } = translate(run, events);
        noteProgress(this.#memory, run, next);
        if (translated.length > 0) yield translated;
        if (translator.ending !== undefined || next !== undefined) {
          run.status = translator.ending ?? "interrupted";
          return;
        }
        if (again) {
          // What is missing was lost on the way: the backend may still have it.
          askedAt = order.last ?? -1;
          await this.#connect(order.resumeAfter);
        } else if (
          !order.holding &&
          (batch === undefined || (over && batch === "quiet" && events.length === 0))
        )
          return;
      }
    } finally {
      this.close();
    }
  }

  /** The newest run of those whose events the backend still has, which nobody followed here. */
  async *newestRun(run: ChatRun): AsyncIterable<readonly SseEvent[]> {
    const { order, translator } = run;
    try {
      const collected: ProtocolEvent[] = [];
      for (;;) {
        const batch = await this.#read(quietMs);
        if (!isBatch(batch)) break;
        collected.push(...batch);
      }
      const backlog = ProtocolOrder.sorted(collected);
      const newest = backlog.slice(beginOfNewest(backlog));
      const next = order.accept(newest);
      const events = order.gapped ? next : [...next, ...order.settle()];
      const translated = events.flatMap((event) => translator.translate(event));
      noteProgress(this.#memory, run);
      if (translated.length > 0) yield translated;
      if (translator.ending === undefined) yield* this.events(run);
      else run.status = translator.ending;
    } finally {
      this.close();
    }
  }

  /** Leaves the connection that there was; the next one gives what comes after an event. */
  async #connect(after: number | undefined): Promise<void> {
    this.close();
    this.#abort = new AbortController();
    this.#next = undefined;
    this.#batches = (await this.#ask(after, this.#abort.signal))[Symbol.asyncIterator]();
  }

  /** Reads until `known` came, or nothing comes any more; the number of the last event. */
  async #backlog(known: number | undefined): Promise<number | undefined> {
    let last: number | undefined;
    for (;;) {
      const batch = await this.#read(quietMs);
      if (batch === undefined || batch === "quiet") return last;
      for (const { seq } of batch) if (seq !== undefined) last = Math.max(last ?? seq, seq);
      if (known !== undefined && last !== undefined && last >= known) return last;
    }
  }

  /** The next batch; "quiet" when none comes for so long, undefined at the end of the stream. */
  async #read(quietAfterMs: number | undefined): Promise<Batch | "quiet" | undefined> {
    this.#next ??= this.#batches?.next();
    const next = this.#next;
    if (next === undefined) return undefined;
    const done = new AbortController();
    const quiet =
      quietAfterMs === undefined
        ? []
        : [setTimeout(quietAfterMs, "quiet" as const, { signal: done.signal, ref: false })];
    try {
      const first = await Promise.race([next, ...quiet]);
      if (first === "quiet") return first;
      this.#next = undefined;
      return first.done === true ? undefined : first.value;
    } finally {
      done.abort();
      for (const pause of quiet) pause.catch(() => undefined);
    }
  }
}

function isBatch(read: Batch | "quiet" | undefined): read is Batch {
  return typeof read === "object";
}

/** A run's events in its stream's words, up to `next`, with which another run begins. */
function translate(
  { translator }: ChatRun,
  events: Batch,
): { readonly translated: readonly SseEvent[]; readonly next: ProtocolEvent | undefined } {
  const translated: SseEvent[] = [];
  for (const event of events) {
    if (translator.isNextRun(event)) return { translated, next: event };
    translated.push(...translator.translate(event));
  }
  return { translated, next: undefined };
}

/** Where the newest run begins in what the backend still has: after the end of the one before, or with a new start. */
function beginOfNewest(backlog: Batch): number {
  let begin = 0;
  let translator = new ProtocolTranslator();
  for (const [index, event] of backlog.entries()) {
    if (translator.ending === undefined && !translator.isNextRun(event)) translator.translate(event);
    else {
      begin = index;
      translator = new ProtocolTranslator();
      translator.translate(event);
    }
  }
  return begin;
}

/** What comes after is asked for again: also the event with which another run begins. */
function noteProgress(memory: ChatThreadMemory, { order, translator }: ChatRun, next?: ProtocolEvent): void {
  const last = next?.seq === undefined ? order.last : next.seq - 1;
  if (last !== undefined) memory.lastSeq = last;
  for (const [id, namespace] of translator.pending) memory.namespaces.set(id, namespace);
}
