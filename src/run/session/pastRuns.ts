/**
 * The runs of a thread that are over: what they streamed, and what their subgraphs did. That is read of the newest when
 * the thread is opened, and of others when they come in sight: it takes several requests for each.
 */

import type { SseEvent } from "../../api/exchange.ts";
import type { Run } from "../../api/agentServer/wire.ts";
import type { Earlier } from "../panel/messages.ts";
import { ThreadHistory } from "./history.ts";
import type { SessionParts } from "./server.ts";

/** How many of the newest are read at once. */
const mostAtOpening = 2;
const atOnce = 4;
const longestReplayMs = 20_000;

/** A run, and what it streamed, which is on its way. */
type Replay = readonly [run: Run, events: Promise<readonly SseEvent[]>];

/** Reads each of them once. */
export class PastRuns {
  readonly history: ThreadHistory;
  readonly #parts: SessionParts;
  readonly #known = new Map<string, Run>();
  readonly #wanted = new Set<string>();
  /** The newest replays, at most as many as go on at once. */
  readonly #latest: Promise<unknown>[] = [];
  #readingEarlier = false;

  constructor(parts: SessionParts) {
    this.#parts = parts;
    const isWanted = (runId: string): boolean => this.#wanted.has(runId) || parts.fold.isFollowed(runId);
    this.history = new ThreadHistory(parts, isWanted);
  }

  /** Takes runs that are over and that nobody follows; the newest of them are read from now on. */
  begin(over: readonly Run[]): readonly Replay[] {
    const { fold } = this.#parts;
    for (const run of over) {
      const { run_id: runId } = run;
      this.#known.set(runId, run);
      if (!fold.hasEvents(runId) && !isResumable(run)) fold.noteLost(runId);
      if (!this.#wanted.has(runId) && !fold.hasEvents(runId)) fold.setUnread(runId, true);
    }
    return this.#replays(over.slice(-mostAtOpening).map(({ run_id: runId }) => runId));
  }

  /** Folds what they streamed, in their order. */
  async fold(replays: readonly Replay[]): Promise<void> {
    for (const [{ run_id: runId }, events] of replays) this.#fold(runId, await events);
  }

  /** Whether the server may keep steps of earlier runs that were not read. */
  get earlier(): Earlier {
    if (this.#readingEarlier) return "reading";
    return this.history.hasEarlier ? "more" : "none";
  }

  /** Reads more of what the server keeps of earlier runs, but for those that are followed. */
  async readEarlier(isFollowed: (runId: string) => boolean): Promise<void> {
    if (this.#readingEarlier) return;
    const { onChange } = this.#parts;
    this.#readingEarlier = true;
    onChange();
    try {
      await this.history.readEarlier(isFollowed);
    } finally {
      this.#readingEarlier = false;
      onChange();
    }
  }

  /** Says once that what others do is not shown by itself. */
  noteUnfollowed(): void {
    const text =
      "This thread is too large to be followed here: its server tells changes only by the whole state. What others do is shown when it is opened anew.";
    this.history.noteOnce({ level: "info", text });
    this.#parts.onChange();
  }

  /** Reads those of the runs that were not read, as they come in sight; what was given up ends without a word. */
  async read(runIds: readonly string[]): Promise<void> {
    const { fold, signal, onChange } = this.#parts;
    const replays = this.#replays(runIds);
    if (replays.length === 0) return;
    const ids = new Set(replays.map(([{ run_id: runId }]) => runId));
    try {
      await this.history.readSubgraphs(ids);
      for (const [{ run_id: runId, status }, replay] of replays) {
        const events = await replay;
        this.#asWaits(() => this.#fold(runId, events));
        fold.settle(runId, status);
      }
    } catch (error) {
      if (!signal.aborted) throw error;
      return;
    }
    this.#asWaits(() => this.history.refold((runId) => ids.has(runId)));
    for (const runId of ids) fold.noteLostFailure(runId);
    onChange();
  }

  /**
   * Closes questions of runs that are over, as they were answered or left behind since, except those that are known
   * to wait.
   */
  #asWaits(fold: () => void): void {
    const { interrupts } = this.#parts.fold;
    const open = new Set(interrupts.open().map(({ id }) => id));
    fold();
    interrupts.closeBut(open);
  }

  #fold(runId: string, events: readonly SseEvent[]): void {
    const { fold, clock, onChange } = this.#parts;
    if (!fold.hasEvents(runId)) {
      fold.run(runId).apply(events, clock.now(), true);
      if (events.length === 0) fold.noteLost(runId);
    }
    fold.setUnread(runId, false);
    onChange();
  }

  /** Asks for what runs streamed that was not asked for before, some at a time. */
  #replays(runIds: readonly string[]): readonly Replay[] {
    const { fold } = this.#parts;
    const wanted = [...new Set(runIds)].filter((runId) => !this.#wanted.has(runId));
    const runs = wanted.flatMap((runId) => this.#known.get(runId) ?? []);
    return runs.map((run) => {
      const { run_id: runId } = run;
      this.#wanted.add(runId);
      const isKept = !fold.hasEvents(runId) && !fold.isLost(runId);
      return [run, isKept ? this.#inTurn(() => this.#replay(run)) : Promise.resolve([])];
    });
  }

  /** Limits how many runs are replayed at once, since streams take no turn of requests. */
  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const before = this.#latest.length < atOnce ? undefined : this.#latest.shift();
    const done = (before ?? Promise.resolve()).then(work);
    // A failure is thrown where the result is awaited.
    this.#latest.push(done.catch(() => undefined));
    return done;
  }

  /** All events of a run; what came before a failure, or before it took too long. */
  async #replay({ run_id: runId }: Run): Promise<readonly SseEvent[]> {
    const { server, clock, threadId, signal } = this.#parts;
    const events: SseEvent[] = [];
    const enough = new AbortController();
    const either = AbortSignal.any([signal, enough.signal]);
    const deadline = clock.sleep(longestReplayMs, either).then(
      () => enough.abort(),
      () => undefined,
    );
    try {
      const options = { lastEventId: "-1", signal: either };
      const stream = await server.runs.rejoin(threadId, runId, options);
      for await (const batch of stream.events) for (const event of batch) events.push(event);
    } catch {
      signal.throwIfAborted();
    }
    enough.abort();
    await deadline;
    return events;
  }
}

/** A run that is known not to keep its events has nothing to replay; servers spell it in two ways, or not at all. */
function isResumable({ kwargs }: Run): boolean {
  return kwargs?.["resumable"] !== false && kwargs?.["stream_resumable"] !== false;
}
