import assert from "node:assert/strict";
import { inspect } from "node:util";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { bulkExportFailure } from "../../../src/api/bulkExports/destinations.ts";
import { isFailed, isOver, isSchedule } from "../../../src/api/bulkExports/bulkExport.ts";
import { ExportJobs } from "../../../src/api/bulkExports/exportJobs.ts";
import {
  Destinations,
  type Destination,
  type DestinationCause,
  type DestinationCreate,
} from "../../../src/api/bulkExports/destinations.ts";
import type { ExportCreate } from "../../../src/api/bulkExports/bulkExport.ts";
import { ApiError } from "../../../src/api/errors.ts";
import { Http } from "../../../src/api/http.ts";
import { serve } from "../../support/testServer.ts";
import type { TestServer } from "../../support/testServer.ts";

const folder = join(import.meta.dirname, "../../fixtures/wire/bulkExports");
const recorded = (name: string): string => readFileSync(join(folder, `${name}.json`), "utf8");
const destination = JSON.parse(recorded("destination")) as Destination;
const root = "/api/v1/bulk-exports";
const credentials = { access_key_id: "AKIA1", secret_access_key: "s3cret", session_token: "temporary" };
const order: DestinationCreate = {
  destination_type: "s3",
  display_name: "Trace archive",
  config: { bucket_name: "acme-traces", prefix: "agents", region: "eu-central-1" },
  credentials,
};

const client = (server: TestServer) => {
  const http = new Http({
    baseUrl: server.url,
    headers: () => Promise.resolve({ "x-api-key": "key", "x-tenant-id": "workspace" }),
  });
  return { destinations: new Destinations(http), jobs: new ExportJobs(http) };
};
const asked = (server: TestServer): string[] => server.asked.map(({ method, url }) => `${method} ${url}`);

