import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type DuckDBConnection, DuckDBInstance } from "@duckdb/node-api";

/** A Parquet file that DuckDB wrote, and what DuckDB shows of it. */
export interface WrittenByDuckDb {
  readonly bytes: Uint8Array;
  readonly columns: readonly { readonly name: string; readonly type: string }[];
  /** By row and column; nested values as JSON. */
  readonly rows: readonly (readonly (string | null)[])[];
}

/** DuckDB without a database of its own. */
export class DuckDb {
  readonly #connection: DuckDBConnection;
  readonly #folder: string;

  private constructor(connection: DuckDBConnection, folder: string) {
    this.#connection = connection;
    this.#folder = folder;
  }

  static async open(): Promise<DuckDb> {
    const instance = await DuckDBInstance.create(":memory:");
    return new DuckDb(await instance.connect(), await mkdtemp(join(tmpdir(), "duckdb-")));
  }

  async close(): Promise<void> {
    this.#connection.closeSync();
    await rm(this.#folder, { recursive: true });
  }

  /** Writes what a query gives; `options` as `CODEC zstd, PARQUET_VERSION V2`. */
  async write(query: string, options = "CODEC snappy"): Promise<WrittenByDuckDb> {
    const path = join(this.#folder, "a.parquet");
    await this.#connection.run(`COPY (${query}) TO '${path}' (FORMAT parquet, ${options})`);
    const columns = (await this.#all(`DESCRIBE SELECT * FROM '${path}'`)).map(([name, type]) => ({
      name: String(name),
      type: String(type),
    }));
    const shown = columns.map(({ name, type }) =>
      /\[|STRUCT|MAP/.test(type) ? `to_json("${name}")::VARCHAR` : `"${name}"::VARCHAR`,
    );
    const rows = await this.#all(`SELECT ${shown.join(", ")} FROM '${path}'`);
    return { bytes: new Uint8Array(await readFile(path)), columns, rows: rows as WrittenByDuckDb["rows"] };
  }

  async #all(query: string): Promise<readonly (readonly unknown[])[]> {
    return (await this.#connection.runAndReadAll(query)).getRowsJS();
  }
}
