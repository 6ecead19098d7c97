import assert from "node:assert/strict";
import { bulkExportFailure } from "../../src/api/bulkExports/destinations.ts";
import { isOver } from "../../src/api/bulkExports/bulkExport.ts";
import { ExportJobs } from "../../src/api/bulkExports/exportJobs.ts";
import { type DestinationCreate, Destinations } from "../../src/api/bulkExports/destinations.ts";
import type { BulkExport } from "../../src/api/bulkExports/bulkExport.ts";
import { Http } from "../../src/api/http.ts";
import { Projects } from "../../src/api/bulkExports/projects.ts";
import { platformSdkClient } from "./sdk/client.ts";
import { LocalPlatform, say } from "../support/localPlatform.ts";
import { until } from "../support/until.ts";
import { bucketName, knownKey, ObjectStore } from "../support/objectStore.ts";

describe("the client of bulk exports, with a Local Platform and an S3-compatible store", () => {
  let platform: LocalPlatform;
  let store: ObjectStore;
  let api: { readonly destinations: Destinations; readonly jobs: ExportJobs; readonly projects: Projects };

  before(async () => {
    store = await ObjectStore.start();
    platform = await LocalPlatform.start();
    const { baseUrl, apiKey, workspaceId } = platform.ready;
    const headers = (): Promise<Record<string, string>> =>
      Promise.resolve({ "x-api-key": apiKey, "x-tenant-id": workspaceId });
    const http = new Http({ baseUrl, headers });
    api = { destinations: new Destinations(http), jobs: new ExportJobs(http), projects: new Projects(http) };
  });
  after(async () => {
    await platform.remove();
    await store.stop();
  });
  beforeEach(() => {
    store.refusals = [];
  });

  const order = (changes: Partial<DestinationCreate> = {}, config: object = {}): DestinationCreate => ({
    destination_type: "s3",
    display_name: "Trace archive",
    config: { bucket_name: bucketName, prefix: "team", endpoint_url: store.url, ...config },
    credentials: knownKey,
    ...changes,
  });
  const causeOf = async (refused: Promise<unknown>): Promise<string | undefined> =>
    bulkExportFailure(
      await refused.then(
        () => undefined,
        (error: unknown) => error,
      ),
    )?.cause;

  it("reads every cause out of what a real store answers", async () => {
    const { destinations } = api;
    const wrongSecret = { ...knownKey, secret_access_key: "wrong-0123456789-abcdef" };
    assert.equal(await causeOf(destinations.create(order({ credentials: wrongSecret }))), "accessDenied");
    const noBucket = order({}, { bucket_name: "nothing-here" });
    assert.equal(await causeOf(destinations.create(noBucket)), "bucketNotValid");
    const nowhere = order({}, { endpoint_url: platform.ready.baseUrl });
    assert.equal(await causeOf(destinations.create(nowhere)), "invalidEndpoint");
    for (const [code, cause] of [
      ["InvalidAccessKeyId", "keyIdUnknown"],
      ["InvalidBucketName", "invalidBucketName"],
      ["ExpiredToken", "sessionExpired"],
      ["PermanentRedirect", "bucketNotValid"],
      ["AccessDenied", "accessDenied"],
    ] as const) {
      store.refusals = [{ method: "PUT", status: 400, code }];
      assert.equal(await causeOf(destinations.create(order())), cause);
    }
  });

  it("creates, lists, gets and changes a destination, and exports into it", async () => {
    const { destinations, jobs } = api;
    const made = await destinations.create(order());
    assert.deepEqual(await destinations.list(), [made]);
    assert.deepEqual(await destinations.get(made.id), made);
    const changed = await destinations.rotate(made.id, { ...knownKey, session_token: "t" });
    assert.deepEqual(changed.credentials_keys, ["access_key_id", "secret_access_key", "session_token"]);
    store.refusals = [{ method: "PUT", status: 403, code: "AccessDenied" }];
    assert.equal(await causeOf(destinations.rotate(made.id, knownKey)), "accessDenied");
    store.refusals = [];
    await platform.stream(await platform.thread(), { assistant_id: "echo", input: say("Hello") });
    const job = await jobs.create({
      bulk_export_destination_id: made.id,
      session_id: platform.ready.deploymentId,
      start_time: "2020-01-01T00:00:00Z",
    });
    let last: BulkExport = job;
    await until("the export is over", async () => {
      last = await jobs.get(job.id);
      return isOver(last.status);
    });
    assert.equal(last.status, "Completed");
    const [run] = await jobs.runs(job.id);
    const [file = ""] = run?.metadata?.result?.exported_files ?? [];
    assert.deepEqual(await store.keys(), [file.slice(bucketName.length + 1)]);
    assert.deepEqual(
      (await jobs.list())?.map(({ id }) => id),
      [job.id],
    );
  });

  it("lists the projects that the platform's own client lists", async () => {
    const { baseUrl, apiKey, deploymentId } = platform.ready;
    await platform.send("POST", `${baseUrl}/v1/managed/agents`, { name: "Night watch" });
    const sdk = await platformSdkClient(`${baseUrl}/api/v1`, apiKey);
    const theirs: { readonly id: string; readonly name: string }[] = [];
    for await (const { id, name } of sdk.listProjects()) theirs.push({ id, name });
    assert.deepEqual(
      (await api.projects.list())?.items.map(({ id, name }) => ({ id, name })),
      theirs,
    );
    assert.ok(theirs.some(({ name }) => name === "Night watch"));
    assert.ok(theirs.some(({ id }) => id === deploymentId));
  });
});
