/**
 * Following something remote to its end: asked with growing pauses while transient failures are waited out, shown in
 * the Activity view, and remembered, so that it goes on after the window was reloaded.
 */

import { isGone } from "../../api/errors.ts";
import { poll, PollTimeout, realClock } from "../../api/poll.ts";
import type { Clock } from "../../api/retry.ts";
import { inBackground } from "../../api/turns.ts";
import type { Activity, ActivityEnd, ActivityOptions } from "./activityLog.ts";
import { KeptList, type Memory } from "./keptList.ts";
import { adviceFor } from "./remedies.ts";

/** What is remembered of a watch. */
export interface Watched {
  /** Epoch milliseconds. */
  readonly startedAt: number;
}

/** Why a watch is over: the thing itself ended, or it can't be watched any longer. */
export type WatchEnd = "over" | "gone" | "deadline" | "cancelled" | "refused";

/** What is known at one moment; `answer` is what the server said last. */
export type WatchState<Answer> =
  | { readonly kind: "asking"; readonly answer: Answer | undefined }
  | { readonly kind: "waiting"; readonly answer: Answer | undefined; readonly error: unknown }
  | WatchEnded<Answer>;

/** A watch that is over. */
export interface WatchEnded<Answer> {
  readonly kind: "ended";
  readonly end: WatchEnd;
  readonly answer: Answer | undefined;
  readonly error?: unknown;
}

/** What is watched, and how it is shown. */
export interface WatchKind<Target extends Watched, Answer> {
  /** Under which name targets are remembered. */
  readonly memoryName: string;
  keyOf(target: Target): string;
  /** Asks once; a transient failure is waited out. `leftMs` is the time until the deadline. */
  read(target: Target, signal: AbortSignal, leftMs: number): Promise<Answer>;
  isOver(answer: Answer): boolean;
  /** Whether things move between two answers: then it is asked soon again. */
  moved(before: Answer, now: Answer): boolean;
  /** How long after its start it is given up. */
  deadlineMs(): number;
  /** The first pause and the longest one; 2 s and 60 s unless given. */
  readonly pauses?: { readonly minMs: number; readonly maxMs: number };
  /** Its row in the Activity view, with the first step if that is known before the first answer. */
  row(
    target: Target,
  ): Pick<ActivityOptions, "title" | "connection" | "detail" | "open"> & { readonly step?: string };
  stepText(answer: Answer): string;
  endText(target: Target, ended: WatchEnded<Answer>): { readonly how: ActivityEnd; readonly message: string };
  /** Called after the start, each answer, each failure and the end. */
  changed(target: Target, state: WatchState<Answer>, before: WatchState<Answer> | undefined): void;
}

/** What watches need of the editor; tests bring a clock. */
export interface WatchHost {
  readonly activity: { begin(options: ActivityOptions): Row };
  readonly memory: Memory;
  readonly clock?: Clock;
}

type Row = Pick<Activity, "step" | "wait" | "finish">;

interface Watch<Target, Answer> {
  readonly target: Target;
  readonly stop: AbortController;
  readonly activity: Row;
  readonly ended: PromiseWithResolvers<WatchEnded<Answer>>;
  state: WatchState<Answer>;
}

/** All watches of one kind. */
export class Watches<Target extends Watched, Answer> {
  readonly #kind: WatchKind<Target, Answer>;
  readonly #host: WatchHost;
  readonly #clock: Clock;
  readonly #kept: KeptList<Target>;
  readonly #watches = new Map<string, Watch<Target, Answer>>();
  #disposed = false;

  constructor(kind: WatchKind<Target, Answer>, host: WatchHost) {
    this.#kind = kind;
    this.#host = host;
    this.#clock = host.clock ?? realClock;
    this.#kept = new KeptList(host.memory, kind.memoryName, (target) => kind.keyOf(target));
  }

