/** Servers that asked for no request for a while: each is left alone by itself, and holds no other up. */

import type { Clock } from "../../api/retry.ts";
import { retryAfter } from "../kit/fetching/pollSchedule.ts";

/** What a server said last. */
interface RetryAfter {
  /** Epoch milliseconds. */
  readonly until: number;
  readonly error: unknown;
}

/** Remembers what they asked for. */
export class RetryAfters {
  readonly #clock: Pick<Clock, "now">;
  readonly #known = new Map<string, RetryAfter>();

  constructor(clock: Pick<Clock, "now">) {
    this.#clock = clock;
  }

  /** Asks, or throws what the server said when it wanted to be left alone; `force` asks all the same. */
  async ask<T extends { readonly error?: unknown } | readonly unknown[]>(
    server: string,
    force: boolean,
    ask: () => Promise<T>,
  ): Promise<T> {
    const known = this.#known.get(server);
    if (known !== undefined && !force && this.#clock.now() < known.until) throw known.error;
    this.#known.delete(server);
    try {
      const answer = await ask();
      if ("error" in answer) this.#remember(server, answer.error);
      return answer;
    } catch (error) {
      this.#remember(server, error);
      throw error;
    }
  }

  #remember(server: string, error: unknown): void {
    const ms = retryAfter(error);
    if (ms !== undefined) this.#known.set(server, { until: this.#clock.now() + ms, error });
  }
}
