import assert from "node:assert/strict";
import type { ExportOrder } from "../../../src/emulator/bulkExports/bulkExport.ts";
import { Exporter, usualLimits } from "../../../src/emulator/bulkExports/exporter.ts";
import { ExportWriter } from "../../../src/emulator/bulkExports/exportWriter.ts";
import { openBulkExports } from "../../../src/emulator/bulkExports/service.ts";
import type { BulkExportService } from "../../../src/emulator/bulkExports/service.ts";
import { closePlatform, openPlatform } from "../../../src/emulator/platform.ts";
import type { Platform } from "../../../src/emulator/platform.ts";
import { Bin, credentials, ExportClient } from "./exportClient.ts";
import { list, LocalPlatform, say, text, until } from "./localPlatform.ts";
import type { Shape } from "./localPlatform.ts";
import { ManagedClient } from "./managedClient.ts";

describe("bulk exports", () => {
  let platform: LocalPlatform;
  let client: ExportClient;
  let bin: Bin;
  let destination: string;

  before(async () => {
    bin = await Bin.start();
    platform = await LocalPlatform.start();
    client = new ExportClient(platform);
    const thread = await platform.thread();
    await platform.join(thread, await platform.run(thread, { assistant_id: "echo", input: say("x") }));
    destination = text((await client.send("POST", "/destinations", bin.order())).body.id);
  });
  after(async () => {
    await platform.remove();
    bin.stop();
  });
  beforeEach(() => {
    bin.visits.length = 0;
  });

  it("are answered at once as they were created, with every choice that was made or left out", async () => {
    const made = await client.create(destination, {
      start_time: "2026-01-01T02:00:00+02:00",
      end_time: "2026-01-02T00:00:00",
    });
    const { id, created_at, updated_at, ...rest } = made;
    assert.equal(created_at, updated_at);
    assert.deepEqual(rest, {
      bulk_export_destination_id: destination,
      session_id: platform.ready.deploymentId,
      all_experiments: false,
      start_time: "2026-01-01T00:00:00.000Z",
      end_time: "2026-01-02T00:00:00.000Z",
      interval_hours: null,
      filter: null,
      format: "Parquet",
      format_version: "v1",
      compression: "gzip",
      export_fields: null,
      tenant_id: platform.ready.workspaceId,
      status: "Created",
      finished_at: null,
      source_bulk_export_id: null,
    });
    assert.equal(await client.ended(id), "Completed");
    assert.equal(list((await client.send("GET", "")).body)[0]!.id, id);
  });

  it("walk from Created over Running to Completed, as do their runs", async () => {
    const release = bin.hold();
    const { id } = await client.create(destination);
    await until(async () => (await client.status(id)) === "Running" && bin.uploads().length === 1);
    const [running] = await client.runs(id);
    assert.equal(running!.status, "Running");
    assert.match(text(running!.start_time), /^\d{4}-/);
    assert.deepEqual([running!.end_time, running!.finished_at, running!.errors], [null, null, null]);
    release();
    assert.equal(await client.ended(id), "Completed");
    const run = (await client.send("GET", `/${text(id)}/runs/${text(running!.id)}`)).body;
    assert.equal(run.status, "Completed");
    const { result } = run.metadata!;
    assert.ok(Number(result!.rows_written) > 1);
    assert.deepEqual([result!.latest_cursor, result!.pending_upload], [null, null]);
    assert.match(text(result!.export_path), /^traces\/p\/export_id=.*\/runs$/);
    assert.match(text((await client.send("GET", `/${text(id)}`)).body.finished_at), /^\d{4}-/);
  });

  it("can be cancelled once they run, and never start again", async () => {
    const release = bin.hold();
    const { id } = await client.create(destination);
    await until(() => Promise.resolve(bin.uploads().length === 1));
    const cancelled = await client.send("PATCH", `/${text(id)}`, { status: "Cancelled" });
    assert.equal(cancelled.status, 200);
    assert.equal(cancelled.body.status, "Cancelled");
    release();
    assert.deepEqual(
      (await client.runs(id)).map(({ status }) => status),
      ["Cancelled"],
    );
    assert.equal((await client.send("PATCH", `/${text(id)}`, { status: "Cancelled" })).status, 200);
    assert.equal((await client.send("PATCH", `/${text(id)}`, { status: "Running" })).status, 422);
    assert.equal(await client.status(id), "Cancelled");
  });

  it("that are over can't be cancelled", async () => {
    const { id } = await client.create(destination);
    await client.ended(id);
    const answer = await client.send("PATCH", `/${text(id)}`, { status: "Cancelled" });
    assert.equal(answer.status, 400);
    assert.match(text(answer.body.detail), /it is Completed/);
  });

  it("cover the runs of a managed agent by the id of its tracing project", async () => {
    const managed = new ManagedClient(platform);
    const agent = await managed.agent();
    const thread = await managed.thread(text(agent.id));
    await managed.stream(thread, { agent_id: agent.id, input: say("hello") });
    const { id } = await client.create(destination, { session_id: agent.tracing_project_id });
    assert.equal(await client.ended(id), "Completed");
    assert.ok(Number((await client.runs(id))[0]!.metadata!.result!.rows_written) > 1);
    assert.ok(bin.uploads()[0]!.includes(encodeURIComponent(`session_id=${text(agent.tracing_project_id)}`)));
  });

  const wrong: readonly [what: string, order: Record<string, unknown>, place: string][] = [
    ["neither a project nor experiments", { session_id: undefined }, "body.session_id"],
    ["both a project and experiments", { all_experiments: true }, "body.session_id"],
    ["no start", { start_time: undefined }, "body.start_time"],
    ["a start that is no time", { start_time: "yesterday" }, "body.start_time"],
    ["an end before its start", { end_time: "2019-01-01T00:00:00Z" }, "body.end_time"],
    ["a schedule with an end", { interval_hours: 1, end_time: "2030-01-01T00:00:00Z" }, "body.end_time"],
    ["an interval of none", { interval_hours: 0 }, "body.interval_hours"],
    ["an interval of more than a week", { interval_hours: 169 }, "body.interval_hours"],
    ["an unknown compression", { compression: "rar" }, "body.compression"],
    ["another format", { format: "CSV" }, "body.format"],
    ["an unknown version", { format_version: "v9" }, "body.format_version"],
    ["an unknown field", { export_fields: ["id", "colour"] }, "body.export_fields.1"],
    ["a filter that can't be read", { filter: "eq(run_type" }, "body.filter"],
  ];
  for (const [what, order, place] of wrong) {
    it(`are refused with ${what}`, async () => {
      const answer = await client.send("POST", "", {
        bulk_export_destination_id: destination,
        session_id: platform.ready.deploymentId,
        start_time: "2020-01-01T00:00:00Z",
        ...order,
      });
      assert.equal(answer.status, 422, answer.text);
      assert.deepEqual(
        list(answer.body.detail).map(({ loc }) => list(loc).map(String).join(".")),
        [place],
      );
    });
  }

  it("are not found under unknown ids, nor made for unknown destinations and projects", async () => {
    const id = "00000000-0000-4000-8000-000000000000";
    for (const path of [`/${id}`, `/${id}/runs`, `/${id}/runs/${id}`]) {
      assert.equal((await client.send("GET", path)).status, 404);
    }
    await assert.rejects(client.create(id), /Destination not found/);
    await assert.rejects(client.create(destination, { session_id: id }), /Session not found/);
    assert.equal((await client.send("GET", "/runs")).status, 422);
  });

  it("of all experiments are completed with nothing, since there are none", async () => {
    const { id } = await client.create(destination, { session_id: null, all_experiments: true });
    assert.equal(await client.ended(id), "Completed");
    assert.deepEqual(bin.uploads(), []);
  });

  describe("by a schedule", () => {
    const hour = 60 * 60 * 1000;
    const from = (hours: number): string => new Date(Date.now() - hours * hour).toISOString();
    const children = async (id: unknown): Promise<Shape[]> =>
      list((await client.send("GET", "")).body).filter((child) => child.source_bulk_export_id === id);

    it("are made for each window that ended ten minutes ago, and for no other", async () => {
      const start = from(2.1);
      const schedule = await client.create(destination, { interval_hours: 1, start_time: start });
      assert.equal(schedule.status, "IntervalScheduled");
      assert.equal(schedule.end_time, null);
      const made = await children(schedule.id);
      const later = Date.parse(start) + hour;
      assert.deepEqual(
        made.map(({ start_time, end_time, interval_hours }) => [start_time, end_time, interval_hours]),
        [[start, new Date(later).toISOString(), null]],
      );
      assert.equal(await client.ended(made[0]!.id), "Completed");
      assert.equal(await client.status(schedule.id), "IntervalScheduled");
      const runs = list((await client.send("GET", `/runs?source_bulk_export_id=${text(schedule.id)}`)).body);
      assert.deepEqual(
        runs.map(({ bulk_export_id }) => bulk_export_id),
        [made[0]!.id],
      );
      await client.send("PATCH", `/${text(schedule.id)}`, { status: "Cancelled" });
    });

    it("catch up on what is past a few at a time, each window once", async () => {
      const start = from(24 * 3);
      const schedule = await client.create(destination, { interval_hours: 6, start_time: start });
      await until(async () => {
        const made = await children(schedule.id);
        return made.length === 11 && made.every(({ status }) => (status as unknown) === "Completed");
      });
      const starts = (await children(schedule.id)).map(({ start_time }) => text(start_time));
      assert.equal(new Set(starts).size, 11);
      await client.send("PATCH", `/${text(schedule.id)}`, { status: "Cancelled" });
    });

    it("go on when the schedule is cancelled", async () => {
      const schedule = await client.create(destination, { interval_hours: 2, start_time: from(9) });
      const cancelled = await client.send("PATCH", `/${text(schedule.id)}`, { status: "Cancelled" });
      assert.equal(cancelled.body.status, "Cancelled");
      const made = await children(schedule.id);
      assert.equal(made.length, 4);
      for (const { id } of made) assert.equal(await client.ended(id), "Completed");
      assert.equal((await children(schedule.id)).length, 4);
    });
  });

  it("go on after a restart, with the credentials that they started with", async () => {
    const release = bin.hold();
    const { id } = await client.create(destination);
    await until(() => Promise.resolve(bin.uploads().length === 1));
    const [before] = bin.uploads();
    bin.held = Promise.resolve();
    const renewed = { ...credentials, session_token: "newer" };
    const patched = await client.send("PATCH", `/destinations/${destination}`, { credentials: renewed });
    assert.equal(patched.status, 200);
    const { directory } = platform;
    await platform.stop();
    release();
    bin.visits.length = 0;
    platform = await LocalPlatform.start(directory);
    client = new ExportClient(platform);
    assert.equal(await client.ended(id), "Completed");
    assert.ok(bin.visits.every(({ token }) => token === ""));
    const [run] = await client.runs(id);
    assert.equal(Number(run!.retry_number), 1);
    assert.match(text(run!.errors!.retry_0), /stopped during this attempt/);
    assert.equal(bin.uploads().at(-1), before, "the second attempt writes the same file");
    bin.visits.length = 0;
    await client.ended((await client.create(destination)).id);
    assert.ok(bin.visits.length > 0 && bin.visits.every(({ token }) => token === "newer"));
  });

  describe("with tighter limits", () => {
    let opened: Platform;

    before(async () => {
      await platform.stop();
      opened = openPlatform(platform.directory, undefined, () => "");
    });
    after(() => closePlatform(opened));

    const order = (): ExportOrder => ({
      bulk_export_destination_id: destination,
      session_id: opened.identity.deploymentId,
      all_experiments: false,
      start_time: "2020-01-01T00:00:00.000Z",
      end_time: new Date().toISOString(),
      interval_hours: null,
      filter: null,
      format: "Parquet",
      format_version: "v1",
      compression: "none",
      export_fields: null,
    });
    const finished = async (service: BulkExportService, id: string): Promise<string> => {
      await until(() => Promise.resolve(service.exports.require(id).finished_at !== null));
      return service.exports.require(id).status;
    };

    for (const limits of [{ runMs: 100 }, { exportMs: 100 }]) {
      it(`time out after ${Object.keys(limits).join("")}`, async () => {
        const release = bin.hold();
        const service = openBulkExports(opened, limits);
        const { id } = service.exports.insert(order(), "Created");
        service.exporter.start();
        assert.equal(await finished(service, id), "TimedOut");
        const [run] = service.runs.list(id);
        assert.equal(run!.status, "TimedOut");
        assert.match(run!.errors!.retry_0!, /time for this export is over/);
        release();
        await service.exporter.stop();
      });
    }

    it("are tried again after a failure that is not the store's, and fail in the end", async () => {
      const { destinations, exports, runs, traces } = opened.bulkExports;
      let failures = 2;
      class Stumbling extends ExportWriter {
        override async write(...given: Parameters<ExportWriter["write"]>): Promise<void> {
          if (failures-- > 0) throw new Error("stumbled");
          await super.write(...given);
        }
      }
      const writer = new Stumbling(opened.store, runs, traces);
      const limits = { ...usualLimits, retries: 3, retryDelayMs: 1 };
      const exporter = new Exporter({ destinations, exports, runs, writer }, limits);
      const service = { ...opened.bulkExports, exporter };
      const first = exports.insert(order(), "Created");
      exporter.wake();
      assert.equal(await finished(service, first.id), "Completed");
      assert.deepEqual(runs.list(first.id)[0]!.errors, { retry_0: "stumbled", retry_1: "stumbled" });
      failures = 9;
      const second = exports.insert(order(), "Created");
      exporter.wake();
      assert.equal(await finished(service, second.id), "Failed");
      assert.equal(runs.list(second.id)[0]!.retry_number, 3);
      await exporter.stop();
    });
  });
});
