/** The runs of a thread that go on: started, followed, left, joined again, stopped. */

import type { SseEvent } from "../../api/exchange.ts";
import type { Run, RunCreate, StreamMode } from "../../api/agentServer/wire.ts";
import { type FollowEnd, Follower, type NamedRun, withRunId } from "./follower.ts";
import type { ThreadHistory } from "./history.ts";
import { foldThread, openStarted, readSince, runFacts } from "./hydration.ts";
import type { Failure, SessionState } from "../panel/messages.ts";
import { followable } from "./runBody.ts";
import {
  type EventBatches,
  type SentAnswer,
  type SessionParts,
  statusOf,
  stopRun,
  type ThreadNow,
} from "./server.ts";
import { growingPause } from "../../api/retry.ts";
import { stateError } from "../fold/threadState.ts";
import { SilenceWatch } from "./silenceWatch.ts";
import { strandedText } from "./strandedRun.ts";

/** Three seconds in all. */
const lastEventPauses = { firstMs: 100, mostMs: 1600 };

/** Starts and follows them; several can go on in one thread. */
export class ActiveRuns {
  readonly #parts: SessionParts;
  readonly #history: ThreadHistory;
  readonly #followed = new Map<string, Follower>();
  readonly #left = new Map<string, Follower>();
  #stopping: string | undefined;
  #version = 0;
  #newest: string | undefined;
  #failure: Failure | undefined;
  #gone = false;
  readonly #silence: SilenceWatch;

