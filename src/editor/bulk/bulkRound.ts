/**
 * A part of work on many things: each is looked at, changed once and followed to its end. What is written down before a
 * request leaves tells afterwards, in any window, whether it may have been done.
 */

import { ApiError, isGone, isUnanswered } from "../../api/errors.ts";
import { type Clock, growingPause } from "../../api/retry.ts";
import { adviceFor } from "../kit/remedies.ts";
import type { BulkItem, BulkJob, Pace } from "./bulkJob.ts";

/** What became of a request. */
export interface Made {
  /** What was begun, which is followed; undefined where nothing is left to follow. */
  readonly made?: string | undefined;
  readonly said?: string;
}

/**
 * What was found out about a request whose answer was lost: it was done, or it was not, with what changed of the item.
 */
export type Checked<Item> = { readonly done: Made } | { readonly not: Partial<Item> };

/** How a kind of work is done to one thing. */
export interface BulkWork<Item extends BulkItem> {
  /** Checks the item and gives what sends its request. Throws LeftOut for one that must not be changed. */
  prepare(item: Item): Promise<() => Promise<Made>>;
  checkSent(item: Item): Promise<Checked<Item>>;
  /** Waits until what was begun has ended. */
  follow(item: Item, signal: AbortSignal): Promise<{ readonly isDone: boolean; readonly said: string }>;
}

/** Why a thing is not touched, as one sentence. */
export class LeftOut extends Error {
  override readonly name = "LeftOut";
}

const deleted = "It was deleted elsewhere.";

/** What a round works with. */
export interface BulkPorts<Item extends BulkItem> {
  readonly work: BulkWork<Item>;
  /** Why nothing may be sent there any more, as one sentence. */
  hindrance(connectionId: string): string | undefined;
  /** Keeps how far one item is; its next request waits for that. */
  save(job: BulkJob<Item>, index: number): Promise<void>;
  readonly clock: Pick<Clock, "now" | "sleep">;
}

/** How much is done. */
export interface RoundOptions {
  /** How many are begun at most. */
  readonly most: number;
  readonly pace: Pace;
  /** Nothing is begun after it; what is on its way goes on without being followed. */
  readonly signal: AbortSignal;
}

/** Begins what waits, until something fails; the answer is the job as it is then. */
export async function bulkRound<Item extends BulkItem>(
  job: BulkJob<Item>,
  ports: BulkPorts<Item>,
  options: RoundOptions,
): Promise<BulkJob<Item>> {
  const round = new Round(job, ports, options);
  await round.run();
  return round.job;
}

/** For so long a server may want fewer requests. */
const longestWaitMs = 300_000;
const pauses = { firstMs: 5000, mostMs: 30_000 };

class Round<Item extends BulkItem> {
  job: BulkJob<Item>;
  readonly #ports: BulkPorts<Item>;
  readonly #options: RoundOptions;
  readonly #taken = new Set<number>();
  /** Connections to which nothing more is sent. */
  readonly #held = new Set<string>();
  #begun = 0;
  #failedInRow = 0;
  #nextAt = 0;
  #isHalted = false;
  #saved: Promise<void> = Promise.resolve();

  constructor(job: BulkJob<Item>, ports: BulkPorts<Item>, options: RoundOptions) {
    this.job = job;
    this.#ports = ports;
    this.#options = options;
  }

