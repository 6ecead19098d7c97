import { parquetWriteBuffer } from "hyparquet-writer";
import type { ColumnSource, ParquetWriteOptions, SchemaElement } from "hyparquet-writer";
import type { ByteSource } from "../../src/table/bounds.ts";

/** Bytes that remember which ranges of them were read. */
export interface CountedBytes extends ByteSource {
  readonly ranges: (readonly [start: number, end: number])[];
  /** How many bytes were read. */
  readonly count: () => number;
}

/** Makes a Parquet file of columns. */
export function parquetFile(
  columns: readonly (ColumnSource & { readonly element?: Omit<SchemaElement, "name"> })[],
  options: Partial<ParquetWriteOptions> = {},
): Uint8Array {
  const described = columns.some(({ element }) => element !== undefined);
  const schema: SchemaElement[] = [
    { name: "root", num_children: columns.length },
    ...columns.map(({ name, element }) => ({ name, repetition_type: "OPTIONAL" as const, ...element })),
  ];
  return new Uint8Array(
    parquetWriteBuffer({
      columnData: columns.map(({ name, data, type }) => ({
        name,
        data,
        ...(type === undefined ? {} : { type }),
      })),
      ...(described ? { schema } : {}),
      ...options,
    }),
  );
}

/** The same bytes as a source that counts. */
export function counted(bytes: Uint8Array): CountedBytes {
  const ranges: [number, number][] = [];
  return {
    byteLength: bytes.byteLength,
    ranges,
    count: () => ranges.reduce((sum, [start, end]) => sum + end - start, 0),
    slice: (start, end = bytes.byteLength) => {
      ranges.push([start, end]);
      return Promise.resolve(bytes.slice(start, end).buffer);
    },
  };
}
