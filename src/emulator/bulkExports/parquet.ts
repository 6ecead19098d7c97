import { gzipSync, zstdCompressSync } from "node:zlib";
import type { ColumnSource, ParquetWriteOptions, SchemaElement } from "hyparquet-writer";
import type { Compression, FormatVersion } from "./bulkExport.ts";
import { type ColumnKind, columns, isColumn, type TraceRow } from "./traceRow.ts";

/** How a file is written. */
export interface ParquetFormat {
  readonly compression: Compression;
  readonly format_version: FormatVersion;
  /** Null is all columns. */
  readonly export_fields: readonly string[] | null;
}

/** The rows as a Parquet file. Times have microseconds; only `v2_beta` marks them as UTC. */
export async function toParquet(rows: readonly TraceRow[], format: ParquetFormat): Promise<Uint8Array> {
  const { parquetWriteBuffer } = await import("hyparquet-writer");
  const names = (format.export_fields ?? Object.keys(columns)).filter(isColumn);
  const root: SchemaElement = { name: "root", num_children: names.length };
  const schema = [root, ...names.map((name) => element(name, columns[name], format.format_version))];
  const columnData: ColumnSource[] = names.map((name) => ({
    name,
    data: rows.map((row) => cell(row[name], columns[name])),
  }));
  const file = parquetWriteBuffer({
    schema,
    columnData,
    codec: codecs[format.compression],
    compressors: { GZIP: (bytes) => gzipSync(bytes), ZSTD: (bytes) => zstdCompressSync(bytes) },
    createdBy: "Local Platform",
  });
  return new Uint8Array(file);
}

const codecs: Readonly<Record<Compression, NonNullable<ParquetWriteOptions["codec"]>>> = {
  none: "UNCOMPRESSED",
  gzip: "GZIP",
  snappy: "SNAPPY",
  zstandard: "ZSTD",
};

function element(name: string, kind: ColumnKind, version: FormatVersion): SchemaElement {
  const optional = { name, repetition_type: "OPTIONAL" } as const;
  switch (kind) {
    case "text":
    case "json":
      return { ...optional, type: "BYTE_ARRAY", converted_type: "UTF8" };
    case "time": {
      const logical_type = {
        type: "TIMESTAMP",
        isAdjustedToUTC: version === "v2_beta",
        unit: "MICROS",
      } as const;
      return { ...optional, type: "INT64", logical_type };
    }
    case "integer":
      return { ...optional, type: "INT64" };
    case "number":
      return { ...optional, type: "DOUBLE" };
    case "boolean":
      return { ...optional, type: "BOOLEAN" };
    default:
      return kind satisfies never;
  }
}

function cell(value: unknown, kind: ColumnKind): unknown {
  if (value === null || value === undefined) return undefined;
  if (kind === "json") return JSON.stringify(value);
  return kind === "integer" ? BigInt(Number(value)) : value;
}
