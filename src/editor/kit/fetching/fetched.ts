/** What was fetched last and why it could not be fetched again; an answer that a later request overtook is dropped. */

/** Why something could not be fetched. */
export interface Failure {
  readonly error: unknown;
  /** When what is kept was fetched, in epoch milliseconds; undefined where nothing was. */
  readonly asOf?: number;
}

/** The failure beside what was fetched then. */
export function failureOf(error: unknown, asOf: number | undefined): Failure {
  return asOf === undefined ? { error } : { error, asOf };
}

/** One thing that is fetched again and again. */
export class Fetched<T> {
  readonly #changed: () => void;
  #value: T | undefined;
  #failure: Failure | undefined;
  #fetchedAt: number | undefined;
  #latestRequest = 0;
  #displayedRequest = 0;

  /** `changed` is called after each answer that counts. */
  constructor(changed: () => void) {
    this.#changed = changed;
  }

  /** What the last request that went well brought; undefined before that. */
  get value(): T | undefined {
    return this.#value;
  }

  /** Why the last request failed; undefined when it went well. */
  get failure(): Failure | undefined {
    return this.#failure;
  }

  /** Fetches anew; a failure keeps what was fetched before, and an aborted request changes nothing. Never rejects. */
  async load(fetch: () => Promise<T>, signal: AbortSignal): Promise<void> {
    const request = ++this.#latestRequest;
    try {
      const value = await fetch();
      if (request < this.#displayedRequest) return;
      this.#value = value;
      this.#fetchedAt = Date.now();
      this.#failure = undefined;
    } catch (error) {
      if (signal.aborted || request < this.#displayedRequest) return;
      this.#failure = failureOf(error, this.#fetchedAt);
    }
    this.#displayedRequest = request;
    this.#changed();
  }

  /** Forgets what was fetched, and what is still on its way. */
  reset(): void {
    this.#displayedRequest = ++this.#latestRequest;
    this.#value = undefined;
    this.#fetchedAt = undefined;
    this.#failure = undefined;
  }
}