  async run(): Promise<void> {
    for (const [index, { state }] of this.job.items.entries())
      if (state === "sending") await this.#checkSent(index, "The window was closed before the answer came.");
    const workers = Array.from({ length: this.#options.pace.atOnce }, () => this.#work());
    await Promise.all(workers);
    await this.#saved;
  }

  async #work(): Promise<void> {
    for (let index = this.#next(); index !== undefined; index = this.#next()) {
      this.#taken.add(index);
      if (this.#item(index).state === "waiting") await this.#send(index);
      if (this.#item(index).state === "sent") await this.#follow(index);
    }
  }

  /** What is on its way already comes first: it counts among those that are followed at once. */
  #next(): number | undefined {
    const { items } = this.job;
    const sent = items.findIndex(({ state }, index) => state === "sent" && !this.#taken.has(index));
    if (sent >= 0) return sent;
    if (this.#isHalted || this.#options.signal.aborted || this.#begun >= this.#options.most) return undefined;
    const waiting = items.findIndex(
      ({ state, connectionId }, index) =>
        state === "waiting" && !this.#taken.has(index) && !this.#held.has(connectionId),
    );
    if (waiting < 0) return undefined;
    this.#begun += 1;
    return waiting;
  }

  async #send(index: number): Promise<void> {
    const hindrance = this.#ports.hindrance(this.#item(index).connectionId);
    if (hindrance !== undefined) return this.#hold(index, hindrance);
    try {
      await this.#turn();
      const send = await this.#withinLimits(() => this.#ports.work.prepare(this.#item(index)));
      await this.#set(index, { state: "sending", said: "" });
      await this.#sent(index, await this.#withinLimits(send));
    } catch (error) {
      await this.#notSent(index, error);
    }
  }

  /** Waits until the next one may begin. */
  async #turn(): Promise<void> {
    const { clock } = this.#ports;
    const { pace, signal } = this.#options;
    const at = Math.max(clock.now(), this.#nextAt);
    this.#nextAt = at + pace.everyMs;
    if (at > clock.now()) await clock.sleep(at - clock.now(), signal);
  }

  /** A server that wants fewer requests has not done what it was asked. */
  async #withinLimits<T>(ask: () => Promise<T>): Promise<T> {
    const { signal } = this.#options;
    for (let attempt = 0, waitedMs = 0; ; attempt++) {
      try {
        return await ask();
      } catch (error) {
        const isLimit = error instanceof ApiError && error.kind === "rateLimited";
        if (!isLimit || waitedMs >= longestWaitMs || signal.aborted) throw error;
        const pauseMs = error.retryAfterMs ?? growingPause(attempt, pauses);
        waitedMs += pauseMs;
        await this.#ports.clock.sleep(pauseMs, signal);
      }
    }
  }

  async #sent(index: number, { made, said = "" }: Made): Promise<void> {
    if (made === undefined) await this.#set(index, { state: "done", said });
    else await this.#set(index, { state: "sent", made, said });
  }

  async #notSent(index: number, error: unknown): Promise<void> {
    const { message, blockedBy } = adviceFor(error);
    if (error instanceof LeftOut) return this.#leave(index, error.message);
    const isSending = this.#item(index).state === "sending";
    // What was sent before it was stopped is checked when it goes on.
    if (this.#options.signal.aborted && !(error instanceof ApiError)) return;
    if (!(error instanceof ApiError)) return this.#hold(index, message);
    if (isGone(error)) return this.#leave(index, deleted);
    const mayBeDone = error.kind === "rateLimited" || isUnanswered(error);
    if (mayBeDone && isSending) return this.#checkSent(index, message);
    if (blockedBy !== undefined) return this.#hold(index, message);
    this.#isHalted = true;
    await this.#set(index, { state: mayBeDone ? "waiting" : "failed", said: message });
  }

  /** Looks whether a request was done whose answer never came. */
  async #checkSent(index: number, why: string): Promise<void> {
    this.#isHalted ||= this.#begun > 0;
    try {
      const checked = await this.#withinLimits(() => this.#ports.work.checkSent(this.#item(index)));
      if ("done" in checked) await this.#sent(index, checked.done);
      else
        await this.#set(index, {
          ...checked.not,
          state: "waiting",
          said: `${why} It was not done.`,
        });
    } catch (error) {
      if (error instanceof LeftOut) return this.#set(index, { state: "left", said: error.message });
      if (isGone(error)) return this.#set(index, { state: "left", said: deleted });
      this.#held.add(this.#item(index).connectionId);
      const { message } = adviceFor(error);
      await this.#set(index, { said: `${why} Whether it was done is not known: ${message}` });
    }
  }

  async #follow(index: number): Promise<void> {
    const { signal, pace } = this.#options;
    try {
      const { isDone, said } = await this.#ports.work.follow(this.#item(index), signal);
      await this.#set(index, { state: isDone ? "done" : "failed", said });
      this.#failedInRow = isDone ? 0 : this.#failedInRow + 1;
      this.#isHalted ||= this.#failedInRow >= pace.mostFailures;
    } catch (error) {
      if (signal.aborted) return;
      this.#isHalted = true;
      await this.#set(index, { said: adviceFor(error).message });
    }
  }

  /** It is not touched any more; another one is begun in its place. */
  async #leave(index: number, said: string): Promise<void> {
    this.#begun -= 1;
    await this.#set(index, { state: "left", said });
  }

  /** Nothing more goes to the connection; what waits there can be gone on with later. */
  async #hold(index: number, said: string): Promise<void> {
    const { connectionId } = this.#item(index);
    this.#begun -= 1;
    this.#held.add(connectionId);
    await this.#set(index, { state: "waiting", said });
    for (const [other, item] of this.job.items.entries())
      if (item.connectionId === connectionId && item.state === "waiting" && item.said !== said)
        await this.#set(other, { said });
  }

  #item(index: number): Item {
    const item = this.job.items[index];
    if (item === undefined) throw new RangeError(`no item ${String(index)}`);
    return item;
  }

  /** Written down one after another, so that the file never goes back. */
  #set(index: number, change: Partial<Item> | Partial<BulkItem>): Promise<void> {
    const item = { ...this.#item(index), ...change };
    const job = { ...this.job, items: this.job.items.with(index, item) };
    this.job = job;
    this.#saved = this.#saved.then(() => this.#ports.save(job, index));
    return this.#saved;
  }
}
