/** Small Parquet files with most of what there is in them: types, nulls, lists, encodings, codecs, both versions of pages. */

import { readFile, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { parquetFile } from "./parquetFile.ts";

const query = `SELECT
  i::INTEGER AS id, 'step ' || (i % 3) AS name, CASE WHEN i % 4 = 0 THEN NULL ELSE i * 0.5 END AS latency,
  i % 2 = 0 AS ok, (i * 37)::DECIMAL(18, 3) AS cost, DATE '2026-01-01' + i::INTEGER AS day,
  TIMESTAMPTZ '2026-01-01 00:00:00+00' + INTERVAL (i) SECOND AS start, [i, NULL, i + 1] AS list,
  {'a': i, 'b': ['x' || i]} AS nested, map {i: 'v'} AS map, ('\\x00\\xFF' || i)::BLOB AS bytes
  FROM range(40) r(i)`;

let made: Promise<readonly Uint8Array[]> | undefined;

/** The same files each time; the first, of one writer, has 3 kB. */
export function parquetSamples(): Promise<readonly Uint8Array[]> {
  return (made ??= make());
}

async function make(): Promise<readonly Uint8Array[]> {
  const numbers = Array.from({ length: 40 }, (_, index) => index);
  const small = parquetFile([
    { name: "id", data: numbers.map((index) => `span-${index % 7}`), type: "STRING" },
    { name: "n", data: numbers.map((index) => (index % 5 === 0 ? null : index)), type: "INT32" },
    { name: "score", data: numbers.map((index) => index / 3), type: "DOUBLE" },
    { name: "big", data: numbers.map((index) => BigInt(index) ** 9n), type: "INT64" },
    { name: "flag", data: numbers.map((index) => index % 2 === 0), type: "BOOLEAN" },
  ]);
  const folder = await mkdtemp(join(tmpdir(), "parquet-samples-"));
  const instance = await DuckDBInstance.create(":memory:", { threads: "1" });
  const connection = await instance.connect();
  try {
    const files = [small];
    for (const [version, codec] of [
      ["V1", "uncompressed"],
      ["V2", "uncompressed"],
      ["V1", "snappy"],
      ["V2", "zstd"],
    ]) {
      const path = join(folder, `${version}-${codec}.parquet`);
      await connection.run(
        `COPY (${query}) TO '${path}' (FORMAT parquet, CODEC ${codec}, PARQUET_VERSION ${version})`,
      );
      files.push(new Uint8Array(await readFile(path)));
    }
    return files;
  } finally {
    connection.closeSync();
    instance.closeSync();
    await rm(folder, { recursive: true });
  }
}
