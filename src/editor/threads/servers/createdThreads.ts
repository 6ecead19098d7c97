/** The threads that were created here on one chat backend, for backends that list none: ids and times, nothing of what was said. */

import { KeptList, type Memory } from "../../kit/keptList.ts";

/** What is remembered of a thread. */
export interface CreatedThread {
  readonly id: string;
  /** When it was created, ISO. */
  readonly at: string;
}

interface KeptThread extends CreatedThread {
  readonly connectionId: string;
  readonly url: string;
}

/** Of all backends together. */
const most = 200;

/** Outlives the window; another address is another backend. */
export class CreatedThreads {
  readonly #kept: KeptList<KeptThread>;
  readonly #backend: Pick<KeptThread, "connectionId" | "url">;
  #lost = 0;

  constructor(memory: Memory, connectionId: string, url: string) {
    this.#kept = new KeptList<KeptThread>(memory, "chatThreads.created", keyOf, most);
    this.#backend = { connectionId, url };
  }

  /** The newest first. */
  get list(): readonly CreatedThread[] {
    return this.#kept.items.filter((thread) => this.#isOwn(thread)).toReversed();
  }

  /** How many of them the backend did not know any more, since the window was opened. */
  get lost(): number {
    return this.#lost;
  }

  add(id: string): void {
    void this.#kept.keep({ ...this.#backend, id, at: new Date().toISOString() });
  }

  /** False when it was not among them. */
  remove(id: string): boolean {
    const known = this.#kept.get(keyOf({ ...this.#backend, id })) !== undefined;
    if (known) void this.#kept.forget(keyOf({ ...this.#backend, id }));
    return known;
  }

  /** The backend does not know it any more; false when it was not among them. */
  setLost(id: string): boolean {
    const known = this.remove(id);
    if (known) this.#lost += 1;
    return known;
  }

  /** The backend has a list: nothing needs to be remembered. */
  clear(): void {
    if (this.list.length > 0)
      void this.#kept.replace(this.#kept.items.filter((thread) => !this.#isOwn(thread)));
  }

  #isOwn({ connectionId, url }: KeptThread): boolean {
    return connectionId === this.#backend.connectionId && url === this.#backend.url;
  }
}

function keyOf({ connectionId, url, id }: Omit<KeptThread, "at">): string {
  return [connectionId, url, id].join(" ");
}
