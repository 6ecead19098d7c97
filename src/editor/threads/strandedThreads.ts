/** Which threads have a run that seems to be stranded, as far as this window noticed. */

import type { ThreadRef } from "../connections/connection.ts";
import { threadKey } from "../connections/serverRef.ts";
import type { ThreadFacts } from "./threadFacts.ts";

/** Reported by sessions whose run is silent; for servers that were started here, known by their start. */
export class StrandedThreads {
  readonly #beganAt: (connectionId: string) => number | undefined;
  readonly #found = new Set<string>();

  /** `beganAt` says when the server of a connection began, epoch milliseconds, where that is known. */
  constructor(beganAt: (connectionId: string) => number | undefined) {
    this.#beganAt = beganAt;
  }

  /** What a session found of its thread. */
  note(thread: ThreadRef, isStranded: boolean): void {
    if (isStranded) this.#found.add(threadKey(thread));
    else this.#found.delete(threadKey(thread));
  }

  /** Whether a listed thread seems to be stranded. Nothing is asked for that. */
  has(thread: ThreadRef, { status, updatedAt }: Pick<ThreadFacts, "status" | "updatedAt">): boolean {
    if (status !== "busy") return false;
    const beganAt = this.#beganAt(thread.connectionId);
    return this.#found.has(threadKey(thread)) || (beganAt !== undefined && Date.parse(updatedAt) < beganAt);
  }
}
