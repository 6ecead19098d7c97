import { strict as assert } from "node:assert";
import { sampleEvent } from "../../../../src/api/issueWebhooks/sampleEvent.ts";
import type { Envelope } from "../../../../src/api/issueWebhooks/event.ts";
import { compactionOf } from "../../../../src/editor/issues/issueCompaction.ts";
import { IssueStore, tracesOf } from "../../../../src/editor/issues/issueStore.ts";
import type { JournalEntry } from "../../../../src/editor/issues/journalEntry.ts";

const at = "2026-01-02T03:04:05.000Z";
const entryOf = (event: Envelope, subscription = "s"): JournalEntry => ({
  kind: "event",
  at,
  subscription,
  event,
});
/** What stays of a journal with these entries. */
const compacted = (store: IssueStore, entries: readonly JournalEntry[], rows: number): JournalEntry[] => {
  const { keeps, rest } = compactionOf(store, { rows, bytes: 1_000_000 });
  return [...entries.filter(keeps), ...rest()];
};

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
    store.replaceBy(new IssueStore());
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

  it("keeps the newest events that its bytes allow, and knows the ids of the others", () => {
    const samples = Array.from({ length: 10 }, () => traceOf({ run_id: crypto.randomUUID() }));
    const store = new IssueStore(1000);
    const other = sampleEvent("issue.created", 2);
    store.take(entryOf(other), 300);
    for (const event of samples) store.take(entryOf(event), 300);
    const [row, ...others] = store.all;
    assert(row?.kind === "issue");
    assert.deepEqual(others, []);
    assert.deepEqual(row.events, samples.slice(-3));
    assert.equal(tracesOf(row).length, 3);
    assert([other, ...samples].every(({ id }) => store.has(id)));
    assert.deepEqual(
      [...store.newest(1, 600)],
      samples
        .slice(-2)
        .map(({ id }) => id)
        .reverse(),
    );
    store.take({ kind: "removed", at, rows: [row.id] });
    store.take(entryOf(created), 900);
    assert.equal(store.all.length, 1, "what was taken out takes no bytes");
  });

  it("remembers what it forgot in lines that are short enough to be read", () => {
    const ids = Array.from({ length: 3000 }, (_, number) => `${String(number)}-${"x".repeat(400)}`);
    const { keeps, rest } = compactionOf(new IssueStore(), { rows: 1, bytes: 1 });
    for (const id of ids) assert.equal(keeps(entryOf({ ...created, id })), false);
    const lines = rest();
    assert.deepEqual(
      lines.flatMap((entry) => (entry.kind === "seen" ? entry.ids : [])),
      ids,
    );
    for (const line of lines) assert(JSON.stringify(line).length < 300_000);
  });
});
