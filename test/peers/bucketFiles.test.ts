import { deepEqual, equal, match, ok, rejects } from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, type IncomingMessage, request as sendRequest, type Server } from "node:http";
import { createServer as createSecure } from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createProxy } from "proxy";
import { createDispatcher } from "../../src/editor/network/dispatcher.ts";
import type { NetworkSettings } from "../../src/editor/network/proxy.ts";
import type { BucketObject } from "../../src/editor/parquet/readerMessages.ts";
import { TableReader } from "../../src/editor/parquet/tableReader.ts";
import type { ParquetError } from "../../src/table/parquetError.ts";
import { bucketName, knownKey, ObjectStore } from "../support/objectStore.ts";
import { parquetFile } from "../support/parquetFile.ts";
import { privateAuthority } from "../support/privateAuthority.ts";
import { readerProgram } from "../support/readerProgram.ts";

const rows = 50_000;
const numbers = Array.from({ length: rows }, (_, index) => index);
const file = parquetFile([
  { name: "n", data: numbers, type: "INT32" },
  { name: "text", data: numbers.map(() => randomBytes(45).toString("base64")), type: "STRING" },
]);

describe("A Parquet file in a bucket", () => {
  let store: ObjectStore;
  let folder: string;
  const readers: TableReader[] = [];
  const usual = { ...process.env };

  before(async () => {
    store = await ObjectStore.start();
    folder = await mkdtemp(join(tmpdir(), "profiles-"));
    await store.write("team/a.parquet", file);
  });
  beforeEach(async () => {
    store.calm();
    const { access_key_id: id, secret_access_key: secret } = knownKey;
    const keys = `aws_access_key_id = ${id}\naws_secret_access_key = ${secret}\n`;
    await writeFile(join(folder, "credentials"), `[traces]\n${keys}`);
    const others = Object.entries(process.env).filter(([name]) => !name.startsWith("AWS_"));
    process.env = Object.fromEntries(others);
    process.env["AWS_SHARED_CREDENTIALS_FILE"] = join(folder, "credentials");
    process.env["AWS_CONFIG_FILE"] = join(folder, "none");
    process.env["AWS_EC2_METADATA_DISABLED"] = "true";
  });
  afterEach(() => {
    for (const reader of readers.splice(0)) reader.close();
    process.env = { ...usual };
  });
  after(async () => {
    await store.stop();
    await rm(folder, { recursive: true });
  });

  const open = (
    changed: Partial<BucketObject> = {},
    settings: NetworkSettings = { strictSSL: true, systemCertificates: false },
  ): TableReader => {
    const dispatcher = createDispatcher(settings, process.env);
    const object: BucketObject = {
      ...{ bucket: bucketName, key: "team/a.parquet", region: undefined, endpoint: store.url },
      ...{ endpointIsBucket: false, forcePathStyle: true, profile: "traces", keys: undefined },
      ...changed,
    };
    const reader = new TableReader(
      { name: "a.parquet", object, dispatcher: () => Promise.resolve(dispatcher) },
      { program: readerProgram },
    );
    readers.push(reader);
    return reader;
  };

  it("is read by ranges with a profile of the person's own, and not as a whole", async () => {
    const reader = open();
    equal((await reader.facts()).rows, rows);
    const [column] = await reader.read({ rowStart: rows - 2, rowEnd: rows, columns: [0] });
    deepEqual(column && "cells" in column && column.cells.map(({ text }) => text), ["49998", "49999"]);
    const ranges = store.seen.filter(({ method }) => method === "GET").map(({ range }) => range);
    ok(ranges.length > 0 && ranges.every((range) => /^bytes=\d+-\d+$/.test(range)), ranges.join());
    const read = ranges
      .map((range) => /(\d+)-(\d+)/.exec(range) ?? [])
      .map(([, a, b]) => Number(b) - Number(a) + 1);
    ok(
      read.reduce((sum, bytes) => sum + bytes, 0) < file.length / 2,
      `${String(read)} of ${String(file.length)}`,
    );
  });

  it("is read through the editor's proxy, from a store whose certificate a private authority vouches for", async () => {
    const { authority, key, cert } = await privateAuthority();
    const secure = createSecure({ key, cert }, ({ method, url, headers }, response) => {
      const { port } = new URL(store.url);
      sendRequest({ host: "127.0.0.1", port, method, path: url, headers }, (answer) => {
        answer.pipe(response.writeHead(answer.statusCode ?? 502, answer.headers));
      }).end();
    });
    const proxy = createProxy(createServer());
    const tunnels: string[] = [];
    proxy.prependListener("connect", ({ url = "" }: IncomingMessage) => tunnels.push(url));
    const [host, via] = [await listening(secure), await listening(proxy)];
    const network = {
      ...{ proxy: `http://${via}`, proxyAuthorization: "Basic cGVyc29uOnNlY3JldA==" },
      ...{ strictSSL: true, systemCertificates: false, noProxy: ["<-loopback>"] },
    };
    const asked: (string | undefined)[] = [];
    proxy.authenticate = ({ headers }) => asked.push(headers["proxy-authorization"]) > 0;
    try {
      const unknown = open({ endpoint: `https://${host}` }, network);
      await rejects(unknown.facts(), /issued by Private Test CA, which this machine does not trust/);
      deepEqual(store.seen, []);
      await writeFile(join(folder, "authority.pem"), authority);
      process.env["NODE_EXTRA_CA_CERTS"] = join(folder, "authority.pem");
      const reader = open({ endpoint: `https://${host}` }, network);
      equal((await reader.facts()).rows, rows);
      const [column] = await reader.read({ rowStart: 7, rowEnd: 8, columns: [0] });
      deepEqual(column && "cells" in column && column.cells.map(({ text }) => text), ["7"]);
      deepEqual([...new Set(tunnels)], [host]);
      deepEqual([...new Set(asked)], [network.proxyAuthorization]);
      const closed = { ...network, proxy: "http://127.0.0.1:1" };
      const refused = open({ endpoint: `https://${host}` }, closed);
      await rejects(refused.facts(), /127\.0\.0\.1:1 can't be reached/);
    } finally {
      for (const server of [secure, proxy]) {
        server.closeAllConnections();
        server.close();
      }
    }
  });

  it("is read with the keys of the environment where no profile is wanted", async () => {
    process.env["AWS_ACCESS_KEY_ID"] = knownKey.access_key_id;
    process.env["AWS_SECRET_ACCESS_KEY"] = knownKey.secret_access_key;
    equal((await open({ profile: undefined }).facts()).rows, rows);
  });

  it("is read where the address names the bucket already", async () => {
    const object = { endpoint: `${store.url}/${bucketName}`, endpointIsBucket: true };
    equal((await open(object).facts()).rows, rows);
  });

  it("says that there are no credentials, and asks the store nothing", async () => {
    await writeFile(join(folder, "credentials"), "");
    await rejects(open().facts(), /There are no credentials in your AWS profile “traces”/);
    deepEqual(store.seen, []);
  });

  it("is read with keys that a person gave, whatever the profile has", async () => {
    await writeFile(join(folder, "credentials"), "");
    equal((await open({ keys: knownKey }).facts()).rows, rows);
    const token = { ...knownKey, session_token: "of-an-hour" };
    store.calm();
    equal((await open({ keys: token }).facts()).rows, rows);
    deepEqual(new Set(store.seen.map((visit) => visit.token)), new Set(["of-an-hour"]));
    const wrong = open({ keys: { ...knownKey, secret_access_key: "not-the-secret" } });
    await rejects(wrong.facts(), (error: ParquetError) => {
      match(error.message, /does not let the keys that you gave read the file/);
      return error.reason === "refused";
    });
  });

  it("says that the key may not read it, and that it is gone", async () => {
    store.refusals = [{ method: "HEAD", status: 403, code: "AccessDenied" }];
    await rejects(open().facts(), /does not let your AWS profile “traces” read the file/);
    store.calm();
    await rejects(open({ key: "team/b.parquet" }).facts(), /is not in the bucket “trace-exports” any more/);
  });

  it("says so where it was written anew meanwhile, and shows no mixture", async () => {
    await store.write("team/c.parquet", file);
    const reader = open({ key: "team/c.parquet" });
    equal((await reader.facts()).rows, rows);
    for (const other of [file.toReversed(), file.subarray(0, 100)]) {
      await store.write("team/c.parquet", other);
      const [column] = await reader.read({ rowStart: 0, rowEnd: 2, columns: [1] });
      match(JSON.stringify(column), /written anew meanwhile/);
    }
  });
});

async function listening(server: Server): Promise<string> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return `127.0.0.1:${String((server.address() as AddressInfo).port)}`;
}
