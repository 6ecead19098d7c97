import assert from "node:assert/strict";
import { parquetMetadata } from "hyparquet";
import { list, say, text } from "../support/localPlatform.ts";
import { until } from "../support/until.ts";
import type { Shape } from "../support/localPlatform.ts";
import { ExportStore, toArrayBuffer } from "./exportStore.ts";
import { bucketName, knownKey } from "../support/objectStore.ts";

describe("bulk exports into an S3-compatible store", () => {
  let bench: ExportStore;

  before(async () => {
    bench = await ExportStore.start();
  });
  after(() => bench.stop());
  beforeEach(() => bench.store.calm());

  describe("an export", () => {
    it("writes every run with its steps, model and tool calls, in the documented layout", async () => {
      const thread = await bench.platform.thread();
      const run = await bench.platform.run(thread, {
        assistant_id: "researcher",
        input: say("How do agents use memory?"),
        metadata: { team: "blue" },
      });
      const values = await bench.platform.join(thread, run);
      const done = await bench.exported({ bulk_export_destination_id: await bench.destination() });
      assert.equal(done.status, "Completed");
      const [part] = await bench.runsOf(done.id);
      const { result, prefix } = part!.metadata!;
      const day = new Date().toISOString().slice(0, 10).split("-");
      assert.equal(
        text(list(result!.exported_files)[0]),
        `${bucketName}/team/traces/export_id=${text(done.id)}/tenant_id=${bench.platform.ready.workspaceId}` +
          `/session_id=${bench.platform.ready.deploymentId}/runs/year=${day[0]}/month=${day[1]}/day=${day[2]}` +
          `/${text(part!.id)}-0.parquet`,
      );
      assert.ok(text(list(result!.exported_files)[0]).startsWith(text(prefix)));
      const rows = await bench.rowsOf(done.id);
      assert.equal(rows.length, Number(result!.rows_written));
      const trace = rows.filter(({ trace_id }) => trace_id === run);
      const root = trace.find(({ is_root }) => is_root === true)!;
      assert.equal(root.name, "researcher");
      assert.equal(root.status, "success");
      assert.equal(root.session_id, bench.platform.ready.deploymentId);
      assert.deepEqual(parsed(root.inputs), say("How do agents use memory?"));
      assert.deepEqual(parsed(root.outputs), values);
      assert.equal((parsed(root.extra) as Shape).metadata!.team, "blue");
      assert.ok(root.start_time instanceof Date && root.end_time instanceof Date);
      assert.deepEqual([...new Set(trace.map(({ run_type }) => run_type))].sort(), ["chain", "llm", "tool"]);
      const ids = new Set(trace.map(({ id }) => id));
      for (const row of trace) {
        if (row.is_root === true) continue;
        assert.ok(ids.has(row.parent_run_id), "every parent is there");
        assert.ok(text(row.dotted_order).includes(`.${text(row.dotted_order).split(".").at(-1)}`));
        assert.equal((parsed(row.parent_run_ids) as unknown[])[0], run);
      }
      const used = trace
        .filter(({ run_type }) => run_type === "llm")
        .reduce((sum, row) => sum + Number(row.total_tokens), 0);
      assert.ok(used > 0);
      assert.equal(Number(root.total_tokens), used);
    });

    it("holds each step once for each run that worked on it, as DuckDB reads it", async () => {
      const thread = await bench.platform.thread();
      const run = async (order: object) => {
        const id = await bench.platform.run(thread, { assistant_id: "approval", ...order });
        await bench.platform.join(thread, id);
        return id;
      };
      const asking = await run({ input: say("Send it") });
      const answered = await run({ command: { resume: { decisions: [{ type: "approve" }] } } });
      const done = await bench.exported({ bulk_export_destination_id: await bench.destination() });
      const read = async (sql: string) => await bench.duckRows(done.id, sql);
      assert.deepEqual(
        await read(
          `SELECT trace_id, status FROM rows WHERE name = 'review' AND run_type = 'chain'
             AND trace_id IN ('${asking}', '${answered}') ORDER BY start_time, status`,
        ),
        [
          { trace_id: asking, status: "interrupted" },
          { trace_id: answered, status: "success" },
        ],
      );
      const rows = await bench.rowsOf(done.id);
      const [counted] = await read("SELECT count(*)::INT AS all, count(DISTINCT id)::INT AS ids FROM rows");
      assert.deepEqual(counted, { all: rows.length, ids: rows.length });
      const orphans = await read(
        `SELECT id FROM rows AS one WHERE NOT is_root
           AND NOT EXISTS (SELECT 1 FROM rows WHERE id = one.parent_run_id AND trace_id = one.trace_id)`,
      );
      assert.deepEqual(orphans, []);
    });

    for (const [compression, codec] of [
      ["none", "UNCOMPRESSED"],
      ["gzip", "GZIP"],
      ["snappy", "SNAPPY"],
      ["zstandard", "ZSTD"],
    ] as const) {
      it(`is compressed with ${compression} when asked for`, async () => {
        const done = await bench.exported({
          bulk_export_destination_id: await bench.destination(),
          compression,
        });
        const [part] = await bench.runsOf(done.id);
        const key = text(list(part!.metadata!.result!.exported_files)[0]).slice(bucketName.length + 1);
        const { row_groups } = parquetMetadata(toArrayBuffer(await bench.store.read(key)));
        assert.equal(row_groups[0]!.columns[0]!.meta_data!.codec, codec);
        assert.ok((await bench.parquetRows(key)).length > 0);
      });
    }

    it("has UTC times in v2_beta, plain ones in v1, and just the fields asked for", async () => {
      const id = await bench.destination();
      for (const [format_version, utc] of [
        ["v1", false],
        ["v2_beta", true],
      ] as const) {
        const fields = ["start_time", "id", "total_tokens"];
        const done = await bench.exported({
          bulk_export_destination_id: id,
          format_version,
          export_fields: fields,
        });
        const [part] = await bench.runsOf(done.id);
        const key = text(list(part!.metadata!.result!.exported_files)[0]).slice(bucketName.length + 1);
        const { schema } = parquetMetadata(toArrayBuffer(await bench.store.read(key)));
        assert.deepEqual(
          schema.slice(1).map(({ name }) => name),
          fields,
        );
        assert.deepEqual(schema[1]!.logical_type, {
          type: "TIMESTAMP",
          isAdjustedToUTC: utc,
          unit: "MICROS",
        });
        assert.deepEqual(Object.keys((await bench.parquetRows(key))[0]!), fields);
      }
    });

    it("holds the rows that begin in its window and pass its filter, and no others", async () => {
      const id = await bench.destination();
      const all = await bench.rowsOf((await bench.exported({ bulk_export_destination_id: id })).id);
      const times = all.map(({ start_time }) => (start_time as Date).toISOString()).sort();
      const middle = times[Math.floor(times.length / 2)]!;
      const before = await bench.rowsOf(
        (await bench.exported({ bulk_export_destination_id: id, end_time: middle })).id,
      );
      const after = await bench.rowsOf(
        (await bench.exported({ bulk_export_destination_id: id, start_time: middle })).id,
      );
      assert.ok(before.every(({ start_time }) => (start_time as Date).toISOString() < middle));
      assert.ok(after.every(({ start_time }) => (start_time as Date).toISOString() >= middle));
      assert.deepEqual([...before, ...after].map(({ id }) => id).sort(), all.map(({ id }) => id).sort());
      const filter = `and(eq(run_type, "llm"), gt(total_tokens, 0))`;
      const calls = await bench.rowsOf((await bench.exported({ bulk_export_destination_id: id, filter })).id);
      assert.deepEqual(
        calls.map(({ id }) => id).sort(),
        all
          .filter(({ run_type, total_tokens }) => run_type === "llm" && Number(total_tokens) > 0)
          .map(({ id }) => id)
          .sort(),
      );
    });

    it("of a window in which nothing happened is completed, with no file", async () => {
      const id = await bench.destination();
      const done = await bench.exported({ bulk_export_destination_id: id, end_time: "2020-01-02T00:00:00Z" });
      assert.equal(done.status, "Completed");
      const [part] = await bench.runsOf(done.id);
      assert.deepEqual(part!.metadata!.result!.exported_files, []);
      assert.equal(Number(part!.metadata!.result!.rows_written), 0);
    });

    it("fails with the store's reason, and is not tried again", async () => {
      const id = await bench.destination();
      bench.store.refusals = [{ method: "PUT", status: 403, code: "AccessDenied" }];
      const done = await bench.exported({ bulk_export_destination_id: id });
      assert.equal(done.status, "Failed");
      const [part] = await bench.runsOf(done.id);
      assert.equal(part!.status, "Failed");
      assert.equal(Number(part!.retry_number), 0);
      assert.match(text(part!.errors!.retry_0), /^Access denied: /);
    });
  });

  describe("new credentials", () => {
    const other = { access_key_id: "NOBODY", secret_access_key: "another-secret-9876543210" };

    it("are refused when a test write with them fails, and the old ones stay", async () => {
      const id = await bench.destination();
      const answer = await bench.send("PATCH", `/destinations/${id}`, { credentials: other });
      assert.equal(answer.status, 400);
      assert.match(text(answer.body.detail), /^Key ID you provided does not exist: /);
      const forged = { ...knownKey, secret_access_key: "not-the-secret-0123456789" };
      const mistaken = await bench.send("PATCH", `/destinations/${id}`, { credentials: forged });
      assert.equal(mistaken.status, 400);
      assert.match(text(mistaken.body.detail), /^Access denied: /);
      bench.store.refusals = [{ method: "PUT", status: 403, code: "AccessDenied" }];
      const denied = await bench.send("PATCH", `/destinations/${id}`, { credentials: knownKey });
      assert.equal(denied.status, 400);
      assert.match(text(denied.body.detail), /^Access denied: /);
      bench.store.refusals = [];
      assert.equal((await bench.exported({ bulk_export_destination_id: id })).status, "Completed");
    });

    it("are used by new runs, while a run that has started keeps the old ones to its end", async () => {
      const id = await bench.destination();
      let release: () => void = () => undefined;
      bench.store.held = new Promise<void>((resolve) => (release = resolve));
      bench.store.seen.length = 0;
      const running = await bench.send("POST", "", {
        bulk_export_destination_id: id,
        session_id: bench.platform.ready.deploymentId,
        start_time: "2020-01-01T00:00:00Z",
      });
      await until("the store saw one request", () => bench.store.seen.length === 1);
      assert.equal((await bench.send("GET", `/${text(running.body.id)}`)).body.status, "Running");
      const [part] = await bench.runsOf(running.body.id);
      assert.match(text(part!.metadata!.result!.pending_upload), /-0\.parquet$/);
      const free = bench.store.held;
      bench.store.held = Promise.resolve();
      const session = { ...knownKey, session_token: "token-of-the-new-credentials" };
      const patched = await bench.send("PATCH", `/destinations/${id}`, { credentials: session });
      assert.equal(patched.status, 200, patched.text);
      assert.deepEqual(patched.body.credentials_keys, [
        "access_key_id",
        "secret_access_key",
        "session_token",
      ]);
      release();
      await free;
      assert.equal((await bench.ended(text(running.body.id))).status, "Completed");
      const [first] = bench.store.seen;
      assert.equal(first!.token, "");
      const later = await bench.exported({ bulk_export_destination_id: id });
      assert.equal(later.status, "Completed");
      const uploads = bench.store.seen.filter(({ url }) => url.includes(text(later.id)));
      assert.ok(uploads.length > 0 && uploads.every(({ token }) => token === session.session_token));
      const old = bench.store.seen.filter(({ url }) => url.includes(text(running.body.id)));
      assert.ok(old.every(({ token }) => token === ""));
    });
  });
});

function parsed(value: unknown): unknown {
  return JSON.parse(text(value));
}
