import assert from "node:assert/strict";
import { DECOMPRESSORS } from "../../../src/editor/parquet/decompressors.ts";
import type { Cell } from "../../../src/table/messages.ts";
import { openParquet } from "../../../src/table/parquetTable.ts";
import { DuckDb, type WrittenByDuckDb } from "../../support/duckDbFile.ts";
import { counted } from "../../support/parquetFile.ts";

const scalars = `SELECT i, i % 2 = 0 AS flag, (i - 100)::TINYINT AS i1, i::UTINYINT AS u1, (i - 3)::SMALLINT AS i2,
  (i * 1000)::USMALLINT AS u2, (i * 100000000)::UINTEGER AS u4, (18446744073709551615 - i)::UBIGINT AS u8,
  (i * 0.1)::FLOAT AS f, (i * 1e7)::FLOAT AS large, CASE WHEN i % 3 = 0 THEN -0.0 ELSE i * 0.1 END::DOUBLE AS d,
  (1.7e300 * i)::DOUBLE AS huge, (1e-7 * i)::DOUBLE AS tiny,
  CASE i WHEN 1 THEN 'nan' WHEN 2 THEN 'inf' ELSE '-inf' END::DOUBLE AS endless,
  'text ' || i AS text, '{"a": 1}'::JSON AS json, uuid() AS uuid, 'b'::ENUM ('a', 'b') AS choice, '0101'::BIT AS bits,
  '\\x00\\xFF'::BLOB || i::VARCHAR::BLOB AS bytes, 'it''s "\\x5C"'::BLOB || '\\xFE'::BLOB AS quoted,
  CASE WHEN i % 4 = 0 THEN NULL ELSE i END AS n FROM range(25) r(i)`;

const times = `SELECT * FROM (VALUES
  (TIMESTAMP '2020-01-02 03:04:05.123456', TIMESTAMP_NS '2020-01-02 03:04:05.123456789',
    TIMESTAMP_MS '2020-01-02 03:04:05.123', TIMESTAMPTZ '2020-01-02 03:04:05.1+00', DATE '10000-01-01', TIME '00:00:00'),
  (TIMESTAMP '0044-03-15 (BC) 01:02:03', TIMESTAMP_NS '1700-01-02 03:04:05.000000001',
    TIMESTAMP_MS '10000-01-02 03:04:05', TIMESTAMPTZ '0001-01-01 00:00:00+00', DATE '0044-03-15 (BC)', TIME '24:00:00'),
  (TIMESTAMP 'infinity', NULL, NULL, TIMESTAMPTZ '-infinity', DATE 'infinity', TIME '12:34:56.000001'),
  (TIMESTAMP '294246-01-01 00:00:00', NULL, NULL, TIMESTAMPTZ '290000-01-01 00:00:00+00', DATE '5877642-06-25 (BC)', NULL),
  (NULL, NULL, NULL, NULL, DATE '5881580-07-10', TIME '23:59:59.999999')) t(a, b, c, d, e, f)`;

const clocks = `SELECT TIMETZ '01:02:03.5+02' AS tz, TIME_NS '01:02:03.123456789' AS ns,
  INTERVAL (i) MONTH + INTERVAL (i % 3) DAY + INTERVAL (i * 1001) MILLISECOND AS v,
  DATE '0001-01-01' + (i * 1931)::INTEGER AS later, DATE '2000-01-01' - (i * 997)::INTEGER AS earlier FROM range(2000) r(i)`;

const nested = `SELECT CASE WHEN i % 4 = 0 THEN NULL ELSE {'x': i, 'y': CASE WHEN i % 3 = 0 THEN NULL ELSE [i, NULL] END} END AS s,
  [{'q': i}, NULL] AS l, CASE WHEN i % 5 = 1 THEN [] WHEN i % 5 = 2 THEN NULL ELSE [[i], [], NULL, [NULL, i]] END AS ll,
  map {i: 'v', i + 10: NULL} AS m, map {'k' || i: [i]} AS mm, CASE WHEN i % 3 = 0 THEN map {} ELSE map {i: i} END AS em,
  array_value(i, NULL, i) AS fixed, [1.1::DECIMAL(3, 1), NULL] AS decimals, ['a"b', NULL, 'é'] AS texts,
  {'a': {'b': {'c': [{'d': i}]}}} AS deep, [DATE '2020-01-01'] AS dates FROM range(1000) r(i)`;

const files: Readonly<Record<string, string>> = {
  "numbers, texts and bytes": scalars,
  "times and dates of any year": times,
  "times of day, intervals and all dates": clocks,
  "lists, maps and structs": nested,
  "lists of fixed size behind a null":
    "SELECT * FROM (VALUES (1, array_value(1, 2, 3)), (2, NULL), (3, array_value(4, NULL, 6)), (4, array_value(7, 8, 9))) t(i, a)",
  "lists of lists of fixed size":
    "SELECT * FROM (VALUES ([array_value(3, 1), NULL, array_value(NULL, 2)]), (NULL), ([]), ([NULL]), ([array_value(5, 6)])) t(a)",
  "no rows": "SELECT 1 AS a, [1] AS b WHERE false",
};

