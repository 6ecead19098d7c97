/** Notices streams that stay silent, which is no fault: a person wants to know that they are still connected. */

import type { Follower } from "./follower.ts";
import type { Clock } from "./server.ts";

const noticeableMs = 10_000;

/** Watches the streams of a session, as long as there are any. */
export class Silence {
  readonly #clock: Clock;
  readonly #onSilence: () => void;
  #watching = false;

  constructor(clock: Clock, onSilence: () => void) {
    this.#clock = clock;
    this.#onSilence = onSilence;
  }

  /** How long a stream has been silent, if that is noticeable. */
  of(follower: Follower): { readonly idleMs?: number } {
    const idleMs = this.#clock.now() - follower.lastEventAt;
    return idleMs < noticeableMs ? {} : { idleMs };
  }

  /** Tells of silence every ten seconds for as long as there are followers. */
  async watch(followers: ReadonlyMap<string, Follower>, signal: AbortSignal): Promise<void> {
    if (this.#watching) return;
    this.#watching = true;
    try {
      while (followers.size > 0) {
        await this.#clock.sleep(noticeableMs, signal);
        if ([...followers.values()].some((follower) => this.of(follower).idleMs !== undefined))
          this.#onSilence();
      }
    } catch {
      // The session is over.
    } finally {
      this.#watching = false;
    }
  }
}
