import { strict as assert } from "node:assert";
import { appendFileSync } from "node:fs";
import { appendFile, mkdtemp, readdir, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { sampleEvent } from "../../../../src/api/issueWebhooks/sampleEvent.ts";
import type { Envelope } from "../../../../src/api/issueWebhooks/event.ts";
import { IssueJournal } from "../../../../src/editor/issues/issueJournal.ts";
import type { JournalEntry } from "../../../../src/editor/issues/journalEntry.ts";

const at = "2026-01-02T03:04:05.000Z";
const entryOf = (event: Envelope, subscription = "s"): JournalEntry => ({
  kind: "event",
  at,
  subscription,
  event,
});

/** What a reading tells. */
const reading = async (journal: IssueJournal): Promise<{ anew: boolean; entries: JournalEntry[] }> => {
  let anew = false;
  const entries: JournalEntry[] = [];
  await journal.read({ anew: () => (anew = true), take: (entry) => entries.push(entry) });
  return { anew, entries };
};

describe("The journal of received events", () => {
  let directory: string;
  let journal: IssueJournal;

  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), "issue-journal-"));
    journal = new IssueJournal(join(directory, "issues", "received.jsonl"));
  });
  afterEach(() => rm(directory, { recursive: true }));

  const path = (): string => join(directory, "issues", "received.jsonl");
  const events = Array.from({ length: 200 }, () => sampleEvent("issue.created", 2));

  it("is empty before anything was received", async () => {
    assert.deepEqual(await reading(journal), { anew: false, entries: [] });
  });

  it("gives back what was written at the same time, each line once", async () => {
    await Promise.all(events.map((event) => journal.append(entryOf(event))));
    const { entries } = await reading(journal);
    assert.deepEqual(
      entries,
      events.map((event) => entryOf(event)),
    );
    assert.deepEqual((await reading(journal)).entries, []);
  });

  it("shows one window what another one wrote", async () => {
    const other = new IssueJournal(path());
    await journal.append({ kind: "read", at, rows: ["a"] });
    await reading(journal);
    await other.append({ kind: "read", at, rows: ["b"] });
    assert.deepEqual((await reading(journal)).entries, [{ kind: "read", at, rows: ["b"] }]);
  });

  it("skips the line that a killed process left unfinished, and nothing else", async () => {
    const [first, second] = events.map((event) => entryOf(event));
    assert(first !== undefined && second !== undefined);
    await journal.append(first);
    await appendFile(path(), '{"kind":"event","at":"20');
    const later = new IssueJournal(path());
    assert.deepEqual((await reading(later)).entries, [first]);
    await later.append(second);
    assert.deepEqual((await reading(later)).entries, [second]);
    assert.deepEqual((await reading(new IssueJournal(path()))).entries, [first, second]);
  });

  it("is read anew when it was made smaller, with what another window wrote meanwhile", async () => {
    const other = new IssueJournal(path());
    await journal.append({ kind: "read", at, rows: ["a"] });
    await reading(other);
    const late: JournalEntry = { kind: "read", at, rows: ["late"] };
    await journal.compact({
      keeps: () => false,
      rest: () => {
        appendFileSync(path(), `${JSON.stringify(late)}\n`);
        return [{ kind: "seen", ids: ["e"] }];
      },
    });
    const smaller = { anew: true, entries: [{ kind: "seen", ids: ["e"] }, late] };
    assert.deepEqual(await reading(other), smaller);
    await journal.append(late);
    assert.deepEqual((await reading(other)).entries, [late]);
    assert.deepEqual(await readdir(dirname(path())), ["received.jsonl"]);
  });

  it("appends nothing of its own while it is made smaller", async () => {
    await journal.append({ kind: "read", at, rows: ["a"] });
    const compacting = journal.compact({ keeps: () => true, rest: () => [] });
    const appended = journal.append({ kind: "read", at, rows: ["b"] });
    await Promise.all([compacting, appended]);
    assert.deepEqual(
      (await reading(journal)).entries,
      ["a", "b"].map((row) => ({ kind: "read", at, rows: [row] })),
    );
  });

  it("tells every line but the odd ones, whatever those are", async () => {
    const good = events.slice(0, 3).map((event) => entryOf(event));
    const [first] = events;
    const odd = [
      ...["null", "[]", "0", '"text"', "{}", "{", "\0", '{"kind":"later","rows":[]}', "[".repeat(100_000)],
      ...['{"kind":"event"}', '{"kind":"read"}', '{"kind":"seen"}', '{"kind":"gap","from":"x","to":"y"}'],
      ...[{ id: 1 }, { data: undefined }, { data: { object: [] } }, { id: "x".repeat(501) }].map((change) =>
        JSON.stringify({ ...good[0], event: { ...first, ...change } }),
      ),
      ...[{ at: undefined }, { at: "soon" }, { at: 5 }, { subscription: null }].map((change) =>
        JSON.stringify({ ...good[0], ...change }),
      ),
      JSON.stringify({ kind: "read", at, rows: [1] }),
      JSON.stringify({ kind: "removed", at, rows: "all" }),
      "x".repeat(9 * 1024 * 1024),
    ];
    await journal.append({ kind: "seen", ids: [] });
    for (const line of odd) {
      for (const entry of good.slice(0, 1)) await appendFile(path(), `${line}\n${JSON.stringify(entry)}\n`);
      const [, ...entries] = (await reading(new IssueJournal(path()))).entries;
      assert.equal(entries.length, odd.indexOf(line) + 1, line.slice(0, 80));
    }
  });

  it("gives back lines whose bytes lie on both sides of a block", async () => {
    const long = Array.from({ length: 40 }, (_, number) => ({
      kind: "read" as const,
      at,
      rows: ["é\u{1f600}".repeat(9_000 + number)],
    }));
    for (const entry of long) await journal.append(entry);
    assert.deepEqual((await reading(journal)).entries, long);
    await journal.append({ kind: "read", at, rows: ["last"] });
    assert.deepEqual((await reading(journal)).entries, [{ kind: "read", at, rows: ["last"] }]);
  });

  it("rejects every line that could not be written", async () => {
    const blocked = new IssueJournal(join(path(), "below", "a-file"));
    await journal.append({ kind: "read", at, rows: [] });
    await assert.rejects(blocked.append({ kind: "read", at, rows: [] }));
  });

  it("is readable by this user alone", async () => {
    await journal.append({ kind: "read", at, rows: [] });
    await journal.compact({ keeps: () => true, rest: () => [] });
    assert.equal((await stat(path())).mode & 0o077, 0);
  });
});
