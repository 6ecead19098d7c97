import assert from "node:assert/strict";
import { tableRequestOf } from "../../../../src/editor/parquet/tableRequest.ts";
import type { TableFacts } from "../../../../src/table/messages.ts";

const wide: TableFacts = {
  file: "wide.parquet",
  rows: 100_000,
  columns: Array.from({ length: 5000 }, (_, index) => ({
    name: `c${String(index)}`,
    kind: "text",
    type: "string",
    bytes: 1,
  })),
  rowGroups: 1,
  bytes: 1,
  compression: "",
  createdBy: "",
};
const all = wide.columns.map((_, index) => index);

describe("tableRequestOf", () => {
  it("reads no more cells at once than a screen shows, whatever is asked for", () => {
    for (const rows of [1, 64, 2000]) {
      const request = tableRequestOf({ type: "read", id: 0, rowStart: 0, rowEnd: rows, columns: all }, wide);
      const cells = request?.type === "read" ? rows * request.columns.length : NaN;
      assert.ok(cells > 0 && cells <= 65_536, `${String(cells)} cells of ${String(rows)} rows`);
    }
    assert.equal(
      tableRequestOf({ type: "read", id: 0, rowStart: 0, rowEnd: 2001, columns: [0] }, wide),
      undefined,
    );
  });

  for (const message of [
    undefined,
    null,
    "read",
    {},
    { type: "write" },
    { type: "open", id: 0, row: -1, column: 0 },
    { type: "open", id: 0, row: 0, column: 5000 },
    { type: "copy", id: 0, row: 1.5, column: 0 },
    { type: "read", id: 0, rowStart: 5, rowEnd: 5, columns: [0] },
    { type: "read", id: 0, rowStart: 0, rowEnd: 100_001, columns: [0] },
    { type: "read", id: 0, rowStart: 0, rowEnd: 1, columns: "all" },
    { type: "arrange", id: 1, how: {} },
    { type: "arrange", id: 1, how: { filters: [] } },
    { type: "arrange", id: 1, how: { sort: { column: 5000 } } },
    { type: "arrange", id: 1, how: { filters: [{ column: 5000, how: "is", value: "" }] } },
    { type: "arrange", id: 1, how: { filters: [{ column: 0, how: "toString", value: "" }] } },
    { type: "arrange", id: 1, how: { filters: [{ column: 0, how: "is", value: 1 }] } },
    { type: "find", id: 1, sought: { text: "a" } },
    { type: "find", id: 1, search: 1, sought: "a" },
    { type: "find", id: 1, search: 1, sought: { text: 1 } },
  ]) {
    it(`leaves ${JSON.stringify(message)} alone`, () => {
      assert.equal(tableRequestOf(message, wide), undefined);
    });
  }

  it("takes so many filters, of texts that a person may type", () => {
    const filter = { column: 0, how: "contains", value: "x".repeat(1000) };
    const arrange = (filters: readonly unknown[]) =>
      tableRequestOf({ type: "arrange", id: 1, how: { filters }, all: false }, wide);
    const twenty = Array.from({ length: 20 }, () => filter);
    assert.deepEqual(arrange(twenty), { type: "arrange", id: 1, how: { filters: twenty }, all: false });
    assert.equal(arrange([...twenty, filter]), undefined);
    assert.equal(arrange([{ ...filter, value: "x".repeat(1001) }]), undefined);
  });

  it("looks for texts that a person may type", () => {
    const find = (text: string) =>
      tableRequestOf({ type: "find", id: 1, search: 2, sought: { text, matchCase: "yes" } }, wide);
    const sought = { text: "x".repeat(1000), matchCase: false };
    assert.deepEqual(find(sought.text), { type: "find", id: 1, search: 2, sought, all: false });
    assert.equal(find("x".repeat(1001)), undefined);
  });

  it("asks for each column that there is once", () => {
    const columns = [1, 1, 4999, 5000, -1, "2", null];
    assert.deepEqual(tableRequestOf({ type: "read", id: 0, rowStart: 0, rowEnd: 1, columns }, wide), {
      type: "read",
      id: 0,
      rowStart: 0,
      rowEnd: 1,
      columns: [1, 4999],
    });
  });
});
