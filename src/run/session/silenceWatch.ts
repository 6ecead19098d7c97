/**
 * Watches streams that are silent: notifies every ten seconds, and checks now and then whether the server lost the run.
 */

import { noticeableMs } from "./follower.ts";
import type { SessionParts } from "./server.ts";
import { findStranded, type StrandedRun } from "./strandedRun.ts";

/** What is known of a stream that is followed. */
interface Followed {
  readonly connected: boolean;
  /** Undefined where something came lately. */
  readonly idleMs: number | undefined;
  /** Epoch milliseconds. */
  readonly lastEventAt: number;
}

const longestPauseMs = 300_000;
/** Models think for minutes: where silence is the only sign, it has to last this long. */
const tellingMs = 300_000;

/** The watch of one thread. */
export class SilenceWatch {
  readonly #parts: SessionParts;
  readonly #followed: () => readonly Followed[];
  #watching = false;
  #stranded: StrandedRun | undefined;
  /** When something came last, as it was found to be stranded. */
  #heardAt = 0;
  /** The silence in milliseconds after which it is checked next. */
  #nextMs = 0;

  constructor(parts: SessionParts, followed: () => readonly Followed[]) {
    this.#parts = parts;
    this.#followed = followed;
  }

  /** A run that seems to be carried on by nobody. */
  get stranded(): StrandedRun | undefined {
    return this.#followed().length === 0 ? undefined : this.#stranded;
  }

  /** Watches as long as anything is followed; once is enough. */
  async watch(): Promise<void> {
    const { clock, signal, onChange } = this.#parts;
    if (this.#watching) return;
    this.#watching = true;
    try {
      while (this.#followed().length > 0) {
        await clock.sleep(noticeableMs, signal);
        await this.#check();
        if (this.#followed().some(({ idleMs }) => idleMs !== undefined)) onChange();
      }
    } catch {
      // The session is over.
    } finally {
      this.#watching = false;
    }
  }

  /** Checks at once, because a cut stream was joined again: its server may have been restarted. */
  async hurry(): Promise<void> {
    await this.#find(0);
    if (this.#stranded !== undefined) this.#parts.onChange();
  }

  async #check(): Promise<void> {
    const silences = this.#followed().map(({ connected, idleMs = 0 }) => (connected ? idleMs : 0));
    const ms = silences.length === 0 ? 0 : Math.min(...silences);
    if (ms === 0) {
      if (this.#lastEventAt > this.#heardAt) this.#stranded = undefined;
      this.#nextMs = 0;
    }
    if (ms === 0 || ms < this.#nextMs) return;
    this.#nextMs = ms + Math.min(ms, longestPauseMs);
    await this.#find(ms);
  }

  /** A server that can't be asked now is no sign. */
  async #find(silentMs: number): Promise<void> {
    const heardAt = this.#lastEventAt;
    const found = await findStranded(this.#parts).catch(() => undefined);
    if (found === undefined) return;
    const isShown = found.kind === "stranded" && (found.sign !== "silence" || silentMs >= tellingMs);
    this.#stranded = isShown ? found : undefined;
    this.#heardAt = heardAt;
  }

  get #lastEventAt(): number {
    return Math.max(...this.#followed().map(({ lastEventAt }) => lastEventAt));
  }
}
