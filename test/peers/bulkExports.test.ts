import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { gunzipSync, zstdDecompressSync } from "node:zlib";
import { parquetMetadata, parquetReadObjects } from "hyparquet";
import { list, LocalPlatform, say, text, until } from "../unit/emulator/localPlatform.ts";
import type { Answer, Shape } from "../unit/emulator/localPlatform.ts";
import { bucketName, knownKey, ObjectStore } from "./objectStore.ts";

type Fields = Record<string, unknown>;

const compressors = {
  GZIP: (bytes: Uint8Array) => new Uint8Array(gunzipSync(bytes)),
  ZSTD: (bytes: Uint8Array) => new Uint8Array(zstdDecompressSync(bytes)),
};

describe("bulk exports into an S3-compatible store", () => {
  let platform: LocalPlatform;
  let store: ObjectStore;

  before(async () => {
    store = await ObjectStore.start();
    platform = await LocalPlatform.start();
  });
  after(async () => {
    await platform.remove();
    await store.stop();
  });
  beforeEach(() => {
    store.refusals = [];
    store.held = Promise.resolve();
    store.seen.length = 0;
  });

  const send = async (method: string, path: string, body?: unknown): Promise<Answer> =>
    await platform.send(method, `${platform.ready.baseUrl}/api/v1/bulk-exports${path}`, body, {
      "x-tenant-id": platform.ready.workspaceId,
    });
  const order = (config: Fields = {}, credentials: Fields | null = knownKey): Fields => ({
    destination_type: "s3",
    display_name: "Trace archive",
    config: { bucket_name: bucketName, prefix: "team/traces", endpoint_url: store.url, ...config },
    credentials,
  });
  const destination = async (config: Fields = {}, credentials: Fields = knownKey): Promise<string> => {
    const made = await send("POST", "/destinations", order(config, credentials));
    assert.equal(made.status, 200, made.text);
    return text(made.body.id);
  };
  const refused = async (body: Fields, problem: RegExp): Promise<void> => {
    const before = list((await send("GET", "/destinations")).body).length;
    const answer = await send("POST", "/destinations", body);
    assert.equal(answer.status, 400, answer.text);
    assert.match(text(answer.body.detail), problem);
    assert.equal(answer.text.includes(knownKey.secret_access_key), false);
    assert.equal(list((await send("GET", "/destinations")).body).length, before);
  };
  const exported = async (body: Fields): Promise<Shape> => {
    const made = await send("POST", "", {
      session_id: platform.ready.deploymentId,
      start_time: "2020-01-01T00:00:00Z",
      ...body,
    });
    assert.equal(made.status, 200, made.text);
    return await ended(text(made.body.id));
  };
  const ended = async (id: string): Promise<Shape> => {
    let last: Shape = {};
    await until(async () => {
      last = (await send("GET", `/${id}`)).body;
      return !["Created", "Running"].includes(text(last.status));
    });
    return last;
  };
  const runsOf = async (id: unknown): Promise<Shape[]> => list((await send("GET", `/${text(id)}/runs`)).body);
  const rowsOf = async (id: unknown): Promise<Fields[]> => {
    const files = (await runsOf(id)).flatMap((run) => list(run.metadata!.result!.exported_files).map(text));
    const rows: Fields[] = [];
    for (const file of files) rows.push(...(await parquetRows(file.slice(bucketName.length + 1))));
    return rows;
  };
  const parquetRows = async (key: string): Promise<Fields[]> => {
    const file = toArrayBuffer(await store.read(key));
    return await parquetReadObjects({ file, compressors });
  };

  describe("creating a destination", () => {
    it("writes a test file below the prefix, sees it and deletes it", async () => {
      const made = await send("POST", "/destinations", order());
      assert.equal(made.status, 200, made.text);
      assert.deepEqual(
        store.seen.map(({ method }) => method),
        ["PUT", "HEAD", "DELETE"],
      );
      assert.match(store.seen[0]!.url, new RegExp(`^/${bucketName}/team/traces/tmp/[0-9a-f-]{36}\\.txt`));
      assert.deepEqual(await store.keys(), []);
      assert.deepEqual(made.body.credentials_keys, ["access_key_id", "secret_access_key"]);
      assert.equal(made.text.includes(knownKey.secret_access_key), false);
    });

    it("leaves the test file below tmp where deleting is not permitted", async () => {
      store.refusals = [{ method: "DELETE", status: 403, code: "AccessDenied" }];
      await destination({ prefix: "left" });
      assert.match((await store.keys()).join(), /^left\/tmp\/[0-9a-f-]{36}\.txt$/);
    });

    it("is content where reading is not permitted", async () => {
      store.refusals = [{ method: "HEAD", status: 403, code: "" }];
      await destination({ prefix: "unread" });
    });

    it("tells denied access", async () => {
      store.refusals = [{ method: "PUT", status: 403, code: "AccessDenied" }];
      await refused(order(), /^Access denied: /);
    });

    it("tells a wrong secret as denied access", async () => {
      const credentials = { ...knownKey, secret_access_key: "not-the-secret-0123456789" };
      await refused(order({}, credentials), /^Access denied: .*SignatureDoesNotMatch/);
    });

    it("tells a bucket that does not exist", async () => {
      await refused(order({ bucket_name: "no-such-bucket" }), /^Bucket is not valid: /);
    });

    it("tells a bucket of another region", async () => {
      store.refusals = [{ method: "PUT", status: 301, code: "PermanentRedirect" }];
      await refused(order({ region: "eu-west-1" }), /^Bucket is not valid: /);
    });

    it("tells an unknown access key", async () => {
      await refused(
        order({}, { ...knownKey, access_key_id: "NOBODY" }),
        /^Key ID you provided does not exist: /,
      );
    });

    it("tells a bucket name that the addressing style hides", async () => {
      store.refusals = [{ method: "PUT", status: 400, code: "InvalidBucketName" }];
      await refused(order(), /^InvalidBucketName: .*addressing_style to virtual/);
    });

    it("tells an endpoint where nothing listens, and one that is no address", async () => {
      const closed = await closedPort();
      await refused(order({ endpoint_url: `http://127.0.0.1:${closed}` }), /^Invalid endpoint: /);
      await refused(order({ endpoint_url: "my store" }), /^Invalid endpoint: /);
      await refused(order({ endpoint_url: "ftp://127.0.0.1" }), /^Invalid endpoint: /);
      await refused(order({ endpoint_url: store.url.replace("//", "//user:pw@") }), /^Invalid endpoint: /);
    });

    for (const status of [200, 204, 404, 403, 500]) {
      it(`tells an endpoint that is a web page, answering ${status}`, async () => {
        const server = createServer((request, response) => {
          request.resume();
          response.writeHead(status, { "content-type": "text/html" });
          response.end(status === 204 ? undefined : "<!doctype html><html><body><br>Hello</body></html>");
        });
        await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
        const { port } = server.address() as AddressInfo;
        await refused(order({ endpoint_url: `http://127.0.0.1:${port}` }), /^Invalid endpoint: /);
        server.closeAllConnections();
        server.close();
      });
    }
  });

  describe("addressing", () => {
    it("puts the bucket into the path when told so, and by default at an endpoint of its own", async () => {
      for (const config_kwargs_s3 of [
        undefined,
        { addressing_style: "path" },
        { addressing_style: "auto" },
      ]) {
        store.seen.length = 0;
        await destination(config_kwargs_s3 === undefined ? {} : { config_kwargs_s3 });
        assert.match(store.seen[0]!.url, new RegExp(`^/${bucketName}/team/`));
      }
    });

    it("puts the bucket into the host when told so", async () => {
      const endpoint_url = store.url.replace("127.0.0.1", "localhost");
      const config = { endpoint_url, config_kwargs_s3: { addressing_style: "virtual" } };
      const answer = await send("POST", "/destinations", order(config));
      if (answer.status === 200) assert.match(store.seen[0]!.host, new RegExp(`^${bucketName}\\.localhost`));
      else
        assert.match(text(answer.body.detail), new RegExp(`^Invalid endpoint: .*${bucketName}\\.localhost`));
    });

    it("leaves the bucket out when the endpoint names it already", async () => {
      const id = await destination({
        prefix: "named",
        endpoint_url: `${store.url}/${bucketName}`,
        include_bucket_in_prefix: false,
      });
      assert.match(store.seen[0]!.url, new RegExp(`^/${bucketName}/named/tmp/`));
      const done = await exported({ bulk_export_destination_id: id });
      assert.equal(done.status, "Completed");
      const [run] = await runsOf(done.id);
      const [file] = list(run!.metadata!.result!.exported_files).map(text);
      assert.match(file!, /^named\/export_id=/);
      assert.ok((await store.keys()).includes(file!));
    });
  });

  describe("an export", () => {
    it("writes every run with its steps, model and tool calls, in the documented layout", async () => {
      const thread = await platform.thread();
      const run = await platform.run(thread, {
        assistant_id: "researcher",
        input: say("How do agents use memory?"),
        metadata: { team: "blue" },
      });
      const values = await platform.join(thread, run);
      const done = await exported({ bulk_export_destination_id: await destination() });
      assert.equal(done.status, "Completed");
      const [part] = await runsOf(done.id);
      const { result, prefix } = part!.metadata!;
      const day = new Date().toISOString().slice(0, 10).split("-");
      assert.equal(
        text(list(result!.exported_files)[0]),
        `${bucketName}/team/traces/export_id=${text(done.id)}/tenant_id=${platform.ready.workspaceId}` +
          `/session_id=${platform.ready.deploymentId}/runs/year=${day[0]}/month=${day[1]}/day=${day[2]}` +
          `/${text(part!.id)}-0.parquet`,
      );
      assert.ok(text(list(result!.exported_files)[0]).startsWith(text(prefix)));
      const rows = await rowsOf(done.id);
      assert.equal(rows.length, Number(result!.rows_written));
      const trace = rows.filter(({ trace_id }) => trace_id === run);
      const root = trace.find(({ is_root }) => is_root === true)!;
      assert.equal(root.name, "researcher");
      assert.equal(root.status, "success");
      assert.equal(root.session_id, platform.ready.deploymentId);
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

    for (const [compression, codec] of [
      ["none", "UNCOMPRESSED"],
      ["gzip", "GZIP"],
      ["snappy", "SNAPPY"],
      ["zstandard", "ZSTD"],
    ] as const) {
      it(`is compressed with ${compression} when asked for`, async () => {
        const done = await exported({ bulk_export_destination_id: await destination(), compression });
        const [part] = await runsOf(done.id);
        const key = text(list(part!.metadata!.result!.exported_files)[0]).slice(bucketName.length + 1);
        const { row_groups } = parquetMetadata(toArrayBuffer(await store.read(key)));
        assert.equal(row_groups[0]!.columns[0]!.meta_data!.codec, codec);
        assert.ok((await parquetRows(key)).length > 0);
      });
    }

    it("has UTC times in v2_beta, plain ones in v1, and just the fields asked for", async () => {
      const id = await destination();
      for (const [format_version, utc] of [
        ["v1", false],
        ["v2_beta", true],
      ] as const) {
        const fields = ["start_time", "id", "total_tokens"];
        const done = await exported({
          bulk_export_destination_id: id,
          format_version,
          export_fields: fields,
        });
        const [part] = await runsOf(done.id);
        const key = text(list(part!.metadata!.result!.exported_files)[0]).slice(bucketName.length + 1);
        const { schema } = parquetMetadata(toArrayBuffer(await store.read(key)));
        assert.deepEqual(
          schema.slice(1).map(({ name }) => name),
          fields,
        );
        assert.deepEqual(schema[1]!.logical_type, {
          type: "TIMESTAMP",
          isAdjustedToUTC: utc,
          unit: "MICROS",
        });
        assert.deepEqual(Object.keys((await parquetRows(key))[0]!), fields);
      }
    });

    it("holds the rows that begin in its window and pass its filter, and no others", async () => {
      const id = await destination();
      const all = await rowsOf((await exported({ bulk_export_destination_id: id })).id);
      const times = all.map(({ start_time }) => (start_time as Date).toISOString()).sort();
      const middle = times[Math.floor(times.length / 2)]!;
      const before = await rowsOf((await exported({ bulk_export_destination_id: id, end_time: middle })).id);
      const after = await rowsOf((await exported({ bulk_export_destination_id: id, start_time: middle })).id);
      assert.ok(before.every(({ start_time }) => (start_time as Date).toISOString() < middle));
      assert.ok(after.every(({ start_time }) => (start_time as Date).toISOString() >= middle));
      assert.deepEqual([...before, ...after].map(({ id }) => id).sort(), all.map(({ id }) => id).sort());
      const filter = `and(eq(run_type, "llm"), gt(total_tokens, 0))`;
      const calls = await rowsOf((await exported({ bulk_export_destination_id: id, filter })).id);
      assert.deepEqual(
        calls.map(({ id }) => id).sort(),
        all
          .filter(({ run_type, total_tokens }) => run_type === "llm" && Number(total_tokens) > 0)
          .map(({ id }) => id)
          .sort(),
      );
    });

    it("of a window in which nothing happened is completed, with no file", async () => {
      const id = await destination();
      const done = await exported({ bulk_export_destination_id: id, end_time: "2020-01-02T00:00:00Z" });
      assert.equal(done.status, "Completed");
      const [part] = await runsOf(done.id);
      assert.deepEqual(part!.metadata!.result!.exported_files, []);
      assert.equal(Number(part!.metadata!.result!.rows_written), 0);
    });

    it("fails with the store's reason, and is not tried again", async () => {
      const id = await destination();
      store.refusals = [{ method: "PUT", status: 403, code: "AccessDenied" }];
      const done = await exported({ bulk_export_destination_id: id });
      assert.equal(done.status, "Failed");
      const [part] = await runsOf(done.id);
      assert.equal(part!.status, "Failed");
      assert.equal(Number(part!.retry_number), 0);
      assert.match(text(part!.errors!.retry_0), /^Access denied: /);
    });
  });

  describe("new credentials", () => {
    const other = { access_key_id: "NOBODY", secret_access_key: "another-secret-9876543210" };

    it("are refused when a test write with them fails, and the old ones stay", async () => {
      const id = await destination();
      const answer = await send("PATCH", `/destinations/${id}`, { credentials: other });
      assert.equal(answer.status, 400);
      assert.match(text(answer.body.detail), /^Key ID you provided does not exist: /);
      const forged = { ...knownKey, secret_access_key: "not-the-secret-0123456789" };
      const mistaken = await send("PATCH", `/destinations/${id}`, { credentials: forged });
      assert.equal(mistaken.status, 400);
      assert.match(text(mistaken.body.detail), /^Access denied: /);
      store.refusals = [{ method: "PUT", status: 403, code: "AccessDenied" }];
      const denied = await send("PATCH", `/destinations/${id}`, { credentials: knownKey });
      assert.equal(denied.status, 400);
      assert.match(text(denied.body.detail), /^Access denied: /);
      store.refusals = [];
      assert.equal((await exported({ bulk_export_destination_id: id })).status, "Completed");
    });

    it("are used by new runs, while a run that has started keeps the old ones to its end", async () => {
      const id = await destination();
      let release: () => void = () => undefined;
      store.held = new Promise<void>((resolve) => (release = resolve));
      store.seen.length = 0;
      const running = await send("POST", "", {
        bulk_export_destination_id: id,
        session_id: platform.ready.deploymentId,
        start_time: "2020-01-01T00:00:00Z",
      });
      await until(async () => await Promise.resolve(store.seen.length === 1));
      assert.equal((await send("GET", `/${text(running.body.id)}`)).body.status, "Running");
      const [part] = await runsOf(running.body.id);
      assert.match(text(part!.metadata!.result!.pending_upload), /-0\.parquet$/);
      const free = store.held;
      store.held = Promise.resolve();
      const session = { ...knownKey, session_token: "token-of-the-new-credentials" };
      const patched = await send("PATCH", `/destinations/${id}`, { credentials: session });
      assert.equal(patched.status, 200, patched.text);
      assert.deepEqual(patched.body.credentials_keys, [
        "access_key_id",
        "secret_access_key",
        "session_token",
      ]);
      release();
      await free;
      assert.equal((await ended(text(running.body.id))).status, "Completed");
      const [first] = store.seen;
      assert.equal(first!.token, "");
      const later = await exported({ bulk_export_destination_id: id });
      assert.equal(later.status, "Completed");
      const uploads = store.seen.filter(({ url }) => url.includes(text(later.id)));
      assert.ok(uploads.length > 0 && uploads.every(({ token }) => token === session.session_token));
      const old = store.seen.filter(({ url }) => url.includes(text(running.body.id)));
      assert.ok(old.every(({ token }) => token === ""));
    });
  });
});

function parsed(value: unknown): unknown {
  return JSON.parse(text(value));
}

function toArrayBuffer(bytes: Uint8Array): ArrayBuffer {
  const buffer = new ArrayBuffer(bytes.length);
  new Uint8Array(buffer).set(bytes);
  return buffer;
}

/** A port that was free a moment ago. */
async function closedPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise<void>((resolve) => server.close(() => resolve()));
  return port;
}