  constructor(parts: SessionParts, history: ThreadHistory) {
    this.#parts = parts;
    this.#silence = new SilenceWatch(parts, () => [...this.#followed.values()]);
    this.#history = history;
    parts.signal.addEventListener("abort", () => this.#followed.forEach((follower) => follower.leave()));
  }

  /** Undefined when nothing goes on. */
  get state(): SessionState | undefined {
    if (this.#stopping !== undefined) return { kind: "stopping", runId: this.#stopping };
    const follower = [...this.#followed.values()].at(-1);
    if (follower !== undefined && !follower.connected && follower.attempt > 0) {
      return { kind: "reconnecting", runId: follower.runId, attempt: follower.attempt };
    }
    if (follower !== undefined) {
      const { runId, idleMs } = follower;
      const { stranded } = this.#silence;
      return {
        ...{ kind: "streaming", runId },
        ...(idleMs !== undefined && { idleMs }),
        ...(stranded !== undefined && {
          stranded: { text: strandedText(stranded), next: stranded.next },
        }),
      };
    }
    if (this.#failure !== undefined) return { kind: "failed", ...this.#failure };
    const left = [...this.#left.keys()].at(-1);
    return left === undefined ? undefined : { kind: "detached", runId: left };
  }

  get canRejoin(): boolean {
    return this.#left.size > 0;
  }

  /** Starts a run and follows it; rejects when the server refused it. */
  async start(asked: RunCreate, streamModes: readonly StreamMode[]): Promise<void> {
    const { server, threadId, fold } = this.#parts;
    const body = { ...asked, ...followable, stream_mode: streamModes };
    const aborter = new AbortController();
    const known = fold.runIds();
    let opened: NamedRun;
    try {
      const signal = AbortSignal.any([aborter.signal, this.#parts.signal]);
      opened = await withRunId(await server.runs.stream(threadId, body, { signal }));
    } catch (error) {
      aborter.abort();
      // Without an answer it isn't known whether the run was started: it is looked for, never sent twice.
      if (statusOf(error) !== undefined || !(await this.#findStarted(body))) throw error;
      return;
    }
    this.#begin(body, opened, aborter, known.has(opened.runId));
  }

  /** Follows a run that was started before there was a session; rejects when it turns out that none was. */
  async adopt({ body, stream, aborter }: SentAnswer): Promise<void> {
    this.#begin(body, await withRunId(stream), aborter, false);
  }

  /** Whether a run is followed, or was until somebody left it. */
  readonly follows = (runId: string): boolean => this.#followed.has(runId) || this.#left.has(runId);

  /** The run that was followed last, or still is: what happened before its end was seen. */
  get newest(): string | undefined {
    return this.#newest;
  }

  /** Counts up whenever a run is followed or ends: what was read of the thread before may be out of date. */
  get version(): number {
    return this.#version;
  }

  /** Joins a run that goes on. */
  join(runId: string): void {
    this.#follow(this.#follower(runId));
  }

  detach(): void {
    for (const follower of this.#followed.values()) {
      this.#left.set(follower.runId, follower);
      follower.leave();
    }
    this.#followed.clear();
    this.#parts.onChange();
  }

  /** Joins the runs that were left, where they were left. */
  reattach(): void {
    this.#failure = undefined;
    const left = [...this.#left.values()];
    this.#left.clear();
    for (const follower of left) this.#follow(follower.resumed());
  }

  /** Stops all runs; resolves when the server did, or did not for too long, and rejects when it refused to stop one. */
  async stop(): Promise<void> {
    // The newest first, so that a run that waits for its turn does not start.
    const active = [...this.#left.values(), ...this.#followed.values()].reverse();
    this.#stopping = active[0]?.runId;
    this.#parts.onChange();
    const failures: unknown[] = [];
    try {
      for (const follower of active)
        await this.#stopOne(follower).catch((error: unknown) => failures.push(error));
      if (failures.length > 0) throw failures[0];
    } finally {
      this.#stopping = undefined;
      this.#parts.onChange();
    }
  }

  /** Says once that the thread was deleted elsewhere. */
  noteGone(): void {
    if (this.#gone) return;
    this.#gone = true;
    const text =
      "This thread is not on the server any more. The transcript stays here; start a new thread to go on.";
    this.#parts.fold.notice({ level: "error", text });
  }

  async #stopOne(follower: Follower): Promise<void> {
    const run = await stopRun(this.#parts, follower.runId);
    const { fold } = this.#parts;
    if (run === undefined) {
      const text = "The server has not stopped the run yet; it may go on.";
      fold.notice({ level: "warning", text }, follower.runId);
    } else if (this.#followed.has(follower.runId)) await this.#lastEvents(follower, run);
    else {
      this.#left.delete(follower.runId);
      await this.#settle(run, true);
    }
  }

  /** A stream ends soon after its run; one that does not is left. */
  async #lastEvents(follower: Follower, run: Run): Promise<void> {
    for (let attempt = 0; attempt < 5 && this.#followed.has(run.run_id); attempt++) {
      await this.#parts.clock.sleep(growingPause(attempt, lastEventPauses), this.#parts.signal);
    }
    follower.finish(run);
  }

  #begin(body: RunCreate, opened: NamedRun, aborter: AbortController, wasKnown: boolean): void {
    const { fold, clock } = this.#parts;
    const { runId } = opened;
    if (!wasKnown && (this.follows(runId) || fold.hasEvents(runId))) {
      // Loading the thread found it first, and brings all of it.
      aborter.abort();
      return;
    }
    const { assistant_id: assistantId, multitask_strategy: strategy } = body;
    const facts = { runId, assistantId, status: "pending", startedAt: clock.now() };
    const resume = body.command?.resume;
    fold.open({ ...facts, ...(strategy !== undefined && { strategy }) }, body.input, { resume });
    this.#failure = undefined;
    this.#follow(this.#follower(runId, aborter), opened);
  }

  #follower(runId: string, aborter = new AbortController()): Follower {
    const { clock, fold, onChange } = this.#parts;
    const deliver = (id: string, events: readonly SseEvent[], replayed: boolean): void => {
      fold.run(id).apply(events, clock.now(), replayed);
      onChange();
    };
    const rejoined = (): void => void this.#silence.hurry();
    return new Follower({ ...this.#parts, deliver, rejoined }, runId, aborter);
  }

  #follow(follower: Follower, stream?: EventBatches): void {
    this.#version += 1;
    this.#newest = follower.runId;
    this.#followed.set(follower.runId, follower);
    this.#parts.onChange();
    void this.#silence.watch();
    const ended = follower.follow(stream).then((end) => this.#ended(follower, end));
    ended.catch((error: unknown) => this.#unended(follower.runId, error));
  }

  async #ended(follower: Follower, end: FollowEnd): Promise<void> {
    if (end.kind === "left") return;
    this.#version += 1;
    if (end.kind === "over") await this.#settle({ ...end.run, run_id: follower.runId }, end.gap);
    else if (end.kind === "gone") await this.#lost(follower.runId);
    else {
      this.#left.set(follower.runId, follower);
      const { message, actions } = this.#parts.describe(end.error);
      const again = { title: "Attach", action: "retry" } as const;
      this.#failure = { message, actions: actions.length === 0 ? [again] : actions };
    }
    if (this.#followed.get(follower.runId) === follower) this.#followed.delete(follower.runId);
    this.#parts.onChange();
  }

  /** What a server answers can be of any kind: the run is followed no more, whatever that was. */
  #unended(runId: string, error: unknown): void {
    const { fold, describe, signal, onChange } = this.#parts;
    this.#followed.delete(runId);
    if (signal.aborted) return;
    const text = `How the run ended could not be read: ${describe(error).message}`;
    fold.notice({ level: "warning", text }, runId);
    onChange();
  }

  /** The run is over: the thread's state completes what its stream brought. */
  async #settle(run: Run, gap: boolean): Promise<void> {
    const { fold, clock } = this.#parts;
    const runId = run.run_id;
    fold.interrupts.ended(runId, run.status);
    const now = await this.#thread(runId);
    if (now !== undefined) {
      const { state } = now;
      const changes = foldThread(this.#parts, now);
      if (gap && changes > 0) {
        const text = `The stream was interrupted and events are missing; ${changes} ${changes === 1 ? "message" : "messages"} came from the thread's state.`;
        fold.notice({ level: "warning", text }, runId);
      }
      if (run.status === "error" && !fold.hasFailed(runId)) {
        fold.noteFailure(runId, stateError(state) ?? "The run failed; the server does not say why.");
      }
    }
    fold.settle(runId, run.status, runFacts(run), clock.now());
    if (now !== undefined)
      await this.#history.read([run], now.state, (id) => id !== runId && this.follows(id));
  }

  /** The run is gone, or the whole thread is. */
  async #lost(runId: string): Promise<void> {
    const { fold, clock } = this.#parts;
    const now = await this.#thread(runId);
    if (now !== undefined) {
      fold.notice({ level: "warning", text: "The server has deleted this run." }, runId);
      foldThread(this.#parts, now);
    }
    fold.settle(runId, "interrupted", {}, clock.now());
  }

  /** The thread after a run; undefined when it can't be read. */
  async #thread(runId: string): Promise<ThreadNow | undefined> {
    const { signal, fold, describe } = this.#parts;
    try {
      return await readSince(this.#parts);
    } catch (error) {
      if (signal.aborted) return undefined;
      if (statusOf(error) === 404) this.noteGone();
      else {
        const text = `The thread's state could not be read: ${describe(error).message}`;
        fold.notice({ level: "warning", text }, runId);
      }
      return undefined;
    }
  }

  /** Follows the run that was asked for, if it was started after all. */
  async #findStarted(body: RunCreate): Promise<boolean> {
    const runId = await openStarted(this.#parts, body).catch(() => undefined);
    if (runId !== undefined) this.join(runId);
    return runId !== undefined;
  }
}
