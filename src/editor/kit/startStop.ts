/** Something that is started and stopped by several callers at a time: a server, for one. */

/** What a start under way gives, and how it is ended. */
interface Starting<Result> {
  readonly promise: Promise<Result>;
  readonly abort: AbortController;
}

/** Starts and stops one thing, never two at a time and always in the order in which they were asked for. */
export class StartStop<Result> {
  #starting: Starting<Result> | undefined;
  #last: Promise<unknown> = Promise.resolve();

  /** Whether a start is under way, or waits for a stop. */
  get isStarting(): boolean {
    return this.#starting !== undefined;
  }

  /**
   * Starts it once the stops before have ended, or waits for the start that is under way. Aborting ends that start for
   * every caller; all get the reason.
   */
  async start(work: (signal: AbortSignal) => Promise<Result>, signal?: AbortSignal): Promise<Result> {
    signal?.throwIfAborted();
    const under = this.#starting;
    const { promise, abort } = under === undefined || under.abort.signal.aborted ? this.#begin(work) : under;
    const forward = (): void => abort.abort(signal?.reason);
    signal?.addEventListener("abort", forward, { once: true });
    try {
      return await promise;
    } finally {
      signal?.removeEventListener("abort", forward);
    }
  }

  /** Aborts a start that is under way, with the reason, and stops it when that has ended. */
  stop(reason: unknown, work: () => Promise<void>): Promise<void> {
    this.#starting?.abort.abort(reason);
    return this.after(work);
  }

  /** Does something when all that was asked for before has ended, and leaves a start that is under way alone. */
  after<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#last.then(work);
    this.#last = done.catch(() => undefined);
    return done;
  }

  #begin(work: (signal: AbortSignal) => Promise<Result>): Starting<Result> {
    const abort = new AbortController();
    const promise = this.after(async () => {
      abort.signal.throwIfAborted();
      return work(abort.signal);
    });
    const starting = { promise, abort };
    const forget = (): void => {
      if (this.#starting === starting) this.#starting = undefined;
    };
    promise.then(forget, forget);
    return (this.#starting = starting);
  }
}
