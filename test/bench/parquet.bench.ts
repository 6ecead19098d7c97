/** How long a Parquet file of 1,000,000 rows takes to its first rows, beside the same reader reading all of it. */

import { spawnSync } from "node:child_process";
import { mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parquetFile } from "../support/parquetFile.ts";
import { median, report, versionOf, projectFolder } from "./report.ts";
import type { TableMeasured } from "./parquetReader.ts";

const rows = 1_000_000;
const rounds = 3;
const readers = {
  "extension, first rows": "first",
  "extension, a row in the middle": "middle",
  "hyparquet, whole file": "whole",
} as const;

const folder = await mkdtemp(join(tmpdir(), "parquet-"));
try {
  for (const [layout, rowGroupSize] of [
    ["row groups of 100,000", 100_000],
    ["one row group", rows],
  ] as const) {
    const file = join(folder, `${rowGroupSize}.parquet`);
    await writeFile(file, spans(rowGroupSize));
    const measured = Object.entries(readers).map(([reader, what]) => {
      const all = Array.from({ length: rounds }, () => read(file, what));
      const of = (key: keyof TableMeasured): number => median(all.map((one) => one[key]));
      return {
        reader,
        ms: of("ms"),
        "CPU ms": of("cpuMs"),
        "MB read": of("readMb"),
        "peak RSS MB": of("peakMb"),
      };
    });
    const whole = measured.at(-1)?.["CPU ms"] ?? NaN;
    const megabytes = (await stat(file)).size / 2 ** 20;
    report(
      `Parquet: ${rows.toLocaleString("en")} rows, 10 columns, ${megabytes.toFixed(0)} MB, ${layout}`,
      measured.map((row) => ({ ...row, "of whole": `${((100 * row["CPU ms"]) / whole).toFixed(1)} %` })),
      [
        versionOf(projectFolder, "hyparquet"),
        "Bar: first rows below 1,000 ms, with the start of the process that reads them. Each in a process of its own.",
      ],
    );
  }
} finally {
  await rm(folder, { recursive: true });
}

/** Each measurement in a process of its own, so that memory is its own, too. */
function read(file: string, what: string): TableMeasured {
  const reader = join(import.meta.dirname, "parquetReader.ts");
  const { status, stdout, stderr } = spawnSync(process.execPath, [reader, file, what], { encoding: "utf8" });
  if (status !== 0) throw new Error(stderr);
  return JSON.parse(stdout) as TableMeasured;
}

/** Spans as an export has them: ids that do not repeat, times, numbers and JSON texts. */
function spans(rowGroupSize: number): Uint8Array {
  const numbers = Array.from({ length: rows }, (_, index) => index);
  const text = { type: "BYTE_ARRAY", converted_type: "UTF8" } as const;
  const texts = (name: string, of: (index: number) => string) => ({
    name,
    data: numbers.map(of),
    element: text,
  });
  return parquetFile(
    [
      texts("id", (index) => `${(index * 2_654_435_761).toString(16)}-${index}`),
      texts("trace_id", (index) => `${(Math.floor(index / 12) * 40_503).toString(16)}-trace`),
      texts("name", (index) => `step ${index % 40}`),
      texts("run_type", (index) => ["chain", "llm", "tool"][index % 3] ?? ""),
      {
        name: "start_time",
        data: numbers.map((index) => BigInt(1_780_000_000_000_000 + 1000 * index)),
        element: {
          type: "INT64",
          logical_type: { type: "TIMESTAMP", isAdjustedToUTC: true, unit: "MICROS" },
        },
      },
      { name: "total_tokens", data: numbers.map((index) => index % 4000), element: { type: "INT32" } },
      { name: "latency", data: numbers.map((index) => (index % 977) / 100), element: { type: "DOUBLE" } },
      texts(
        "inputs",
        (index) => `{"messages":[{"role":"user","content":"Question ${index} ${index * 7919}"}]}`,
      ),
      texts(
        "outputs",
        (index) => `{"messages":[{"role":"assistant","content":"Answer ${index * 104_729}"}]}`,
      ),
      texts("tags", (index) => `["team-${index % 9}"]`),
    ],
    { rowGroupSize },
  );
}
