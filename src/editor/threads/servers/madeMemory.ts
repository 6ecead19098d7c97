/** The threads that were made here on any chat backend, as they outlive a window. */

import { KeptList } from "../../kit/keptList.ts";
import type { Memory } from "../../kit/keptList.ts";
import type { MadeStore, MadeThread } from "./madeThreads.ts";

interface Remembered extends MadeThread {
  readonly connectionId: string;
  readonly url: string;
}

const most = 200;

/** What is remembered of one backend; another address is another backend. */
export function madeMemory(memory: Memory, connectionId: string, url: string): MadeStore {
  const kept = new KeptList<Remembered>(memory, "chatThreads.created", keyOf, most);
  const isOwn = (thread: Remembered): boolean => thread.connectionId === connectionId && thread.url === url;
  return {
    get: () => kept.items.filter(isOwn),
    set: (threads) => {
      const own = threads.map(({ id, at }) => ({ connectionId, url, id, at }));
      const others = kept.items.filter((thread) => !isOwn(thread));
      void kept.replace([...others, ...own].toSorted((a, b) => a.at.localeCompare(b.at)));
    },
  };
}

function keyOf({ connectionId, url, id }: Remembered): string {
  return [connectionId, url, id].join(" ");
}
