/** Making the journal of received events smaller: the newest stay, and of the others that they were received. */

import type { Compaction } from "./issueJournal.ts";
import type { IssueStore } from "./issueStore.ts";
import { inLines, type JournalEntry } from "./journalEntry.ts";

/** How much of a journal stays. */
export interface Kept {
  readonly rows: number;
  readonly bytes: number;
}

/** Ids of events that were forgotten: a delivery that is repeated that late is taken anew. */
const mostForgotten = 50_000;

/** What stays of the journal whose entries the store has taken. */
export function compactionOf(store: IssueStore, { rows, bytes }: Kept): Compaction {
  const kept = store.newest(rows, bytes);
  let forgotten: string[] = [];
  return {
    keeps: (entry) => {
      if (entry.kind === "event" && kept.has(entry.event.id)) return true;
      if (entry.kind === "seen") forgotten.push(...entry.ids);
      else if (entry.kind === "event") forgotten.push(entry.event.id);
      if (forgotten.length > 2 * mostForgotten) forgotten = forgotten.slice(-mostForgotten);
      return false;
    },
    rest: () => {
      const at = new Date().toISOString();
      const read = store.all.filter(({ unread }) => !unread).map(({ id }) => id);
      return [
        ...inLines(forgotten.slice(-mostForgotten)).map((ids): JournalEntry => ({ kind: "seen", ids })),
        ...inLines(read).map((ids): JournalEntry => ({ kind: "read", at, rows: ids })),
        ...store.gaps.map(({ from, to }): JournalEntry => ({ kind: "gap", from, to })).reverse(),
      ];
    },
  };
}
