import { compactionOf } from "../../src/editor/issues/issueCompaction.ts";
import { IssueJournal } from "../../src/editor/issues/issueJournal.ts";
import { IssueStore } from "../../src/editor/issues/issueStore.ts";

interface Large {
  readonly path: string;
  /** How many it has, with their numbers as ids. */
  readonly events: number;
}

/** What a window knows of it. */
export interface Read {
  readonly known: number;
  readonly rows: number;
  readonly last: string | undefined;
}

/** What a window does with a file that has grown too large. */
export async function readAndCompact({ path, events }: Large): Promise<Read> {
  const journal = new IssueJournal(path);
  const store = new IssueStore();
  const reader = {
    anew: () => store.replaceBy(new IssueStore()),
    take: (...taken: Parameters<IssueStore["take"]>) => void store.take(...taken),
  };
  await journal.read(reader);
  await journal.compact(compactionOf(store, { rows: 2_000, bytes: 32 * 2 ** 20 }));
  await journal.read(reader);
  const known = Array.from({ length: events }, (_, number) => store.has(String(number))).filter(
    Boolean,
  ).length;
  return { known, rows: store.all.length, last: store.all[0]?.events.at(-1)?.id };
}