  /** Goes on with what was watched when the window was closed or reloaded. */
  resume(): void {
    for (const target of this.#kept.items) this.#start(target);
  }

  /** Watches until the end; one that is watched already goes on. */
  begin(target: Target): void {
    const known = this.#watches.get(this.#kind.keyOf(target));
    if (known !== undefined && known.state.kind !== "ended") return;
    void this.#kept.keep(target);
    this.#start(target);
  }

  /** What is watched now. */
  get open(): readonly Target[] {
    return [...this.#watches.values()]
      .filter(({ state }) => state.kind !== "ended")
      .map(({ target }) => target);
  }

  /** What a watch knows, also after its end; undefined when this window had none. */
  state(key: string): WatchState<Answer> | undefined {
    return this.#watches.get(key)?.state;
  }

  /** Resolves at the end; undefined when there is no watch. Rejects when the window is closed before. */
  async ended(key: string): Promise<WatchEnded<Answer> | undefined> {
    return this.#watches.get(key)?.ended.promise;
  }

  /** Ends the watch, not what is watched. */
  cancel(key: string): void {
    const watch = this.#watches.get(key);
    if (watch === undefined || watch.state.kind === "ended") return;
    this.#set(watch, { kind: "ended", end: "cancelled", answer: watch.state.answer });
    watch.stop.abort();
  }

  /** What is watched stays remembered for the next window. */
  dispose(): void {
    this.#disposed = true;
    for (const { stop, ended } of this.#watches.values()) {
      stop.abort();
      ended.reject(stop.signal.reason);
    }
  }

  #start(target: Target): void {
    const key = this.#kind.keyOf(target);
    const { step, ...row } = this.#kind.row(target);
    const watch: Watch<Target, Answer> = {
      target,
      stop: new AbortController(),
      activity: this.#host.activity.begin({
        ...row,
        startedAt: target.startedAt,
        cancel: () => this.cancel(key),
      }),
      ended: Promise.withResolvers(),
      state: { kind: "asking", answer: undefined },
    };
    watch.ended.promise.catch(() => undefined);
    this.#watches.set(key, watch);
    if (step !== undefined) watch.activity.step(step);
    this.#kind.changed(target, watch.state, undefined);
    void inBackground(() => this.#follow(watch));
  }

  async #follow(watch: Watch<Target, Answer>): Promise<void> {
    const { target, stop } = watch;
    const { signal } = stop;
    const kind = this.#kind;
    const deadline = target.startedAt + kind.deadlineMs();
    const leftMs = (): number => Math.max(0, deadline - this.#clock.now());
    const ask = async (): Promise<Answer> => {
      const answer = await kind.read(target, signal, leftMs());
      if (!kind.isOver(answer)) this.#set(watch, { kind: "asking", answer });
      return answer;
    };
    const onTransient = (error: unknown): void =>
      this.#set(watch, { kind: "waiting", answer: watch.state.answer, error });
    try {
      const answer = await poll(ask, {
        until: (now) => kind.isOver(now),
        moved: (before, now) => kind.moved(before, now),
        onTransient,
        signal,
        deadlineMs: leftMs(),
        ...kind.pauses,
        clock: this.#clock,
      });
      this.#set(watch, { kind: "ended", end: "over", answer });
    } catch (error) {
      this.#set(watch, { kind: "ended", end: endOf(error), answer: watch.state.answer, error });
    }
  }

  #set(watch: Watch<Target, Answer>, state: WatchState<Answer>): void {
    const { target, activity, state: before } = watch;
    if (this.#disposed || before.kind === "ended") return;
    watch.state = state;
    if (state.answer !== undefined && state.kind !== "waiting")
      activity.step(this.#kind.stepText(state.answer));
    if (state.kind === "waiting") activity.wait(`Waiting: ${adviceFor(state.error).message}`);
    if (state.kind === "ended") {
      const { how, message } = this.#kind.endText(target, state);
      activity.finish(how, message);
      void this.#kept.forget(this.#kind.keyOf(target));
    }
    this.#kind.changed(target, state, before);
    if (state.kind === "ended") watch.ended.resolve(state);
  }
}

function endOf(error: unknown): WatchEnd {
  if (error instanceof PollTimeout) return "deadline";
  return isGone(error) ? "gone" : "refused";
}
