import assert from "node:assert/strict";
import { ExportBench } from "./exportBench.ts";
import { list, text } from "../../../support/localPlatform.ts";
import { until } from "../../../support/until.ts";
import type { Shape } from "../../../support/localPlatform.ts";

describe("bulk exports by a schedule", () => {
  let bench: ExportBench;

  before(async () => {
    bench = await ExportBench.start();
  });
  after(() => bench.stop());
  beforeEach(() => {
    bench.bin.visits.length = 0;
  });

  const hour = 60 * 60 * 1000;
  const from = (hours: number): string => new Date(Date.now() - hours * hour).toISOString();
  const children = async (id: unknown): Promise<Shape[]> =>
    list((await bench.client.send("GET", "")).body).filter((child) => child.source_bulk_export_id === id);

  it("are made for each window that ended ten minutes ago, and for no other", async () => {
    const start = from(2.1);
    const schedule = await bench.client.create(bench.destination, { interval_hours: 1, start_time: start });
    assert.equal(schedule.status, "IntervalScheduled");
    assert.equal(schedule.end_time, null);
    const made = await children(schedule.id);
    const later = Date.parse(start) + hour;
    assert.deepEqual(
      made.map(({ start_time, end_time, interval_hours }) => [start_time, end_time, interval_hours]),
      [[start, new Date(later).toISOString(), null]],
    );
    assert.equal(await bench.client.ended(made[0]!.id), "Completed");
    assert.equal(await bench.client.status(schedule.id), "IntervalScheduled");
    const runs = list(
      (await bench.client.send("GET", `/runs?source_bulk_export_id=${text(schedule.id)}`)).body,
    );
    assert.deepEqual(
      runs.map(({ bulk_export_id }) => bulk_export_id),
      [made[0]!.id],
    );
    await bench.client.send("PATCH", `/${text(schedule.id)}`, { status: "Cancelled" });
  });

  it("catch up on what is past a few at a time, each window once", async () => {
    const start = from(24 * 3);
    const schedule = await bench.client.create(bench.destination, { interval_hours: 6, start_time: start });
    await until("all 11 windows were exported", async () => {
      const made = await children(schedule.id);
      return made.length === 11 && made.every(({ status }) => (status as unknown) === "Completed");
    });
    const starts = (await children(schedule.id)).map(({ start_time }) => text(start_time));
    assert.equal(new Set(starts).size, 11);
    await bench.client.send("PATCH", `/${text(schedule.id)}`, { status: "Cancelled" });
  });

  it("go on when the schedule is cancelled", async () => {
    const schedule = await bench.client.create(bench.destination, { interval_hours: 2, start_time: from(9) });
    const cancelled = await bench.client.send("PATCH", `/${text(schedule.id)}`, { status: "Cancelled" });
    assert.equal(cancelled.body.status, "Cancelled");
    const made = await children(schedule.id);
    assert.equal(made.length, 4);
    for (const { id } of made) assert.equal(await bench.client.ended(id), "Completed");
    assert.equal((await children(schedule.id)).length, 4);
  });
});
