import { strict as assert } from "node:assert";
import { appendFile, mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sampleEvent } from "../../../../src/api/issueWebhooks/sampleEvent.ts";
import type { Envelope } from "../../../../src/api/issueWebhooks/event.ts";
import { compacted, IssueStore, tracesOf } from "../../../../src/editor/issues/issueStore.ts";
import { IssueJournal } from "../../../../src/editor/issues/issueJournal.ts";
import type { JournalEntry } from "../../../../src/editor/issues/issueJournal.ts";

const at = "2026-01-02T03:04:05.000Z";
const entryOf = (event: Envelope, subscription = "s"): JournalEntry => ({
  kind: "event",
  at,
  subscription,
  event,
});

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
    assert.deepEqual(await journal.read(), { anew: false, entries: [] });
  });

  it("gives back what was written at the same time, each line once", async () => {
    await Promise.all(events.map((event) => journal.append(entryOf(event))));
    const { entries } = await journal.read();
    assert.deepEqual(
      entries,
      events.map((event) => entryOf(event)),
    );
    assert.deepEqual((await journal.read()).entries, []);
  });

  it("shows one window what another one wrote", async () => {
    const other = new IssueJournal(path());
    await journal.append({ kind: "read", at, rows: ["a"] });
    await journal.read();
    await other.append({ kind: "read", at, rows: ["b"] });
    assert.deepEqual((await journal.read()).entries, [{ kind: "read", at, rows: ["b"] }]);
  });

  it("skips the line that a killed process left unfinished, and nothing else", async () => {
    const [first, second] = events.map((event) => entryOf(event));
    assert(first !== undefined && second !== undefined);
    await journal.append(first);
    await appendFile(path(), '{"kind":"event","at":"20');
    const later = new IssueJournal(path());
    assert.deepEqual((await later.read()).entries, [first]);
    await later.append(second);
    assert.deepEqual((await later.read()).entries, [second]);
    assert.deepEqual((await new IssueJournal(path()).read()).entries, [first, second]);
  });

  it("is read anew by the others when it was replaced", async () => {
    const other = new IssueJournal(path());
    await journal.append({ kind: "read", at, rows: ["a"] });
    await other.read();
    await journal.replace([{ kind: "seen", ids: ["e"] }]);
    assert.deepEqual(await other.read(), { anew: true, entries: [{ kind: "seen", ids: ["e"] }] });
  });

  it("rejects every line that could not be written", async () => {
    const blocked = new IssueJournal(join(path(), "below", "a-file"));
    await journal.append({ kind: "read", at, rows: [] });
    await assert.rejects(blocked.append({ kind: "read", at, rows: [] }));
  });

  it("is readable by this user alone", async () => {
    await journal.append({ kind: "read", at, rows: [] });
    await journal.replace([{ kind: "read", at, rows: [] }]);
    assert.equal((await stat(path())).mode & 0o077, 0);
  });
});

describe("The store of issues", () => {
  const created = sampleEvent("issue.created", 1);
  const traceOf = (change: { readonly request_id?: string; readonly run_id?: string } = {}): Envelope => {
    const sample = sampleEvent("issue.trace.added", 1);
    const trace = { ...sample.data.trace, ...(change.run_id === undefined ? {} : { run_id: change.run_id }) };
    return {
      ...sample,
      request_id: change.request_id ?? created.request_id ?? "",
      data: { object: created.data.object, trace },
    };
  };
  const take = (...taken: readonly JournalEntry[]): IssueStore => {
    const store = new IssueStore();
    for (const entry of taken) store.take(entry);
    return store;
  };

  it("takes an event with the same id once", () => {
    const store = take(entryOf(created));
    assert.equal(store.take(entryOf(created)), false);
    assert.equal(store.all.length, 1);
    assert.equal(store.all[0]?.events.length, 1);
  });

  it("gathers an issue and its traces by what led to them, in whichever order they arrive", () => {
    const [first, second, later] = [traceOf(), traceOf(), traceOf({ request_id: "another" })];
    const [row] = take(...[first, created, second, later].map((event) => entryOf(event))).all;
    assert(row?.kind === "issue");
    assert.deepEqual(
      row.actions.map(({ opened, traces }) => [opened, traces.length]),
      [
        [true, 2],
        [false, 1],
      ],
    );
  });

  it("shows a trace once when two subscriptions deliver it", () => {
    const trace = traceOf();
    const store = take(entryOf(trace), entryOf({ ...trace, id: "another delivery" }, "t"));
    const [row] = store.all;
    assert(row?.kind === "issue");
    assert.equal(tracesOf(row).length, 1);
    assert.deepEqual([store.receivedBy("s"), store.receivedBy("t")], [1, 1]);
  });

  it("keeps events of types that nobody knows", () => {
    const strange = { ...created, id: "x", type: "issue.merged" };
    const [row] = take(entryOf(strange)).all;
    assert(row?.kind === "other");
    assert.deepEqual(row.events, [strange]);
  });

  it("marks rows as read until something new comes", () => {
    const id = `issue:${String(created.data.object["id"])}`;
    const store = take(entryOf(created), { kind: "read", at, rows: [id] });
    assert.equal(store.unread.length, 0);
    store.take(entryOf(traceOf()));
    assert.deepEqual(
      store.unread.map((row) => row.id),
      [id],
    );
  });

  it("forgets rows that were taken out, and still takes their events only once", () => {
    const id = `issue:${String(created.data.object["id"])}`;
    const store = take(entryOf(created), { kind: "removed", at, rows: [id] });
    assert.deepEqual(store.all, []);
    assert(store.has(created.id));
  });

  it("keeps the last times in which nobody listened until they are read", () => {
    const gaps = Array.from({ length: 7 }, (_, hour) => ({
      kind: "gap" as const,
      from: `2026-01-01T0${String(hour)}:02:00.000Z`,
      to: `2026-01-01T0${String(hour)}:09:00.000Z`,
    }));
    const hours = ({ gaps: kept }: IssueStore): string[] => kept.map(({ from }) => from.slice(12, 13));
    const store = take(...gaps, ...gaps.slice(6));
    assert.deepEqual(hours(store), ["6", "5", "4", "3", "2"]);
    assert.equal(store.take({ kind: "read", at, rows: ["gap:2026-01-01T05:02:00.000Z"] }), true);
    assert.deepEqual(hours(store), ["6", "4", "3", "2"]);
    assert.deepEqual(hours(take(...compacted(store, gaps, 5))), ["6", "4", "3", "2"]);
    store.clear();
    assert.deepEqual(hours(store), []);
  });

  it("is the same after its journal was made smaller, and knows what it forgot", () => {
    const samples = Array.from({ length: 20 }, () => sampleEvent("issue.created", 2));
    const entries = samples.map((event, index) => ({
      ...entryOf(event),
      at: `2026-01-01T00:00:${String(10 + index)}Z`,
    }));
    const store = take(...entries, {
      kind: "read",
      at,
      rows: [`issue:${String(samples[19]?.data.object["id"])}`],
    });
    const smaller = take(...compacted(store, entries, 5));
    assert.deepEqual(
      smaller.all.map(({ id, unread }) => [id, unread]),
      store.all.slice(0, 5).map(({ id, unread }) => [id, unread]),
    );
    assert(samples.every(({ id }) => smaller.has(id)));
  });
});
