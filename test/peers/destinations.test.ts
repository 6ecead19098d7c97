import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { list, text } from "../support/localPlatform.ts";
import { ExportStore } from "./exportStore.ts";
import { bucketName, knownKey } from "../support/objectStore.ts";

describe("destinations in an S3-compatible store", () => {
  let bench: ExportStore;

  before(async () => {
    bench = await ExportStore.start();
  });
  after(() => bench.stop());
  beforeEach(() => bench.store.calm());

  const refused = async (body: Record<string, unknown>, problem: RegExp): Promise<void> => {
    const before = list((await bench.send("GET", "/destinations")).body).length;
    const answer = await bench.send("POST", "/destinations", body);
    assert.equal(answer.status, 400, answer.text);
    assert.match(text(answer.body.detail), problem);
    assert.equal(answer.text.includes(knownKey.secret_access_key), false);
    assert.equal(list((await bench.send("GET", "/destinations")).body).length, before);
  };

  describe("creating a destination", () => {
    it("writes a test file below the prefix, sees it and deletes it", async () => {
      const made = await bench.send("POST", "/destinations", bench.order());
      assert.equal(made.status, 200, made.text);
      assert.deepEqual(
        bench.store.seen.map(({ method }) => method),
        ["PUT", "HEAD", "DELETE"],
      );
      assert.match(
        bench.store.seen[0]!.url,
        new RegExp(`^/${bucketName}/team/traces/tmp/[0-9a-f-]{36}\\.txt`),
      );
      assert.deepEqual(await bench.store.keys(), []);
      assert.deepEqual(made.body.credentials_keys, ["access_key_id", "secret_access_key"]);
      assert.equal(made.text.includes(knownKey.secret_access_key), false);
    });

    it("leaves the test file below tmp where deleting is not permitted", async () => {
      bench.store.refusals = [{ method: "DELETE", status: 403, code: "AccessDenied" }];
      await bench.destination({ prefix: "left" });
      assert.match((await bench.store.keys()).join(), /^left\/tmp\/[0-9a-f-]{36}\.txt$/);
    });

    it("is content where reading is not permitted", async () => {
      bench.store.refusals = [{ method: "HEAD", status: 403, code: "" }];
      await bench.destination({ prefix: "unread" });
    });

    it("recognizes denied access", async () => {
      bench.store.refusals = [{ method: "PUT", status: 403, code: "AccessDenied" }];
      await refused(bench.order(), /^Access denied: /);
    });

    it("recognizes a wrong secret as denied access", async () => {
      const credentials = { ...knownKey, secret_access_key: "not-the-secret-0123456789" };
      await refused(bench.order({}, credentials), /^Access denied: .*SignatureDoesNotMatch/);
    });

    it("recognizes a bucket that does not exist", async () => {
      await refused(bench.order({ bucket_name: "no-such-bucket" }), /^Bucket is not valid: /);
    });

    it("recognizes a bucket of another region", async () => {
      bench.store.refusals = [{ method: "PUT", status: 301, code: "PermanentRedirect" }];
      await refused(bench.order({ region: "eu-west-1" }), /^Bucket is not valid: /);
    });

    it("recognizes an unknown access key", async () => {
      await refused(
        bench.order({}, { ...knownKey, access_key_id: "NOBODY" }),
        /^Key ID you provided does not exist: /,
      );
    });

    it("recognizes a bucket name that the addressing style hides", async () => {
      bench.store.refusals = [{ method: "PUT", status: 400, code: "InvalidBucketName" }];
      await refused(bench.order(), /^InvalidBucketName: .*addressing_style to virtual/);
    });

    it("recognizes an endpoint where nothing listens, and one that is no address", async () => {
      const closed = await closedPort();
      await refused(bench.order({ endpoint_url: `http://127.0.0.1:${closed}` }), /^Invalid endpoint: /);
      await refused(bench.order({ endpoint_url: "my store" }), /^Invalid endpoint: /);
      await refused(bench.order({ endpoint_url: "ftp://127.0.0.1" }), /^Invalid endpoint: /);
      await refused(
        bench.order({ endpoint_url: bench.store.url.replace("//", "//user:pw@") }),
        /^Invalid endpoint: /,
      );
    });

    for (const status of [200, 204, 404, 403, 500]) {
      it(`recognizes an endpoint that is a web page, answering ${status}`, async () => {
        const server = createServer((request, response) => {
          request.resume();
          response.writeHead(status, { "content-type": "text/html" });
          response.end(status === 204 ? undefined : "<!doctype html><html><body><br>Hello</body></html>");
        });
        await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
        const { port } = server.address() as AddressInfo;
        await refused(bench.order({ endpoint_url: `http://127.0.0.1:${port}` }), /^Invalid endpoint: /);
        server.closeAllConnections();
        server.close();
      });
    }
  });

  describe("addressing", () => {
    it("puts the bucket into the path when asked to, and by default at an endpoint of its own", async () => {
      for (const config_kwargs_s3 of [
        undefined,
        { addressing_style: "path" },
        { addressing_style: "auto" },
      ]) {
        bench.store.seen.length = 0;
        await bench.destination(config_kwargs_s3 === undefined ? {} : { config_kwargs_s3 });
        assert.match(bench.store.seen[0]!.url, new RegExp(`^/${bucketName}/team/`));
      }
    });

    it("puts the bucket into the host when asked to", async () => {
      const endpoint_url = bench.store.url.replace("127.0.0.1", "localhost");
      const config = { endpoint_url, config_kwargs_s3: { addressing_style: "virtual" } };
      const answer = await bench.send("POST", "/destinations", bench.order(config));
      if (answer.status === 200)
        assert.match(bench.store.seen[0]!.host, new RegExp(`^${bucketName}\\.localhost`));
      else
        assert.match(text(answer.body.detail), new RegExp(`^Invalid endpoint: .*${bucketName}\\.localhost`));
    });

    it("leaves the bucket out when the endpoint names it already", async () => {
      const id = await bench.destination({
        prefix: "named",
        endpoint_url: `${bench.store.url}/${bucketName}`,
        include_bucket_in_prefix: false,
      });
      assert.match(bench.store.seen[0]!.url, new RegExp(`^/${bucketName}/named/tmp/`));
      const done = await bench.exported({ bulk_export_destination_id: id });
      assert.equal(done.status, "Completed");
      const [run] = await bench.runsOf(done.id);
      const [file] = list(run!.metadata!.result!.exported_files).map(text);
      assert.match(file!, /^named\/export_id=/);
      assert.ok((await bench.store.keys()).includes(file!));
    });
  });
});

/** A port that was free a moment ago. */
async function closedPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise<void>((resolve) => server.close(() => resolve()));
  return port;
}
