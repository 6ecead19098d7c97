/** Follows one run to its end, however often its stream is cut. */

import type { SseEvent } from "../../api/exchange.ts";
import type { Run } from "../../api/agentServer/wire.ts";
import { isOver } from "../fold/drafts/runDraft.ts";
import { failureText } from "../fold/notices.ts";
import { isObject, parseJson, textOf } from "../json/json.ts";
import { type EventBatches, type SessionParts, statusOf } from "./server.ts";
import { growingPause, isTransient } from "../../api/retry.ts";

/** How following ended; `gap` says that events may be missing. */
export type FollowEnd =
  | { readonly kind: "over"; readonly run: Run; readonly gap: boolean }
  /** The server does not know the run any more. */
  | { readonly kind: "gone" }
  | { readonly kind: "left" }
  | { readonly kind: "failed"; readonly error: unknown };

/** What a run is followed with. */
export interface FollowerParts extends Pick<SessionParts, "server" | "clock" | "threadId" | "onChange"> {
  readonly deliver: (runId: string, events: readonly SseEvent[], replayed: boolean) => void;
  /** A cut stream was joined again. */
  readonly rejoined?: () => void;
}

/** A connection that stood for longer than this has lasted: the pauses begin anew. */
const longestPauseMs = 10_000;
const mostAttempts = 40;
/** What a joined stream sends right away happened before. */
const backlogMs = 500;
/** Nothing is received for so long: no fault, but a person wants to know that the stream is still connected. */
export const noticeableMs = 10_000;

/** Reads its stream, joins it again after a cut, and finds out how it ended. */
export class Follower {
  readonly runId: string;
  /** Epoch milliseconds. */
  lastEventAt: number;
  connected = false;
  /** How often it tried to connect since a connection lasted. */
  attempt = 0;
  readonly #parts: FollowerParts;
  readonly #aborter: AbortController;
  readonly #ids: EventIds;
  /** How many connections in a row brought nothing new. */
  #vain = 0;
  #received = false;
  #cut = false;
  #finished: Run | undefined;
  #connectedAt = Infinity;

  constructor(parts: FollowerParts, runId: string, aborter = new AbortController(), ids = new EventIds()) {
    this.#parts = parts;
    this.runId = runId;
    this.#aborter = aborter;
    this.#ids = ids;
    this.lastEventAt = parts.clock.now();
  }

  /** For how many milliseconds nothing was received, if that is noticeable. */
  get idleMs(): number | undefined {
    const idleMs = this.#parts.clock.now() - this.lastEventAt;
    return idleMs < noticeableMs ? undefined : idleMs;
  }

  /** Leaves the stream; the run goes on. */
  leave(): void {
    this.#aborter.abort();
  }

  /** The run is known to be over, though its stream is still open. */
  finish(run: Run): void {
    this.#finished = run;
    this.#aborter.abort();
  }

