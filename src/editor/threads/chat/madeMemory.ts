/** The threads that were made here on any chat backend, as they outlive a window. */

import type * as vscode from "vscode";
import type { MadeStore, MadeThread } from "./madeThreads.ts";

interface Remembered extends MadeThread {
  readonly connectionId: string;
  readonly url: string;
}

const memoryKey = "chatThreads.created";
/** Older ones are forgotten. */
const most = 200;

/** What is remembered of one backend; another address is another backend. */
export function madeMemory(
  memory: Pick<vscode.Memento, "get" | "update">,
  connectionId: string,
  url: string,
): MadeStore {
  const all = (): readonly Remembered[] => memory.get<readonly Remembered[]>(memoryKey, []);
  const isOwn = (thread: Remembered): boolean => thread.connectionId === connectionId && thread.url === url;
  return {
    get: () => all().filter(isOwn),
    set: (threads) => {
      const own = threads.map(({ id, at }) => ({ connectionId, url, id, at }));
      const others = all().filter((thread) => !isOwn(thread));
      const newest = [...others, ...own].toSorted((a, b) => a.at.localeCompare(b.at)).slice(-most);
      void memory.update(memoryKey, newest);
    },
  };
}
