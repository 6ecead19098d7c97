import { deepEqual, equal, match } from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { appendFile, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type BulkItem, type BulkJob, reportText } from "../../../../src/editor/bulk/bulkJob.ts";
import { BulkRecords } from "../../../../src/editor/bulk/bulkRecords.ts";

describe("What is written down of work on many things", () => {
  let folder: string;
  let records: BulkRecords;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "agent-operations-bulk-"));
    records = new BulkRecords(folder);
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  const item = (name: string, more: Partial<BulkItem> = {}): BulkItem => ({
    ...{ connectionId: "c", name, before: null, words: "again", state: "waiting" },
    ...more,
  });
  const jobOf = (items: readonly BulkItem[], startedAt = 1): BulkJob => ({
    ...{ id: randomUUID(), startedAt, title: "Retry", doneWord: "repaired", change: { kind: "retry" } },
    ...{ pace: { atOnce: 1, everyMs: 0, mostFailures: 1 }, items, isTried: true },
    agreed: [{ connectionId: "c", name: "Production", strictness: "nothing", addresses: "" }],
  });

  it("is each thing as its last line says, and a line that was cut by a death spoils none behind it", async () => {
    const job = jobOf([item("a"), item("b"), item("c")]);
    await records.add(job);
    await records.note(job.id, 0, item("a", { state: "sending" }));
    await records.note(job.id, 0, item("a", { state: "done" }));
    await appendFile(join(folder, `${job.id}.journal`), '\n[1,{"connectionId":"c","na');
    await records.note(job.id, 2, item("c", { state: "failed" }));
    const states = async (): Promise<readonly string[] | undefined> =>
      (await records.read(job.id))?.items.map(({ state }) => state);
    deepEqual(await states(), ["done", "waiting", "failed"]);
    await records.write((await records.read(job.id)) ?? job);
    deepEqual(await readdir(folder), [`${job.id}.json`]);
    deepEqual(await states(), ["done", "waiting", "failed"]);
  });

  it("keeps the newest thirty, and nothing of the others", async () => {
    const jobs = Array.from({ length: 32 }, (_, index) => jobOf([item("a")], index));
    for (const job of jobs) {
      await records.add(job);
      await records.note(job.id, 0, item("a", { state: "done" }));
    }
    equal((await records.all()).length, 30);
    equal((await readdir(folder)).length, 60);
    equal(await records.read(jobs[1]?.id ?? ""), undefined);
  });

  it("is reported with the reasons of failures by how often they came", () => {
    const failed = ["try 2 of 9", "try 3 of 9", "no such order"].map((said, index) =>
      item(`t${String(index)}`, { state: "failed", said }),
    );
    const text = reportText(jobOf([item("a", { state: "done" }), ...failed]), () => "Production");
    match(
      text,
      /^Retry\nBegan .*: 1 repaired, 3 failed\.\n\nWhat failed, and why:\n +2 {2}try 2 of 9\n +1 {2}no such order\n\nProduction\n {2}repaired /,
    );
  });
});
