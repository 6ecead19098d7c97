/** When to look at the servers again: soon while things change, rarely while they don't, never unseen. */

/** What one look found. */
export interface Look {
  readonly changed: boolean;
  /** Something is running or waiting. */
  readonly busy: boolean;
  /** The server asked to be left alone for so long. */
  readonly retryAfterMs?: number | undefined;
}

const slowestMs = 60_000;

/** Has at most one timer, and none while nobody watches. */
export class LookSchedule {
  readonly #look: (signal: AbortSignal) => Promise<Look>;
  readonly #fastestMs: () => number;
  #watched = false;
  #timer: NodeJS.Timeout | undefined;
  #running: AbortController | undefined;
  #delayMs: number;
  #lastAt = 0;

  /** `look` never rejects: what it can't fetch it shows. */
  constructor(look: (signal: AbortSignal) => Promise<Look>, fastestMs: () => number) {
    this.#look = look;
    this.#fastestMs = fastestMs;
    this.#delayMs = fastestMs();
  }

  /** Whether somebody can see the view; becoming visible looks at once when the last look is old. */
  watch(watched: boolean): void {
    if (watched === this.#watched) return;
    this.#watched = watched;
    if (!watched) {
      this.#stop();
      return;
    }
    // What is shown for the first time has just been fetched.
    this.#lastAt ||= Date.now();
    const age = Date.now() - this.#lastAt;
    this.#delayMs = this.#fastestMs();
    this.#wait(Math.max(0, this.#delayMs - age));
  }

  /** Something happened: the next look comes at the fastest pace. */
  hurry(): void {
    this.#delayMs = this.#fastestMs();
    if (this.#watched && this.#running === undefined) this.#wait(this.#delayMs);
  }

  dispose(): void {
    this.#watched = false;
    this.#stop();
  }

  #stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#running?.abort();
    this.#running = undefined;
  }

  #wait(ms: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#tick(), ms);
  }

  async #tick(): Promise<void> {
    const running = new AbortController();
    this.#running = running;
    const look = await this.#look(running.signal);
    if (this.#running !== running) return;
    this.#running = undefined;
    this.#lastAt = Date.now();
    this.#delayMs = nextDelay(this.#delayMs, look, this.#fastestMs());
    this.#wait(Math.max(this.#delayMs, look.retryAfterMs ?? 0));
  }
}

/** The pause after a look: the fastest pace after a change, growing up to a minute without one. */
export function nextDelay(previousMs: number, look: Look, fastestMs: number): number {
  if (look.changed) return fastestMs;
  return Math.min(slowestMs, Math.max(fastestMs, previousMs) * (look.busy ? 1.5 : 3));
}
