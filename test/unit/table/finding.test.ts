import { deepEqual, equal, ok } from "node:assert/strict";
import { DuckDBInstance } from "@duckdb/node-api";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DECOMPRESSORS } from "../../../src/editor/parquet/decompressors.ts";
import { Finding, mostFound } from "../../../src/table/arrange/finding.ts";
import type { FoundSoFar } from "../../../src/table/messages.ts";
import { openParquet } from "../../../src/table/parquetTable.ts";
import { counted, parquetFile } from "../../support/parquetFile.ts";

interface Wanted {
  readonly matchCase?: boolean;
  readonly shown?: readonly number[];
}

/** Every step of a search to its end, and the cells as "row column", in the order that is shown. */
async function found(bytes: Uint8Array, text: string, { matchCase = false, shown }: Wanted = {}) {
  const table = await openParquet("a.parquet", counted(bytes), DECOMPRESSORS);
  const finding = new Finding(table, { text, matchCase }, shown && Uint32Array.from(shown));
  const rows = shown?.length ?? table.facts.rows;
  const steps: FoundSoFar[] = [];
  do steps.push(await finding.step(rows));
  while ((steps.at(-1)?.read ?? rows) < rows && steps.at(-1)?.full === false);
  const cells = steps
    .flatMap((step) => step.cells)
    .sort((one, other) => one.row - other.row || one.column - other.column)
    .map(({ row, column }) => `${String(row)} ${String(column)}`);
  return { cells, last: steps.at(-1), steps };
}

const utf8 = { type: "BYTE_ARRAY", converted_type: "UTF8" } as const;
const text = (name: string, data: readonly (string | null)[]) => ({ name, data: [...data], element: utf8 });

describe("Finding", () => {
  it("finds a text in every column, in any case unless asked for, and never in a null", async () => {
    const bytes = parquetFile([
      text("one", ["Refund", null, "none", "a  refund\nof 5"]),
      { name: "n", data: [5, 15, null, 7], element: { type: "INT32" } },
      text("three", ["", "null", "REFUND", "x"]),
    ]);
    deepEqual((await found(bytes, "refund")).cells, ["0 0", "2 2", "3 0"]);
    deepEqual((await found(bytes, "refund", { matchCase: true })).cells, ["3 0"]);
    deepEqual((await found(bytes, "refund of")).cells, ["3 0"]);
    deepEqual((await found(bytes, "5")).cells, ["0 1", "1 1", "3 0"]);
    deepEqual((await found(bytes, "null")).cells, ["1 2"]);
    deepEqual((await found(bytes, "(")).cells, []);
  });

  it("says where a row is shown, and leaves rows that are not", async () => {
    const bytes = parquetFile([text("s", ["x0", "x1", "y", "z", "x4"])], { rowGroupSize: 2 });
    const { cells, last } = await found(bytes, "x", { shown: [4, 2, 0, 1] });
    deepEqual(cells, ["0 0", "2 0", "3 0"]);
    equal(last?.read, 4);
    deepEqual((await found(bytes, "x", { shown: [] })).cells, []);
  });

  it("finds what another reader finds, over all rows and columns", async () => {
    const folder = await mkdtemp(join(tmpdir(), "finding-"));
    const instance = await DuckDBInstance.create(":memory:", { threads: "1" });
    const connection = await instance.connect();
    try {
      const path = join(folder, "a.parquet");
      await connection.run(`COPY (SELECT i, ((i * 7919) % 5000 - 2500)::DECIMAL(30, 3) AS d,
        CASE WHEN i % 7 = 0 THEN NULL ELSE 'Text ' || (i * 31 % 5000) END AS s,
        to_json({ messages: [{ role: 'User', content: 'Question ' || (i % 997) }] })::VARCHAR AS j
        FROM range(5000) r(i)) TO '${path}' (FORMAT parquet, ROW_GROUP_SIZE 2048)`);
      const bytes = new Uint8Array(await readFile(path));
      for (const sought of ["37", "text 12", "QUESTION 5", "-24", "nowhere"]) {
        const expected: string[] = [];
        for (const [column, name] of ["i", "d", "s", "j"].entries()) {
          const query = `SELECT i FROM '${path}' WHERE contains(lower(${name}::VARCHAR), lower('${sought}'))`;
          const rows = (await connection.runAndReadAll(query)).getRows();
          expected.push(...rows.map(([i]) => `${String(i)} ${String(column)}`));
        }
        ok(sought === "nowhere" || expected.length > 10, sought);
        const { cells, last } = await found(bytes, sought);
        deepEqual(cells.toSorted(), expected.toSorted(), sought);
        equal(last?.read, 5000);
      }
    } finally {
      connection.closeSync();
      instance.closeSync();
      await rm(folder, { recursive: true });
    }
  });

  it("holds so many cells, all those of the rows before the one where it ends", async () => {
    const rows = 15_000;
    const data = Array.from({ length: rows }, (_, index) => `x${String(index)}`);
    const { cells, last } = await found(parquetFile([text("a", data), text("b", data)]), "x");
    deepEqual([cells.length, cells.at(-1), last?.full, last?.read], [mostFound, "9999 1", true, 10_000]);
  });

  it("goes on beside a column that can't be read, and names it", async () => {
    const bytes = parquetFile([text("a", ["needle one"]), text("b", ["needle two"])]);
    // The text is gone from the page that holds it: its length reaches beyond.
    const at = Buffer.from(bytes).indexOf("needle one") - 4;
    new DataView(bytes.buffer, bytes.byteOffset).setUint32(at, 4_000_000, true);
    const { cells, last } = await found(bytes, "needle");
    deepEqual([cells, last?.unread], [["0 1"], [0]]);
  });

  it("does not find what is masked, and says when a text is longer than what is searched of it", async () => {
    const hidden = '{"api_key": "sk-0123456789abcdef0123", "name": "Anna"}';
    const bytes = parquetFile([text("s", [hidden, `${"x".repeat(150_000)}Anna`])]);
    deepEqual((await found(bytes, "anna")).cells, ["0 0"]);
    deepEqual((await found(bytes, "0123456789")).cells, []);
    equal((await found(bytes, "anna")).last?.cut, true);
  });
});
