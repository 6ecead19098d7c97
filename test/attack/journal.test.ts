import { equal, ok } from "node:assert/strict";
import { mkdtemp, open, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sampleEvent } from "../../src/api/issueWebhooks/sampleEvent.ts";
import { lineOf } from "../../src/editor/issues/journalEntry.ts";
import { bounded } from "./bounded.ts";
import type { Read } from "./largeJournal.ts";

/** More together than one string can hold. */
const events = 560;
const mebibyte = 2 ** 20;

describe("A file of received events that is larger than any text", () => {
  let folder: string;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "journal-"));
    const file = await open(path(), "w", 0o600);
    for (let number = 0; number < events; number += 1) {
      const event = { ...sampleEvent("issue.created", 1), id: String(number), filling: "x".repeat(mebibyte) };
      const at = new Date(number * 1000).toISOString();
      await file.appendFile(lineOf({ kind: "event", at, subscription: "s", event }));
    }
    await file.close();
  });
  after(() => rm(folder, { recursive: true }));

  const path = (): string => join(folder, "received.jsonl");

  it("is read and made smaller, and every event is still known", async () => {
    ok((await stat(path())).size > 0x1fffffe8);
    const file = join(import.meta.dirname, "largeJournal.ts");
    const work = { file, name: "readAndCompact", input: { path: path(), events } };
    const { value, mb, ms } = await bounded<Read>(work, { ms: 60_000, mb: 500 });
    console.log(`      ${String(ms)} ms, ${String(mb)} MB`);
    equal(value.known, events);
    equal(value.last, String(events - 1));
    ok(value.rows > 20 && value.rows < 64, `${String(value.rows)} rows`);
    ok((await stat(path())).size <= 33 * mebibyte);
  });
});