/** Precision and scale: as each of the four ways in which decimals are stored. */
const decimals = [
  [4, 1],
  [4, 4],
  [9, 2],
  [18, 6],
  [38, 0],
  [38, 10],
  [38, 38],
] as const;

/** Rows in several pages and row groups, values that repeat and that do not. */
const many = `SELECT i, i % 100 AS few, 'text ' || (i % 1000) AS text, 'long ' || hash(i) AS long, i * 0.5::DOUBLE AS d,
  (i * 0.1)::FLOAT AS f, i % 2 = 0 AS flag, CASE WHEN i % 3 = 0 THEN NULL ELSE i END AS n, [i, i + 1] AS list,
  (i * 37)::DECIMAL(18, 3) AS cost, uuid() AS uuid, DATE '2000-01-01' + (i % 9000)::INTEGER AS day FROM range(`;

describe("A Parquet file that DuckDB wrote", () => {
  let duckDb: DuckDb;
  before(async () => (duckDb = await DuckDb.open()));
  after(() => duckDb.close());

  for (const [name, query] of Object.entries(files)) {
    it(`shows what DuckDB shows: ${name}`, async () => {
      assert.deepEqual(await differences(await duckDb.write(query)), []);
    });
  }

  for (const [precision, scale] of decimals) {
    it(`shows every digit of a decimal(${String(precision)}, ${String(scale)})`, async () => {
      const digits = `lpad(right(hash(i)::VARCHAR || hash(i + 7)::VARCHAR, ${String(precision)}), ${String(precision)}, '0')`;
      const text = `left(x, ${String(precision - scale)}) || '.' || right(x, ${String(scale)})`;
      const query = `SELECT (CASE WHEN i % 2 = 0 THEN '-' ELSE '' END || ${text})::DECIMAL(${String(precision)}, ${String(scale)}) AS a
        FROM (SELECT i, ${digits} AS x FROM range(1000) r(i))`;
      assert.deepEqual(await differences(await duckDb.write(query)), []);
    });
  }

  for (const version of ["V1", "V2"]) {
    for (const codec of ["uncompressed", "snappy", "gzip", "zstd", "brotli", "lz4_raw"]) {
      it(`is read in pages of ${version} with ${codec}`, async () => {
        // DuckDB takes its time for Brotli.
        const rows = codec === "brotli" ? 2000 : 9000;
        const options = `CODEC ${codec}, PARQUET_VERSION ${version}, ROW_GROUP_SIZE ${String(Math.ceil(rows / 3))}`;
        const written = await duckDb.write(`${many}${String(rows)}) r(i)`, options);
        assert.deepEqual(await differences(written), []);
      });
    }
  }
});

/** The cells that differ, the first few of them. */
async function differences({ bytes, columns, rows }: WrittenByDuckDb): Promise<readonly string[]> {
  const table = await openParquet("a.parquet", counted(bytes), DECOMPRESSORS);
  assert.equal(table.facts.rows, rows.length);
  const found: string[] = [];
  for (const [index, { name, type }] of columns.entries()) {
    // Also from the middle: what comes before it is passed over.
    for (const [from, to] of [
      [0, Math.min(rows.length, 2000)],
      [Math.floor(rows.length * 0.7), rows.length],
    ] as const) {
      const read = await table.column(index, { rowStart: from, rowEnd: to });
      if ("problem" in read) return [`${name}: ${read.problem}`];
      assert.equal(read.cells.length, to - from);
      for (const [at, cell] of read.cells.entries()) {
        const shown = rows[from + at]?.[index] ?? null;
        if (found.length < 5 && !same(cell, shown, type)) {
          found.push(
            `${name} ${type}, row ${String(from + at)}: DuckDB shows ${String(shown)}, not ${cell.text}`,
          );
        }
      }
    }
  }
  return found;
}

/** Times are written as ISO 8601 with all their digits, JSON without spaces, and a number below 1 with its zero. */
function same({ kind, text }: Cell, shown: string | null, type: string): boolean {
  if (shown === null || kind === "null") return shown === null && kind === "null";
  if (kind === "json") return JSON.stringify(JSON.parse(text)) === JSON.stringify(JSON.parse(shown));
  if (type.startsWith("TIME")) return timeWords(text) === timeWords(shown);
  return text === shown.replace(/^(-?)\./, "$10.");
}

function timeWords(text: string): string {
  const era = text.includes("(BC)") ? " (BC)" : "";
  const time = text.replace(" (BC)", "").replace("T", " ").replace("Z", "+00");
  return time.replace(/(\.\d*?)0+(?=$|\+)/, "$1").replace(/\.(?=$|\+)/, "") + era;
}
