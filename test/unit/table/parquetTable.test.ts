import assert from "node:assert/strict";
import { gzipSync, zstdCompressSync } from "node:zlib";
import { DECOMPRESSORS } from "../../../src/editor/parquet/decompressors.ts";
import type { CellRange, ColumnCells } from "../../../src/table/messages.ts";
import { ParquetError } from "../../../src/table/parquetError.ts";
import { openParquet } from "../../../src/table/parquetTable.ts";
import type { ParquetTable } from "../../../src/table/parquetTable.ts";
import { counted, parquetFile } from "../../support/parquetFile.ts";

const open = (bytes: Uint8Array): Promise<ParquetTable> =>
  openParquet("a.parquet", counted(bytes), DECOMPRESSORS);
const readCells = (table: ParquetTable, { columns, rowStart, rowEnd }: CellRange): Promise<ColumnCells[]> =>
  Promise.all(columns.map((column) => table.column(column, { rowStart, rowEnd })));
const texts = (read: ColumnCells | undefined): unknown[] =>
  read !== undefined && "cells" in read
    ? read.cells.map(({ kind, text }) => `${kind} ${text}`)
    : [read?.problem];
const numbers = (count: number): number[] => Array.from({ length: count }, (_, index) => index);

describe("ParquetTable", () => {
  it("says what the file is before it reads a row", async () => {
    const source = counted(
      parquetFile([
        { name: "id", data: ["a", "b", "c"], type: "STRING" },
        { name: "score", data: [0.5, null, 2], type: "DOUBLE" },
      ]),
    );
    const { facts } = await openParquet("a.parquet", source, DECOMPRESSORS);
    assert.deepEqual(
      { ...facts, bytes: 0, createdBy: "" },
      {
        file: "a.parquet",
        rows: 3,
        rowGroups: 1,
        bytes: 0,
        compression: "SNAPPY",
        createdBy: "",
        columns: [
          { name: "id", kind: "text", type: "string", bytes: 40 },
          { name: "score", kind: "number", type: "double", bytes: 39 },
        ],
      },
    );
    assert.equal(source.ranges.length, 1);
  });

  it("shows each type in its own way, and times to the last digit", async () => {
    const bytes = parquetFile([
      { name: "text", data: ["plain", "", null], element: { type: "BYTE_ARRAY", converted_type: "UTF8" } },
      {
        name: "json",
        data: ['{"a":1}', "[1,2]", "{no"],
        element: { type: "BYTE_ARRAY", converted_type: "UTF8" },
      },
      { name: "big", data: [2n ** 62n, -1n, null], element: { type: "INT64" } },
      { name: "flag", data: [true, false, null], element: { type: "BOOLEAN" } },
      {
        name: "local",
        data: [1_700_000_000_123_456n, -1n, null],
        element: {
          type: "INT64",
          logical_type: { type: "TIMESTAMP", isAdjustedToUTC: false, unit: "MICROS" },
        },
      },
      {
        name: "utc",
        data: [1_700_000_000_123_456n, 0n, null],
        element: {
          type: "INT64",
          logical_type: { type: "TIMESTAMP", isAdjustedToUTC: true, unit: "MICROS" },
        },
      },
    ]);
    const table = await open(bytes);
    assert.deepEqual(
      table.facts.columns.map(({ type }) => type),
      ["string", "string", "int64", "boolean", "timestamp µs", "timestamp µs UTC"],
    );
    const read = await readCells(table, { rowStart: 0, rowEnd: 3, columns: [0, 1, 2, 3, 4, 5] });
    assert.deepEqual(read.map(texts), [
      ["text plain", "text ", "null "],
      ['json {"a":1}', "json [1,2]", "text {no"],
      ["number 4611686018427387904", "number -1", "null "],
      ["boolean true", "boolean false", "null "],
      ["time 2023-11-14T22:13:20.123456", "time 1969-12-31T23:59:59.999999", "null "],
      ["time 2023-11-14T22:13:20.123456Z", "time 1970-01-01T00:00:00.000000Z", "null "],
    ]);
  });

  for (const [codec, compress] of [
    ["GZIP", gzipSync],
    ["ZSTD", zstdCompressSync],
    ["SNAPPY", undefined],
    ["UNCOMPRESSED", undefined],
  ] as const) {
    it(`unpacks ${codec}`, async () => {
      const compressors = compress === undefined ? {} : { [codec]: (bytes: Uint8Array) => compress(bytes) };
      const table = await open(
        parquetFile([{ name: "n", data: numbers(5000), type: "INT32" }], { codec, compressors }),
      );
      const [read] = await readCells(table, { rowStart: 4998, rowEnd: 5000, columns: [0] });
      assert.deepEqual(texts(read), ["number 4998", "number 4999"]);
    });
  }

  it("reads only the columns and row groups that are shown", async () => {
    const long = numbers(20_000).map(
      (index) => `${String(index)} ${"x".repeat(80)} ${String(Math.random())}`,
    );
    const bytes = parquetFile(
      [
        { name: "n", data: numbers(20_000), type: "INT32" },
        { name: "long", data: long, type: "STRING" },
      ],
      { codec: "UNCOMPRESSED", rowGroupSize: 1000 },
    );
    const source = counted(bytes);
    const table = await openParquet("a.parquet", source, DECOMPRESSORS);
    const footer = source.count();
    await readCells(table, { rowStart: 500, rowEnd: 550, columns: [0] });
    assert.ok(source.count() - footer < 10_000, `${String(source.count() - footer)} bytes for 50 numbers`);
    const [across] = await readCells(table, { rowStart: 998, rowEnd: 1002, columns: [1] });
    assert.deepEqual(
      texts(across),
      long.slice(998, 1002).map((text) => `text ${text}`),
    );
    assert.ok(source.count() - footer < bytes.byteLength / 5);
  });

  it("finds each row in whichever page it is, alone and with its neighbours", async () => {
    const data = numbers(700).map((index) => (index % 11 === 0 ? null : `text ${String(index)}`));
    const table = await open(parquetFile([{ name: "t", data, type: "STRING" }], { pageSize: 500 }));
    for (const row of numbers(698)) {
      for (const rows of [1, 2]) {
        const [read] = await readCells(table, { rowStart: row, rowEnd: row + rows, columns: [0] });
        const expected = data
          .slice(row, row + rows)
          .map((text) => (text === null ? "null " : `text ${text}`));
        assert.deepEqual(texts(read), expected);
      }
    }
  });

  it("cuts long values for the table, keeps them on one line, and gives them whole when asked", async () => {
    const story = `line 1\nline 2\n${"x".repeat(5000)}`;
    const table = await open(parquetFile([{ name: "story", data: [story], type: "STRING" }]));
    const [read] = await readCells(table, { rowStart: 0, rowEnd: 1, columns: [0] });
    const cell = read !== undefined && "cells" in read ? read.cells[0] : undefined;
    assert.equal(cell?.cut, true);
    assert.equal(cell.text.length, 300);
    assert.match(cell.text, /^line 1 line 2 x+$/);
    assert.deepEqual(await table.value(0, 0, 10_000), {
      cell: { kind: "text", text: story },
      length: story.length,
    });
    assert.equal((await table.value(0, 0, 1000)).cell.cut, true);
  });

  it("masks credentials, also at the cut", async () => {
    const data = [`{"authorization":"Bearer ${"s3cret".repeat(100)}"}`, `{"a":1,"password":"hunter2"}`];
    const table = await open(parquetFile([{ name: "inputs", data, type: "STRING" }]));
    const shown = JSON.stringify(await readCells(table, { rowStart: 0, rowEnd: 2, columns: [0] }));
    assert.doesNotMatch(shown, /s3cret|hunter2/);
    assert.doesNotMatch(JSON.stringify(await table.value(0, 0, 20)), /s3cret/);
  });

  it("shows nested columns as JSON", async () => {
    const data = [{ a: 1, b: [1n, 2n] }, null];
    const table = await open(parquetFile([{ name: "nested", data, type: "JSON" }]));
    const [read] = await readCells(table, { rowStart: 0, rowEnd: 2, columns: [0] });
    assert.equal(texts(read)[0], 'json {"a":1,"b":[1,2]}');
  });

  it("keeps the other columns when one can't be read", async () => {
    const bytes = parquetFile(
      [
        { name: "good", data: ["a"], type: "STRING" },
        { name: "bad", data: ["b"], type: "STRING" },
      ],
      { codec: "UNCOMPRESSED" },
    );
    const source = counted(bytes);
    const table = await openParquet("a.parquet", source, DECOMPRESSORS);
    const slice = source.slice.bind(source);
    source.slice = (start, end) =>
      start > 4 ? Promise.reject(new Error("disk failure")) : slice(start, end);
    const [good, bad] = await readCells(table, { rowStart: 0, rowEnd: 1, columns: [0, 1] });
    assert.deepEqual(texts(good), ["text a"]);
    assert.deepEqual(texts(bad), ["disk failure"]);
    await assert.rejects(table.value(0, 1, 10), ParquetError);
  });

  for (const [what, bytes] of [
    ["an empty file", new Uint8Array()],
    ["another kind of file", Buffer.from("this is a text of some length and no table at all")],
    [
      "a file that was cut off",
      parquetFile([{ name: "n", data: numbers(100), type: "INT32" }]).slice(0, -20),
    ],
    ["a footer longer than the file", Buffer.from("PAR1xxxx\xff\xff\xff\x7fPAR1", "latin1")],
  ] as const) {
    it(`says what is wrong with ${what}`, async () => {
      await assert.rejects(open(bytes), (error) => error instanceof ParquetError && error.remedy !== "");
    });
  }
});
