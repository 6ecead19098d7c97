/** Polls one thread for changes by a small request, while somebody sees it. */

import { isGone } from "../../api/errors.ts";
import type { Clock } from "../../api/retry.ts";
import { inBackground } from "../../api/turns.ts";
import { type PollResult, PollSchedule, retryAfter } from "../kit/fetching/pollSchedule.ts";
import type { ThreadVersion } from "./servers/threadHost.ts";

/** Whose thread it is, and what is done when something happened to it. */
export interface ThreadWatchOptions {
  /** What the server says of the thread; undefined where it can't be asked by a small request. */
  read(signal: AbortSignal): Promise<ThreadVersion | undefined>;
  /** "follows": changes arrive by a stream. "busy": not now. */
  state(): "polls" | "follows" | "busy";
  /** After it followed by itself: whether this is more than it has received. */
  isNews(version: ThreadVersion, signal: AbortSignal): Promise<boolean>;
  /** Reads the thread anew. */
  renew(): Promise<unknown>;
  readonly clock: Clock;
  slowestMs(): number;
}

const fastestMs = 2000;
const nothing: PollResult = { changed: false, busy: false };

/** Has no timer while nobody sees the thread. */
export class ThreadWatch {
  readonly #options: ThreadWatchOptions;
  readonly #schedule: PollSchedule;
  readonly #gone = new AbortController();
  /** What was read last, as text; undefined when the next reading says nothing of what happened before. */
  #known: string | undefined;

  constructor(options: ThreadWatchOptions) {
    this.#options = options;
    const poll = (signal: AbortSignal) => this.#poll(signal);
    this.#schedule = new PollSchedule(
      poll,
      () => fastestMs,
      options.clock,
      () => options.slowestMs(),
    );
  }

  /** The thread is about to be read, or was read when it had this version: what changes from then on is news. */
  start(known?: ThreadVersion): void {
    const read = async (): Promise<void> => {
      const version = known ?? (await this.#options.read(this.#gone.signal).catch(() => undefined));
      if (version !== undefined) this.#known ??= textOf(version);
    };
    void inBackground(read);
  }

  /** Whether somebody can see what is shown of the thread. */
  watch(seen: boolean): void {
    this.#schedule.watch(seen);
  }

  /** Something is going on: it is asked about again soon. */
  hurry(): void {
    if (this.#options.state() === "follows") this.#known = undefined;
    this.#schedule.hurry();
  }

  dispose(): void {
    this.#gone.abort();
    this.#schedule.dispose();
  }

  async #poll(signal: AbortSignal): Promise<PollResult> {
    const options = this.#options;
    if (options.state() === "follows") this.#known = undefined;
    if (options.state() !== "polls") return { changed: false, busy: true };
    try {
      const version = await options.read(signal);
      if (version === undefined || signal.aborted || options.state() !== "polls") return nothing;
      const text = textOf(version);
      const isNew = this.#known === undefined ? await options.isNews(version, signal) : this.#known !== text;
      // What could not be read anew is still news the next time.
      if (isNew) await options.renew();
      this.#known = text;
      return { changed: isNew, busy: version.status === "busy" };
    } catch (error) {
      return { ...nothing, retryAfterMs: retryAfter(error) };
    }
  }
}

/** What a thread is that the server does not have any more. */
export function goneVersion(error: unknown): ThreadVersion {
  if (isGone(error)) return { status: "gone", updatedAt: "" };
  throw error;
}

function textOf({ status, updatedAt }: ThreadVersion): string {
  return `${status} ${updatedAt}`;
}
