/**
 * Reads a Parquet file once, as `first`, `middle` or `whole` says, and prints what it took as JSON. Rows are read twice:
 * here, where it is seen what they take, and then for the time in the process in which the extension reads them.
 */

import { readFileSync } from "node:fs";
import { open } from "node:fs/promises";
import { parquetReadObjects } from "hyparquet";
import { join } from "node:path";
import { TableReader } from "../../src/editor/parquet/tableReader.ts";
import { DECOMPRESSORS } from "../../src/editor/parquet/decompressors.ts";
import type { CellRange, ColumnCells } from "../../src/table/messages.ts";
import { openParquet } from "../../src/table/parquetTable.ts";
import { projectFolder } from "./report.ts";

export interface TableMeasured {
  /** For rows with the start of the process. */
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
const range = what === "whole" ? undefined : await readRows();
if (range === undefined) {
  const rows = await parquetReadObjects({ file: source, compressors: DECOMPRESSORS });
  if (rows.length === 0) throw new Error("there are no rows");
}
let ms = performance.now() - started;
const { user, system } = process.cpuUsage(used);
const peak = peakMb();
if (range !== undefined) {
  const program = join(projectFolder, "dist/parquetReader.js");
  const inProcess = performance.now();
  const reader = new TableReader({ name: "spans.parquet", path }, { program });
  await reader.facts();
  check(await reader.read(range));
  ms = performance.now() - inProcess;
  reader.close();
}
await handle.close();
const measured: TableMeasured = {
  ms,
  cpuMs: (user + system) / 1000,
  readMb: read / 2 ** 20,
  peakMb: peak,
};
console.log(JSON.stringify(measured));

/** Reads the cells of a screen. */
async function readRows(): Promise<CellRange> {
  const table = await openParquet("spans.parquet", source, DECOMPRESSORS);
  const { rows, columns } = table.facts;
  const rowStart = what === "first" ? 0 : Math.floor(rows / 2);
  const screen = { rowStart, rowEnd: rowStart + 64, columns: columns.slice(0, 6).map((_, index) => index) };
  for (const column of screen.columns) check([await table.column(column, screen)]);
  return screen;
}

function check(columns: readonly ColumnCells[]): void {
  if (columns.some((column) => "problem" in column)) throw new Error(JSON.stringify(columns));
}

/** The highest resident memory of this process alone: `maxRSS` would count the one that started it. */
function peakMb(): number {
  try {
    const [, kilobytes] = /^VmHWM:\s+(\d+) kB/m.exec(readFileSync("/proc/self/status", "utf8")) ?? [];
    return Number(kilobytes) / 1024;
  } catch {
    return process.memoryUsage.rss() / 2 ** 20;
  }
}
