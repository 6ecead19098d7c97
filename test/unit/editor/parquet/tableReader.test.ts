import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { type ReaderOptions, TableReader } from "../../../../src/editor/parquet/tableReader.ts";
import { ParquetError } from "../../../../src/table/parquetError.ts";
import { parquetFile } from "../../../support/parquetFile.ts";
import { readerProgram } from "../../../support/readerProgram.ts";
import { until } from "../../../support/until.ts";

const numbers = (count: number): number[] => Array.from({ length: count }, (_, index) => index);
const bytes = parquetFile([
  { name: "n", data: numbers(100), type: "INT32" },
  { name: "text", data: numbers(100).map((index) => `text ${String(index)}`), type: "STRING" },
]);
const faulty = join(import.meta.dirname, "../../../support/faultyReader.ts");

describe("TableReader", () => {
  const readers: TableReader[] = [];
  let folder: string;

  const readerOf = (file: Uint8Array, options: Partial<ReaderOptions> = {}): TableReader => {
    const reader = new TableReader(
      { name: "a.parquet", bytes: file },
      { program: readerProgram, ...options },
    );
    readers.push(reader);
    return reader;
  };
  before(async () => (folder = await mkdtemp(join(tmpdir(), "table-reader-"))));
  afterEach(() => {
    for (const reader of readers.splice(0)) reader.close();
  });
  after(() => rm(folder, { recursive: true }));

  it("reads a file by its path, and bytes that lie nowhere, in another process", async () => {
    const path = join(folder, "a.parquet");
    await writeFile(path, bytes);
    const byPath = new TableReader({ name: "a.parquet", path }, { program: readerProgram });
    readers.push(byPath);
    for (const reader of [byPath, readerOf(bytes)]) {
      assert.equal((await reader.facts()).rows, 100);
      const read = await reader.read({ rowStart: 98, rowEnd: 100, columns: [0, 1] });
      assert.deepEqual(
        read.map((column) => ("cells" in column ? column.cells.map(({ text }) => text) : column.problem)),
        [
          ["98", "99"],
          ["text 98", "text 99"],
        ],
      );
      assert.equal((await reader.value(7, 1, 100)).cell.text, "text 7");
    }
  });

  it("says what is wrong with a file, and reads it once it is right", async () => {
    const path = join(folder, "b.parquet");
    await writeFile(path, "no Parquet file at all");
    const reader = new TableReader({ name: "b.parquet", path }, { program: readerProgram });
    readers.push(reader);
    await assert.rejects(reader.facts(), (error) => error instanceof ParquetError && error.reason === "file");
    await writeFile(path, bytes);
    assert.equal((await reader.facts()).rows, 100);
  });

  it("ends a process that hangs, survives one that dies, and goes on with the other columns and rows", async () => {
    const columns = [0, 1, 2, 3];
    const hanging = readerOf(bytes, { program: faulty, limits: { milliseconds: 1500 } });
    const dying = readerOf(bytes, { program: faulty, limits: { heapMegabytes: 60 } });
    let turns = 0;
    const counting = setInterval(() => (turns += 1), 20);
    const read = [
      ...(await hanging.read({ rowStart: 0, rowEnd: 64, columns: [0, 3] })),
      ...(await dying.read({ rowStart: 0, rowEnd: 64, columns: [1, 2, 3] })),
    ];
    clearInterval(counting);
    assert.ok(turns > 10, `the window stood still: it had ${String(turns)} turns`);
    assert.deepEqual(
      read.map((column) =>
        "problem" in column ? column.problem.replace(/^(.*?\.) The file.*/, "$1") : "read",
      ),
      [
        "Reading took longer than 1.5 s and was stopped.",
        "read",
        "Reading needed more than 60 MB of memory and was stopped.",
        "The process that reads the file ended (code 3).",
        "read",
      ],
    );
    for (const reader of [hanging, dying]) {
      const below = await reader.read({ rowStart: 64, rowEnd: 128, columns });
      assert.ok(below.every((column) => "cells" in column));
    }
  });

  it("does not try again what ended a process, until the table is asked for again", async () => {
    const reader = readerOf(bytes, { program: faulty, limits: { milliseconds: 1500 } });
    await reader.facts();
    /** Whether a process is asked: what is known is answered without one, at once. */
    const isTried = async (): Promise<boolean> => {
      const reading = reader.read({ rowStart: 0, rowEnd: 64, columns: [0] });
      const tried = await Promise.race([reading.then(() => false), setImmediate(true)]);
      assert.match(JSON.stringify(await reading), /took longer than 1.5 s/);
      return tried;
    };
    assert.equal(await isTried(), true);
    assert.equal(await isTried(), false);
    await reader.facts();
    assert.equal(await isTried(), true);
  });

  it("ends its process when nothing is asked, and starts one when something is", async () => {
    const reader = readerOf(bytes, { idleMs: 50 });
    await reader.facts();
    await until("the process has ended", () => !process.getActiveResourcesInfo().includes("ProcessWrap"));
    assert.equal((await reader.value(5, 0, 10)).cell.text, "5");
  });
});
