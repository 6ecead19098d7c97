import assert from "node:assert/strict";

import { parquetFile } from "../support/parquetFile.ts";
import { until } from "../support/until.ts";
import type { Opening } from "./tab.ts";
import { TablePage } from "./tablePage.ts";

/** How many the file has. */
export const rows = 100_000;
/** Of one group, so that a person can stop between two. */
const rowGroupSize = 20_000;
/** What the cell of its second row says that is no text of figures. */
export const hostile = `<img src=x onerror="alert(1)"><script>alert(2)</script>[a](command:evil) \u202egnp.exe`;

/** Spans as an export has them, with more columns than fit. */
function spans(): Uint8Array {
  const numbers = Array.from({ length: rows }, (_, index) => index);
  const text = { type: "BYTE_ARRAY", converted_type: "UTF8" } as const;
  return parquetFile(
    [
      { name: "id", data: numbers.map((index) => `span-${index}`), element: text },
      { name: "total_tokens", data: numbers, element: { type: "INT32" } },
      { name: "is_root", data: numbers.map((index) => index % 2 === 0), element: { type: "BOOLEAN" } },
      {
        name: "start_time",
        data: numbers.map((index) => BigInt(1_780_000_000_000_000 + index)),
        element: {
          type: "INT64",
          logical_type: { type: "TIMESTAMP", isAdjustedToUTC: true, unit: "MICROS" },
        },
      },
      {
        name: "inputs",
        data: numbers.map((index) =>
          JSON.stringify({ messages: [{ role: "user", content: `Question ${index}` }] }),
        ),
        element: text,
      },
      { name: "error", data: numbers.map((index) => (index === 1 ? hostile : null)), element: text },
      ...["trace_id", "session_id", "dotted_order"].map((name) => ({
        name,
        data: numbers.map((index) => `${name} ${index}`),
        element: text,
      })),
    ],
    { rowGroupSize },
  );
}

/** A test's table of that file, or another one; it complained of nothing, and asked nobody else. */
export type InTable = (
  opening: Opening,
  use: (table: TablePage) => Promise<void>,
  bytes?: Uint8Array,
) => Promise<void>;

/** A table for each test of a `describe`. */
export function useTable(): InTable {
  const file = spans();
  return async (opening, use, bytes = file) => {
    const table = await TablePage.open(bytes, opening);
    await until("the first cell", async () => (await table.page.locator("#cell-0-0 .value").count()) === 1);
    await use(table);
    assert.deepEqual([table.complaints, table.strayRequests], [[], []]);
    await table.close();
  };
}

/** Presses a key, and waits for the cell that has the focus then. */
export async function press(table: TablePage, key: string, active: string): Promise<void> {
  await table.page.keyboard.press(key);
  await until(`the cell ${active} after ${key}`, async () => (await table.active()) === active);
}
