import assert from "node:assert/strict";
import { ExportBench } from "./exportBench.ts";
import { credentials } from "./exportClient.ts";
import { list, say, text } from "../../../support/localPlatform.ts";
import { until } from "../../../support/until.ts";
import { ManagedClient } from "../../../support/managedClient.ts";

describe("bulk exports", () => {
  let bench: ExportBench;

  before(async () => {
    bench = await ExportBench.start();
  });
  after(() => bench.stop());
  beforeEach(() => {
    bench.bin.visits.length = 0;
  });

  it("are answered at once as they were created, with every choice that was made or left out", async () => {
    const made = await bench.client.create(bench.destination, {
      start_time: "2026-01-01T02:00:00+02:00",
      end_time: "2026-01-02T00:00:00",
    });
    const { id, created_at, updated_at, ...rest } = made;
    assert.equal(created_at, updated_at);
    assert.deepEqual(rest, {
      bulk_export_destination_id: bench.destination,
      session_id: bench.platform.ready.deploymentId,
      all_experiments: false,
      start_time: "2026-01-01T00:00:00.000Z",
      end_time: "2026-01-02T00:00:00.000Z",
      interval_hours: null,
      filter: null,
      format: "Parquet",
      format_version: "v1",
      compression: "gzip",
      export_fields: null,
      tenant_id: bench.platform.ready.workspaceId,
      status: "Created",
      finished_at: null,
      source_bulk_export_id: null,
    });
    assert.equal(await bench.client.ended(id), "Completed");
    assert.equal(list((await bench.client.send("GET", "")).body)[0]!.id, id);
  });

  it("walk from Created over Running to Completed, as do their runs", async () => {
    const release = bench.bin.hold();
    const { id } = await bench.client.create(bench.destination);
    await until(
      "the export runs and uploads",
      async () => (await bench.client.status(id)) === "Running" && bench.bin.uploads().length === 1,
    );
    const [running] = await bench.client.runs(id);
    assert.equal(running!.status, "Running");
    assert.match(text(running!.start_time), /^\d{4}-/);
    assert.deepEqual([running!.end_time, running!.finished_at, running!.errors], [null, null, null]);
    release();
    assert.equal(await bench.client.ended(id), "Completed");
    const run = (await bench.client.send("GET", `/${text(id)}/runs/${text(running!.id)}`)).body;
    assert.equal(run.status, "Completed");
    const { result } = run.metadata!;
    assert.ok(Number(result!.rows_written) > 1);
    assert.deepEqual([result!.latest_cursor, result!.pending_upload], [null, null]);
    assert.match(text(result!.export_path), /^traces\/p\/export_id=.*\/runs$/);
    assert.match(text((await bench.client.send("GET", `/${text(id)}`)).body.finished_at), /^\d{4}-/);
  });

  it("can be cancelled once they run, and never start again", async () => {
    const release = bench.bin.hold();
    const { id } = await bench.client.create(bench.destination);
    await until("one upload has begun", () => bench.bin.uploads().length === 1);
    const cancelled = await bench.client.send("PATCH", `/${text(id)}`, { status: "Cancelled" });
    assert.equal(cancelled.status, 200);
    assert.equal(cancelled.body.status, "Cancelled");
    release();
    assert.deepEqual(
      (await bench.client.runs(id)).map(({ status }) => status),
      ["Cancelled"],
    );
    assert.equal((await bench.client.send("PATCH", `/${text(id)}`, { status: "Cancelled" })).status, 200);
    assert.equal((await bench.client.send("PATCH", `/${text(id)}`, { status: "Running" })).status, 422);
    assert.equal(await bench.client.status(id), "Cancelled");
  });

  it("that are over can't be cancelled", async () => {
    const { id } = await bench.client.create(bench.destination);
    await bench.client.ended(id);
    const answer = await bench.client.send("PATCH", `/${text(id)}`, { status: "Cancelled" });
    assert.equal(answer.status, 400);
    assert.match(text(answer.body.detail), /it is Completed/);
  });

  it("cover the runs of a managed agent by the id of its tracing project", async () => {
    const managed = new ManagedClient(bench.platform);
    const agent = await managed.agent();
    const thread = await managed.thread(text(agent.id));
    await managed.stream(thread, { agent_id: agent.id, input: say("hello") });
    const { id } = await bench.client.create(bench.destination, { session_id: agent.tracing_project_id });
    assert.equal(await bench.client.ended(id), "Completed");
    assert.ok(Number((await bench.client.runs(id))[0]!.metadata!.result!.rows_written) > 1);
    assert.ok(
      bench.bin.uploads()[0]!.includes(encodeURIComponent(`session_id=${text(agent.tracing_project_id)}`)),
    );
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
      const answer = await bench.client.send("POST", "", {
        bulk_export_destination_id: bench.destination,
        session_id: bench.platform.ready.deploymentId,
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
      assert.equal((await bench.client.send("GET", path)).status, 404);
    }
    await assert.rejects(bench.client.create(id), /Destination not found/);
    await assert.rejects(bench.client.create(bench.destination, { session_id: id }), /Session not found/);
    assert.equal((await bench.client.send("GET", "/runs")).status, 422);
  });

  it("of all experiments are completed with nothing, since there are none", async () => {
    const { id } = await bench.client.create(bench.destination, { session_id: null, all_experiments: true });
    assert.equal(await bench.client.ended(id), "Completed");
    assert.deepEqual(bench.bin.uploads(), []);
  });

  it("go on after a restart, with the credentials that they started with", async () => {
    const release = bench.bin.hold();
    const { id } = await bench.client.create(bench.destination);
    await until("one upload has begun", () => bench.bin.uploads().length === 1);
    const [before] = bench.bin.uploads();
    bench.bin.held = Promise.resolve();
    const renewed = { ...credentials, session_token: "newer" };
    const patched = await bench.client.send("PATCH", `/destinations/${bench.destination}`, {
      credentials: renewed,
    });
    assert.equal(patched.status, 200);
    await bench.restart(() => {
      release();
      bench.bin.visits.length = 0;
    });
    assert.equal(await bench.client.ended(id), "Completed");
    assert.ok(bench.bin.visits.every(({ token }) => token === ""));
    const [run] = await bench.client.runs(id);
    assert.equal(Number(run!.retry_number), 1);
    assert.match(text(run!.errors!.retry_0), /stopped during this attempt/);
    assert.equal(bench.bin.uploads().at(-1), before, "the second attempt writes the same file");
    bench.bin.visits.length = 0;
    await bench.client.ended((await bench.client.create(bench.destination)).id);
    assert.ok(bench.bin.visits.length > 0 && bench.bin.visits.every(({ token }) => token === "newer"));
  });
});
