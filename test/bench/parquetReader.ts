/** Reads a Parquet file once, as `first`, `middle` or `whole` says, and prints what it took as JSON. */

import { readFileSync } from "node:fs";
import { open } from "node:fs/promises";
import { parquetReadObjects } from "hyparquet";
import { DECOMPRESSORS } from "../../src/editor/parquet/decompressors.ts";
import { openParquet } from "../../src/table/parquetTable.ts";

export interface TableMeasured {
  readonly ms: number;
  /** Processor time, which a busy machine does not stretch. */
  readonly cpuMs: number;
  readonly readMb: number;
  readonly peakMb: number;
}

const [, , path = "", what = "first"] = process.argv;
const handle = await open(path);
const { size } = await handle.stat();
let read = 0;
const source = {
  byteLength: size,
  slice: async (start: number, end = size): Promise<ArrayBuffer> => {
    const bytes = new Uint8Array(end - start);
    await handle.read(bytes, 0, bytes.length, start);
    read += bytes.length;
    return bytes.buffer;
  },
};

const started = performance.now();
const used = process.cpuUsage();
if (what === "whole") {
  const rows = await parquetReadObjects({ file: source, compressors: DECOMPRESSORS });
  if (rows.length === 0) throw new Error("there are no rows");
} else {
  const table = await openParquet("spans.parquet", source, DECOMPRESSORS);
  const { rows, columns } = table.facts;
  const rowStart = what === "first" ? 0 : Math.floor(rows / 2);
  const range = { rowStart, rowEnd: rowStart + 64, columns: columns.slice(0, 6).map((_, index) => index) };
  const cells = await table.read(range);
  if (cells.some((column) => "problem" in column)) throw new Error(JSON.stringify(cells));
}
const ms = performance.now() - started;
const { user, system } = process.cpuUsage(used);
await handle.close();
const measured: TableMeasured = {
  ms,
  cpuMs: (user + system) / 1000,
  readMb: read / 2 ** 20,
  peakMb: peakMb(),
};
console.log(JSON.stringify(measured));

/** The highest resident memory of this process alone: `maxRSS` would count the one that started it. */
function peakMb(): number {
  try {
    const [, kilobytes] = /^VmHWM:\s+(\d+) kB/m.exec(readFileSync("/proc/self/status", "utf8")) ?? [];
    return Number(kilobytes) / 1024;
  } catch {
    return process.memoryUsage.rss() / 2 ** 20;
  }
}
