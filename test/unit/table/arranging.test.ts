import { deepEqual, equal, ok } from "node:assert/strict";
import { DuckDBInstance } from "@duckdb/node-api";
import { readFile, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DECOMPRESSORS } from "../../../src/editor/parquet/decompressors.ts";
import { Arranging } from "../../../src/table/arrange/arranging.ts";
import type { Arrangement, Filter } from "../../../src/table/messages.ts";
import { openParquet } from "../../../src/table/parquetTable.ts";
import { counted, parquetFile } from "../../support/parquetFile.ts";

const utf8 = { type: "BYTE_ARRAY", converted_type: "UTF8" } as const;

/** The rows in the order of a column, as numbers. */
function sorted(bytes: Uint8Array, column: number, descending = false): Promise<number[]> {
  return arrangedBy(bytes, { sort: { column, descending } });
}

/** The rows that fit in their order, as numbers. */
async function arrangedBy(bytes: Uint8Array, how: Arrangement): Promise<number[]> {
  const table = await openParquet("a.parquet", counted(bytes), DECOMPRESSORS);
  const arranging = new Arranging(table, how);
  for (let read = 0; read < table.facts.rows;) ({ read } = await arranging.step(table.facts.rows));
  return [...arranging.rows().rows];
}

describe("Arranging", () => {
  const cases: readonly {
    readonly what: string;
    readonly column: Parameters<typeof parquetFile>[0][number];
    readonly up: readonly number[];
    readonly down: readonly number[];
  }[] = [
    {
      what: "integers beyond what a double holds, by their last digit",
      column: {
        name: "n",
        data: [2n ** 60n + 1n, null, 2n ** 60n, -1n, 7n],
        element: { type: "INT64" },
      },
      up: [3, 4, 2, 0, 1],
      down: [0, 2, 4, 3, 1],
    },
    {
      what: "numbers by their size, none behind all, and nulls at the end",
      column: { name: "n", data: [10, NaN, 9, null, -0.5, 100], element: { type: "DOUBLE" } },
      up: [4, 2, 0, 5, 1, 3],
      down: [5, 0, 2, 4, 1, 3],
    },
    {
      what: "unsigned numbers as what they are",
      column: {
        name: "n",
        data: [4_294_967_295, 1, 0],
        element: { type: "INT32", converted_type: "UINT_32" },
      },
      up: [2, 1, 0],
      down: [0, 1, 2],
    },
    {
      what: "times of any year",
      column: {
        name: "t",
        data: [0n, -62_200_000_000_000_000n, 400_000_000_000_000_000n, null],
        element: { type: "INT64", converted_type: "TIMESTAMP_MICROS" },
      },
      up: [1, 0, 2, 3],
      down: [2, 0, 1, 3],
    },
    {
      what: "booleans",
      column: { name: "b", data: [true, false, null, true], element: { type: "BOOLEAN" } },
      up: [1, 0, 3, 2],
      down: [0, 3, 1, 2],
    },
    {
      what: "texts by their characters, equal ones in the file's order in both directions",
      column: { name: "s", data: ["b", "a", "B", "", null, "a"], element: utf8 },
      up: [3, 2, 1, 5, 0, 4],
      down: [0, 1, 5, 2, 3, 4],
    },
  ];
  for (const { what, column, up, down } of cases) {
    it(`orders ${what}`, async () => {
      const bytes = parquetFile([column]);
      deepEqual(await sorted(bytes, 0), up);
      deepEqual(await sorted(bytes, 0, true), down);
    });
  }

  it("orders decimals, intervals and nested values of another writer as it does itself", async () => {
    const folder = await mkdtemp(join(tmpdir(), "arranging-"));
    const instance = await DuckDBInstance.create(":memory:", { threads: "1" });
    const connection = await instance.connect();
    try {
      const path = join(folder, "a.parquet");
      await connection.run(`COPY (SELECT i, ((i * 7919) % 5000 - 2500)::DECIMAL(30, 3) AS d,
        to_days(((i * 7919) % 5000)::INTEGER) + to_months((i % 3)::INTEGER) AS v,
        CASE WHEN i % 50 = 0 THEN NULL ELSE [((i * 7919) % 5000) + 10000] END AS l
        FROM range(5000) r(i)) TO '${path}' (FORMAT parquet, ROW_GROUP_SIZE 2048)`);
      const bytes = new Uint8Array(await readFile(path));
      for (const [column, name] of ["i", "d", "v", "l"].entries()) {
        const query = `SELECT i FROM '${path}' ORDER BY ${name} DESC NULLS LAST, i`;
        const expected = (await connection.runAndReadAll(query)).getRows().map(([i]) => Number(i));
        deepEqual(await sorted(bytes, column, true), expected, name);
      }
    } finally {
      connection.closeSync();
      instance.closeSync();
      await rm(folder, { recursive: true });
    }
  });

  const fitting: readonly {
    readonly what: string;
    readonly column: Parameters<typeof parquetFile>[0][number];
    readonly wanted: readonly (readonly [Filter["how"], string, readonly number[]])[];
  }[] = [
    {
      what: "texts that contain a word in any case, or are exactly so",
      column: { name: "s", data: ["Refund", "a refund", null, "", "refund"], element: utf8 },
      wanted: [
        ["contains", "REFUND", [0, 1, 4]],
        ["is", "refund", [4]],
        ["null", "", [2]],
        ["notNull", "", [0, 1, 3, 4]],
      ],
    },
    {
      what: "integers to the last digit",
      column: { name: "n", data: [2n ** 60n, 2n ** 60n + 1n, null, -3n], element: { type: "INT64" } },
      wanted: [
        ["above", String(2n ** 60n), [1]],
        ["below", String(2n ** 60n + 1n), [0, 3]],
        ["is", "1152921504606846977.00", [1]],
        ["is", "-3", [3]],
        ["is", "no number", []],
      ],
    },
    {
      what: "fractions, and none that is no number",
      column: { name: "n", data: [0.1, NaN, -0.5, 1e300], element: { type: "DOUBLE" } },
      wanted: [
        ["above", "0", [0, 3]],
        ["below", "-0.25", [2]],
        ["is", ".1", [0]],
      ],
    },
    {
      what: "times of a day, before it and after it, of any year",
      column: {
        name: "t",
        data: [0n, 86_400_000_000n, null, -62_200_000_000_000_000n, 400_000_000_000_000_000n],
        element: { type: "INT64", converted_type: "TIMESTAMP_MICROS" },
      },
      wanted: [
        ["is", "1970-01-01", [0]],
        ["below", "1970-01-02", [0, 3]],
        ["above", "1970-01-01", [1, 4]],
        ["above", "1970-01-01 00:00", [1, 4]],
      ],
    },
    {
      what: "booleans",
      column: { name: "b", data: [true, false, null], element: { type: "BOOLEAN" } },
      wanted: [["is", "true", [0]]],
    },
  ];
  for (const { what, column, wanted } of fitting) {
    it(`leaves ${what}`, async () => {
      const bytes = parquetFile([column]);
      for (const [how, value, rows] of wanted)
        deepEqual(await arrangedBy(bytes, { filters: [{ column: 0, how, value }] }), rows, `${how} ${value}`);
    });
  }

  it("leaves what another reader leaves by several columns, and sorts that", async () => {
    const folder = await mkdtemp(join(tmpdir(), "arranging-"));
    const instance = await DuckDBInstance.create(":memory:", { threads: "1" });
    const connection = await instance.connect();
    try {
      const path = join(folder, "a.parquet");
      await connection.run(`COPY (SELECT i, ((i * 7919) % 5000 - 2500)::DECIMAL(30, 3) / 8 AS d,
        CASE WHEN i % 7 = 0 THEN NULL ELSE 'Text ' || (i * 31 % 5000) END AS s,
        TIMESTAMP '2026-01-01' + to_minutes(i) AS t
        FROM range(5000) r(i)) TO '${path}' (FORMAT parquet, ROW_GROUP_SIZE 2048)`);
      const filters = [
        { column: 1, how: "above", value: "-100.125" },
        { column: 2, how: "contains", value: "text 1" },
        { column: 3, how: "below", value: "2026-01-03 12:00" },
      ] as const;
      const query = `SELECT i FROM '${path}' WHERE d > -100.125 AND s ILIKE '%text 1%'
        AND t < TIMESTAMP '2026-01-03 12:00' ORDER BY d DESC, i`;
      const expected = (await connection.runAndReadAll(query)).getRows().map(([i]) => Number(i));
      const bytes = new Uint8Array(await readFile(path));
      ok(expected.length > 100);
      deepEqual(await arrangedBy(bytes, { filters, sort: { column: 1, descending: true } }), expected);
    } finally {
      connection.closeSync();
      instance.closeSync();
      await rm(folder, { recursive: true });
    }
  });

  it("says when a text is longer than what is searched of it", async () => {
    const bytes = parquetFile([{ name: "s", data: [`${"x".repeat(150_000)}y`, "y"], type: "STRING" }]);
    const table = await openParquet("a.parquet", counted(bytes), DECOMPRESSORS);
    const arranging = new Arranging(table, { filters: [{ column: 0, how: "contains", value: "y" }] });
    await arranging.step(2);
    deepEqual([[...arranging.rows().rows], arranging.rows().cut], [[1], 100_000]);
  });

  it("reads the one column alone, step by step, and says what it has by then", async () => {
    const numbers = Array.from({ length: 3000 }, (_, index) => (index * 7919) % 3000);
    const bytes = parquetFile(
      [
        { name: "n", data: numbers, type: "INT32" },
        {
          name: "text",
          data: numbers.map((n) => `a long text that nobody wants ${String(n)}`),
          type: "STRING",
        },
      ],
      { rowGroupSize: 1000 },
    );
    const source = counted(bytes);
    const table = await openParquet("a.parquet", source, DECOMPRESSORS);
    const before = source.count();
    const arranging = new Arranging(table, { sort: { column: 0, descending: false } });
    deepEqual(await arranging.step(3000), { read: 1000, full: false });
    deepEqual(await arranging.step(1500), { read: 1500, full: false });
    const { rows } = arranging.rows();
    equal(rows.length, 1500);
    deepEqual(
      [...rows],
      Array.from({ length: 1500 }, (_, index) => index).sort((a, b) => numbers[a]! - numbers[b]!),
    );
    ok(source.count() - before < (table.facts.columns[0]?.bytes ?? 0) * 1.2 + 1000);
  });

  it("says when texts are longer than what is compared of them", async () => {
    const table = await openParquet(
      "a.parquet",
      counted(parquetFile([{ name: "s", data: ["x".repeat(5000), "a"], type: "STRING" }])),
      DECOMPRESSORS,
    );
    const arranging = new Arranging(table, { sort: { column: 0, descending: false } });
    await arranging.step(2);
    deepEqual([...arranging.rows().rows], [1, 0]);
    equal(arranging.rows().cut, 1000);
  });
});
