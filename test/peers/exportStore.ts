import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync, zstdDecompressSync } from "node:zlib";
import { DuckDBInstance } from "@duckdb/node-api";
import { parquetReadObjects } from "hyparquet";
import { list, LocalPlatform, text } from "../support/localPlatform.ts";
import { until } from "../support/until.ts";
import type { Answer, Shape } from "../support/localPlatform.ts";
import { bucketName, knownKey, ObjectStore } from "../support/objectStore.ts";

type Fields = Record<string, unknown>;

const compressors = {
  GZIP: (bytes: Uint8Array) => new Uint8Array(gunzipSync(bytes)),
  ZSTD: (bytes: Uint8Array) => new Uint8Array(zstdDecompressSync(bytes)),
};

/** A Local Platform beside an S3-compatible store, what tests ask of both, and a reader of Parquet files. */
export class ExportStore {
  readonly platform: LocalPlatform;
  readonly store: ObjectStore;

  private constructor(platform: LocalPlatform, store: ObjectStore) {
    this.platform = platform;
    this.store = store;
  }

  static async start(): Promise<ExportStore> {
    const store = await ObjectStore.start();
    return new ExportStore(await LocalPlatform.start(), store);
  }

  async stop(): Promise<void> {
    await this.platform.remove();
    await this.store.stop();
  }

  async send(method: string, path: string, body?: unknown): Promise<Answer> {
    const { baseUrl, workspaceId } = this.platform.ready;
    const tenant = { "x-tenant-id": workspaceId };
    return await this.platform.send(method, `${baseUrl}/api/v1/bulk-exports${path}`, body, tenant);
  }

  /** What creates a destination in the store. */
  order(config: Fields = {}, credentials: Fields | null = knownKey): Fields {
    return {
      destination_type: "s3",
      display_name: "Trace archive",
      config: { bucket_name: bucketName, prefix: "team/traces", endpoint_url: this.store.url, ...config },
      credentials,
    };
  }

  /** Creates a destination; answers its id. */
  async destination(config: Fields = {}, credentials: Fields = knownKey): Promise<string> {
    const made = await this.send("POST", "/destinations", this.order(config, credentials));
    assert.equal(made.status, 200, made.text);
    return text(made.body.id);
  }

  /** An export of what the sample deployment has recorded, once it is over. */
  async exported(body: Fields): Promise<Shape> {
    const made = await this.send("POST", "", {
      session_id: this.platform.ready.deploymentId,
      start_time: "2020-01-01T00:00:00Z",
      ...body,
    });
    assert.equal(made.status, 200, made.text);
    return await this.ended(text(made.body.id));
  }

  async ended(id: string): Promise<Shape> {
    let last: Shape = {};
    await until("the export is over", async () => {
      last = (await this.send("GET", `/${id}`)).body;
      return !["Created", "Running"].includes(text(last.status));
    });
    return last;
  }

  async runsOf(id: unknown): Promise<Shape[]> {
    return list((await this.send("GET", `/${text(id)}/runs`)).body);
  }

  /** The rows of all files of an export. */
  async rowsOf(id: unknown): Promise<Fields[]> {
    const files = (await this.runsOf(id)).flatMap((run) =>
      list(run.metadata!.result!.exported_files).map(text),
    );
    const rows: Fields[] = [];
    for (const file of files) rows.push(...(await this.parquetRows(file.slice(bucketName.length + 1))));
    return rows;
  }

  /** What DuckDB answers to a query over `rows`, those of all files of an export. */
  async duckRows(id: unknown, sql: string): Promise<Fields[]> {
    const folder = await mkdtemp(join(tmpdir(), "exported-"));
    try {
      for (const run of await this.runsOf(id)) {
        for (const [index, file] of list(run.metadata!.result!.exported_files).map(text).entries()) {
          const bytes = await this.store.read(file.slice(bucketName.length + 1));
          await writeFile(join(folder, `${text(run.id)}-${index}.parquet`), bytes);
        }
      }
      const database = await DuckDBInstance.create(":memory:");
      const connection = await database.connect();
      await connection.run(`CREATE VIEW rows AS SELECT * FROM read_parquet('${folder}/*.parquet')`);
      const found = (await connection.runAndReadAll(sql)).getRowObjectsJson();
      connection.closeSync();
      database.closeSync();
      return found;
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }

  async parquetRows(key: string): Promise<Fields[]> {
    const file = toArrayBuffer(await this.store.read(key));
    return await parquetReadObjects({ file, compressors });
  }
}

/** The bytes in a buffer of their own. */
export function toArrayBuffer(bytes: Uint8Array): ArrayBuffer {
  const buffer = new ArrayBuffer(bytes.length);
  new Uint8Array(buffer).set(bytes);
  return buffer;
}