  /** A follower that goes on where this one left. */
  resumed(): Follower {
    const next = new Follower(this.#parts, this.runId, new AbortController(), this.#ids);
    next.#received = this.#received;
    next.#cut = true;
    return next;
  }

  /** Delivers all events, from an open stream or by joining the run; resolves when there are no more. */
  async follow(first?: EventBatches): Promise<FollowEnd> {
    let stream = first;
    for (;;) {
      const end = await this.#connection(stream);
      if (end !== undefined) return end;
      stream = undefined;
      if (this.#vain >= mostAttempts)
        return { kind: "failed", error: new Error("the run's stream can't be joined again") };
      this.attempt += 1;
      this.#vain += 1;
      this.#parts.onChange();
      if (await this.#pause()) return this.#left();
    }
  }

  /** One connection from its opening to its end; undefined when another one is needed. */
  async #connection(open: EventBatches | undefined): Promise<FollowEnd | undefined> {
    try {
      const stream = open ?? (await this.#join());
      await this.#drain(stream, open !== undefined);
    } catch (error) {
      if (this.#aborter.signal.aborted) return this.#left();
      if (open !== undefined || this.#received) this.#cut = true;
      const status = statusOf(error);
      if (status === 401 || status === 403) return { kind: "failed", error };
      if (status === undefined || isTransient(error)) return undefined;
    } finally {
      this.connected = false;
      if (this.#parts.clock.now() - this.#connectedAt > longestPauseMs) this.attempt = 0;
      this.#connectedAt = Infinity;
    }
    return this.#ending();
  }

  /** After a stream ended in good order only the run's status says whether that was all. */
  async #ending(): Promise<FollowEnd | undefined> {
    const { server, threadId } = this.#parts;
    try {
      const run = await server.runs.get(threadId, this.runId, { signal: this.#aborter.signal });
      if (isOver(run.status)) return { kind: "over", run, gap: this.#cut || this.#ids.gap };
      this.#cut ||= this.#received;
      return undefined;
    } catch (error) {
      if (this.#aborter.signal.aborted) return this.#left();
      const status = statusOf(error);
      if (status === 404) return { kind: "gone" };
      return status === 401 || status === 403 ? { kind: "failed", error } : undefined;
    }
  }

  async #join(): Promise<EventBatches> {
    const { server, threadId } = this.#parts;
    // Without ids a server can only send what comes from now on.
    const lastEventId = this.#received ? this.#ids.last : "-1";
    return server.runs.rejoin(threadId, this.runId, { lastEventId, signal: this.#aborter.signal });
  }

  async #drain(stream: EventBatches, first: boolean): Promise<void> {
    this.connected = true;
    this.#connectedAt = this.#parts.clock.now();
    this.#parts.onChange();
    if (!first && this.attempt > 0) this.#parts.rejoined?.();
    for await (const batch of stream.events) {
      this.#aborter.signal.throwIfAborted();
      const distinct = first || stream.isDistinct === true;
      if (distinct) this.#ids.note(batch);
      const fresh = distinct ? batch : this.#ids.fresh(batch);
      const events = first ? fresh : fresh.filter((event) => !isNotFound(event));
      this.lastEventAt = this.#parts.clock.now();
      const backlog = !first && !this.#cut && this.lastEventAt - this.#connectedAt < backlogMs;
      this.#received = true;
      if (events.length > 0) {
        this.#vain = 0;
        this.#parts.deliver(this.runId, events, backlog);
      }
      this.#cut ||= stream.isIncomplete?.() === true;
    }
  }

  #left(): FollowEnd {
    return this.#finished === undefined
      ? { kind: "left" }
      : { kind: "over", run: this.#finished, gap: this.#cut };
  }

  /** True when it was left meanwhile. */
  async #pause(): Promise<boolean> {
    const { clock } = this.#parts;
    const pauses = { firstMs: 500, mostMs: longestPauseMs, random: () => clock.random() };
    try {
      await clock.sleep(growingPause(this.attempt - 1, pauses), this.#aborter.signal);
    } catch {
      return true;
    }
    return this.#aborter.signal.aborted;
  }
}

/** No failure of the run: a server that lost it says so when it is joined, and whether it did is asked then. */
function isNotFound({ event, data }: SseEvent): boolean {
  return event === "error" && parseJson(data) === "Run not found";
}

/** The stream of a run whose id is known. */
export type NamedRun = EventBatches & { readonly runId: string };

/** A server that does not name the run in a header names it in the first event. */
export async function withRunId(stream: EventBatches): Promise<NamedRun> {
  if (stream.runId !== undefined) return { ...stream, runId: stream.runId };
  const batches = stream.events[Symbol.asyncIterator]();
  const first = await batches.next();
  const events = first.done === true ? [] : first.value;
  const data = parseJson(events.find(({ event }) => event === "metadata")?.data ?? "null");
  const runId = isObject(data) ? textOf(data["run_id"]) : undefined;
  if (runId !== undefined) return { ...stream, runId, events: continued(events, batches) };
  const failure = events.find(({ event }) => event === "error")?.data;
  throw new Error(
    failure === undefined
      ? "The server does not say which run it started."
      : failureText(parseJson(failure) ?? failure).text,
  );
}

async function* continued(
  first: readonly SseEvent[],
  rest: AsyncIterator<readonly SseEvent[]>,
): AsyncIterable<readonly SseEvent[]> {
  yield first;
  yield* { [Symbol.asyncIterator]: () => rest };
}

/** Servers count ids up, as "12" or as "1718000000000-3"; other ids are compared with all that were seen. */
export class EventIds {
  /** The id to go on from; undefined when no event had one. */
  last: string | undefined;
  /** Whether ids were left out: events are missing. */
  gap = false;
  readonly #opaque = new Set<string>();

  /** Notes the ids of events that are known to be new. */
  note(events: readonly SseEvent[]): void {
    for (let index = events.length - 1; index >= 0; index -= 1) {
      const id = events[index]?.id;
      if (id === undefined) continue;
      if (!isCounted(id)) for (const event of events) if (event.id !== undefined) this.#opaque.add(event.id);
      this.last = id;
      return;
    }
  }

  /** Those of the events that are new, after a re-join; notes them. */
  fresh(events: readonly SseEvent[]): readonly SseEvent[] {
    const fresh = events.filter(({ id }) => id === undefined || this.#isNew(id));
    if (numberOf(fresh[0]?.id) > numberOf(this.last) + 1) this.gap = true;
    this.note(fresh);
    return fresh;
  }

  #isNew(id: string): boolean {
    if (this.last === undefined) return true;
    if (!isCounted(id) || !isCounted(this.last)) return !this.#opaque.has(id) && id !== this.last;
    const [count, more] = parts(id);
    const [lastCount, lastMore] = parts(this.last);
    return count > lastCount || (count === lastCount && more > lastMore);
  }
}

/** NaN for an id that is more than a number, or none. */
function numberOf(id = ""): number {
  return /^\d+$/.test(id) ? Number(id) : NaN;
}

function isCounted(id: string): boolean {
  return /^\d{1,15}(-\d{1,15})?$/.test(id);
}

function parts(id: string): readonly [number, number] {
  const [count, more] = id.split("-");
  return [Number(count), Number(more ?? 0)];
}
