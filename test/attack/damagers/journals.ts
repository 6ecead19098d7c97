import { ok } from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Json } from "../../../src/api/agentServer/wire.ts";
import { EVENT_TYPES } from "../../../src/api/issueWebhooks/event.ts";
import { sampleEvent } from "../../../src/api/issueWebhooks/sampleEvent.ts";
import { compactionOf } from "../../../src/editor/issues/issueCompaction.ts";
import { IssueJournal } from "../../../src/editor/issues/issueJournal.ts";
import { IssueStore } from "../../../src/editor/issues/issueStore.ts";
import type { JournalEntry } from "../../../src/editor/issues/journalEntry.ts";
import { gapWords } from "../../../src/editor/issues/listeningGap.ts";
import { damagedBytes, damagedJson } from "../../support/damage.ts";
import type { Random } from "../../support/random.ts";
import type { Damager } from "./damager.ts";

interface DamagedJournal {
  readonly bytes: Uint8Array;
  /** The ids of the events whose lines are as they were written. */
  readonly whole: readonly string[];
}

/** Files of received events: every line that is whole is told, whatever the others are, also after it was made smaller. */
export const journals: Damager<DamagedJournal> = {
  name: "journals",
  mostMs: 1000,
  mostMb: 300,
  make: (random) => {
    const lines: Uint8Array[] = [];
    const whole: string[] = [];
    for (let count = random.below(30); count >= 0; count -= 1) {
      const entry = anyEntry(random);
      const bytes = Buffer.from(JSON.stringify(entry));
      const kind = random.below(3);
      if (kind === 0) lines.push(damagedBytes(bytes, random));
      else if (kind === 1) lines.push(Buffer.from(JSON.stringify(damagedJson(entry as Json, random, 0.1))));
      else {
        lines.push(bytes);
        if (entry.kind === "event") whole.push(entry.event.id);
      }
      lines.push(Buffer.from("\n"));
    }
    return { bytes: Buffer.concat(lines), whole };
  },
  hold: async ({ bytes, whole }) => {
    const folder = await mkdtemp(join(tmpdir(), "journal-"));
    try {
      const path = join(folder, "received.jsonl");
      await writeFile(path, bytes, { mode: 0o600 });
      const store = await readStore(path);
      const rows = JSON.stringify(store.all);
      for (const id of whole) ok(store.has(id), `the event ${id} is not told`);
      for (const gap of store.gaps) gapWords(gap, new Date(0));
      await new IssueJournal(path).compact(compactionOf(store, { rows: 1000, bytes: 1_000_000 }));
      const smaller = await readStore(path);
      for (const id of whole)
        ok(smaller.has(id), `the event ${id} is not told after the file was made smaller`);
      ok(JSON.stringify(smaller.all) === rows, "the rows are others after the file was made smaller");
    } finally {
      await rm(folder, { recursive: true });
    }
  },
};

async function readStore(path: string): Promise<IssueStore> {
  const store = new IssueStore();
  await new IssueJournal(path).read({
    anew: () => undefined,
    take: (entry, bytes) => void store.take(entry, bytes),
  });
  return store;
}

function anyEntry(random: Random): JournalEntry {
  const at = new Date(Date.UTC(2026, 0, 1) + random.below(1_000_000_000)).toISOString();
  const event = {
    ...sampleEvent(random.pick(EVENT_TYPES), random.below(4)),
    id: `e${String(random.below(1e9))}`,
  };
  const rows = [`issue:${String(event.data.object["id"])}`];
  return random.pick<JournalEntry>([
    { kind: "event", at, subscription: "s", event },
    { kind: "event", at, subscription: "t", event },
    { kind: "read", at, rows },
    { kind: "removed", at, rows },
    { kind: "gap", from: at, to: at },
    { kind: "seen", ids: ["x", "y"] },
  ]);
}