describe("Clients of bulk exports", () => {
  it("sends key and workspace with every request", async () => {
    await using server = await serve(() => ({ body: `[${recorded("destination")}]` }));
    await client(server).destinations.list();
    const [{ headers } = { headers: {} as Record<string, string> }] = server.asked;
    assert.deepEqual([headers["x-api-key"], headers["x-tenant-id"]], ["key", "workspace"]);
  });

  it("lists destinations with everything that they have", async () => {
    await using server = await serve(() => ({ body: `[${recorded("destination")}]` }));
    assert.deepEqual(await client(server).destinations.list(), [destination]);
    assert.deepEqual(asked(server), [`GET ${root}/destinations`]);
  });

  for (const status of [404, 405]) {
    it(`learns once from ${String(status)} that there are no lists, and gets destinations one by one`, async () => {
      await using server = await serve(({ url }) =>
        url.endsWith(destination.id) ? { body: recorded("destination") } : { status, body: "{}" },
      );
      const { destinations, jobs } = client(server);
      assert.equal(await destinations.list(), undefined);
      assert.equal(await destinations.list(), undefined);
      assert.equal(await jobs.list(), undefined);
      assert.equal(await jobs.list(), undefined);
      assert.deepEqual(await destinations.get(destination.id), destination);
      assert.equal(await destinations.get("gone"), undefined);
      assert.deepEqual(asked(server).slice(0, 2), [`GET ${root}/destinations`, `GET ${root}`]);
      assert.equal(server.asked.length, 4);
    });
  }

  it("creates a destination with what was given and nothing more, once", async () => {
    await using server = await serve(() => ({ body: recorded("destination") }));
    const made = await client(server).destinations.create(order);
    assert.equal(made.id, destination.id);
    assert.deepEqual(asked(server), [`POST ${root}/destinations`]);
    assert.deepEqual(JSON.parse(server.asked[0]?.body ?? ""), order);
  });

  it("leaves the credentials out where the service's environment has them", async () => {
    await using server = await serve(() => ({ body: recorded("destination") }));
    const { destination_type, display_name, config } = order;
    await client(server).destinations.create({ destination_type, display_name, config });
    assert.equal("credentials" in (JSON.parse(server.asked[0]?.body ?? "") as object), false);
  });

  it("changes the credentials alone, and reads an answer of five fields", async () => {
    await using server = await serve(() => ({ body: recorded("rotated") }));
    const changed = await client(server).destinations.rotate(destination.id, credentials);
    assert.deepEqual(asked(server), [`PATCH ${root}/destinations/${destination.id}`]);
    assert.deepEqual(JSON.parse(server.asked[0]?.body ?? ""), { credentials });
    assert.deepEqual(changed, JSON.parse(recorded("rotated")));
  });

  it("never repeats what writes, and never shows the credentials", async () => {
    await using server = await serve(() => ({ status: 503, headers: { "retry-after": "0" } }));
    const { destinations, jobs } = client(server);
    const start: ExportCreate = { bulk_export_destination_id: "d", start_time: "2026-06-01T00:00:00Z" };
    const writing = [
      () => destinations.create(order),
      () => destinations.rotate("d", credentials),
      () => jobs.create(start),
      () => jobs.cancel("e"),
    ];
    for (const write of writing) {
      await assert.rejects(write, (error) => {
        assert.ok(error instanceof ApiError && error.kind === "server");
        assert.doesNotMatch(JSON.stringify(error) + String(error.stack), /s3cret|temporary|AKIA1/);
        return true;
      });
    }
    assert.equal(server.asked.length, writing.length);
  });

  it("keeps nothing of the credentials that a refusal repeats", async () => {
    const issue = { loc: ["body", "credentials"], msg: "bad", type: "t", input: credentials };
    await using server = await serve(() => ({ status: 422, body: JSON.stringify({ detail: [issue] }) }));
    await assert.rejects(client(server).destinations.create(order), (error) => {
      assert.ok(error instanceof ApiError && error.fields?.[0]?.msg === "bad");
      assert.doesNotMatch(inspect(error, { depth: 9 }), /s3cret|temporary|AKIA1/);
      return true;
    });
  });

  it("lists jobs, their runs and statuses that are not known", async () => {
    await using server = await serve(({ url }) => ({
      body: recorded(url.endsWith("runs") ? "runs" : "exports"),
    }));
    const { jobs } = client(server);
    assert.deepEqual(await jobs.list(), JSON.parse(recorded("exports")));
    const runs = await jobs.runs("c3f0");
    assert.deepEqual(
      runs.map(({ status }) => status),
      ["Completed", "Paused"],
    );
    assert.deepEqual(asked(server), [`GET ${root}`, `GET ${root}/c3f0/runs`]);
  });

  it("creates and cancels jobs", async () => {
    const [job] = JSON.parse(recorded("exports")) as [object];
    await using server = await serve(() => ({ body: JSON.stringify(job) }));
    const { jobs } = client(server);
    const body = { bulk_export_destination_id: "d", session_id: "p", start_time: "2026-06-01T00:00:00Z" };
    await jobs.create(body);
    await jobs.cancel("e/1");
    assert.deepEqual(asked(server), [`POST ${root}`, `PATCH ${root}/e%2F1`]);
    assert.deepEqual(
      server.asked.map((each) => JSON.parse(each.body) as unknown),
      [body, { status: "Cancelled" }],
    );
  });

  it("reads a status in any letter case", () => {
    assert.deepEqual(["Completed", "FAILED", "timed_out", "Cancelled"].map(isOver), [true, true, true, true]);
    assert.deepEqual(["Created", "RUNNING", "Paused"].map(isOver), [false, false, false]);
    assert.deepEqual(["IntervalScheduled", "INTERVAL_SCHEDULED", "Created"].map(isSchedule), [
      true,
      true,
      false,
    ]);
    assert.deepEqual(["Failed", "TIMED_OUT", "Cancelled"].map(isFailed), [true, true, false]);
  });
});

describe("bulkExportFailure", () => {
  interface Refusal {
    readonly status: number;
    readonly body: unknown;
    readonly cause: string | null;
  }

  /** What each says is wrong, and what to do. */
  const tells: Readonly<Record<DestinationCause, RegExp>> = {
    accessDenied: /may not write to this bucket\. Allow them to write/,
    sessionExpired: /have expired\. Get new ones/,
    bucketNotValid: /does not exist in this region.*Check the bucket's name and region/,
    keyIdUnknown: /does not know this access key ID\. Check that the key is active/,
    invalidEndpoint: /not the address of an S3-compatible store\. Correct the address/,
    invalidBucketName: /does not find the bucket's name.*addressing style virtual/,
    permissionMissing: /may not change destinations\. Use a key with the permission/,
    workspaceMissing: /need the workspace's ID\. Enter it/,
  };
  for (const { status, body, cause } of JSON.parse(recorded("refusals")) as Refusal[]) {
    const text = typeof body === "string" ? body : JSON.stringify(body);
    it(`reads ${String(status)} ${text} as ${cause ?? "no refusal of the destination"}`, async () => {
      await using server = await serve(() => ({ status, body: text }));
      const error: unknown = await client(server)
        .destinations.create(order)
        .catch((reason: unknown) => reason);
      const failure = bulkExportFailure(error);
      assert.equal(failure?.cause ?? null, cause);
      if (failure !== undefined) assert.match(`${failure.message} ${failure.remedy}`, tells[failure.cause]);
    });
  }
});
