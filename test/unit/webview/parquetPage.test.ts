import assert from "node:assert/strict";
import type { Cell, FromTable, KeysRequest, TableFacts } from "../../../src/table/messages.ts";
import { Blocks } from "../../../src/webview/parquet/blocks.ts";
import {
  columnEdges,
  columnsInView,
  possibleWidth,
  ROW_HEIGHT,
  rowsHeight,
  rowsInView,
  scrollTopOf,
  topRow,
} from "../../../src/webview/parquet/geometry.ts";
import { jsonNodes } from "../../../src/webview/parquet/jsonNodes.ts";
import { TableStore } from "../../../src/webview/parquet/tableStore.ts";
import type { TableMemory } from "../../../src/webview/parquet/tableView.ts";

const facts: TableFacts = {
  file: "a.parquet",
  rows: 1000,
  columns: ["a", "b", "c"].map((name) => ({ name, kind: "text", type: "string", bytes: 1 })),
  rowGroups: 1,
  bytes: 1,
  compression: "SNAPPY",
  createdBy: "",
};
const cells = (start: number, end: number): Cell[] =>
  Array.from({ length: end - start }, (_, index) => ({ kind: "text", text: String(start + index) }));
const numbers = (start: number, end: number): number[] =>
  Array.from({ length: end - start }, (_, index) => start + index);

describe("The table's geometry", () => {
  const at = (top: number) => ({ top, left: 0, width: 500, height: 240 });

  it("scrolls a short table pixel by pixel", () => {
    assert.equal(topRow(1000, at(0)), 0);
    assert.equal(topRow(1000, at(36)), 1.5);
    assert.deepEqual(rowsInView(1000, at(36)), { start: 1, end: 12 });
    assert.deepEqual(rowsInView(1000, at(36), 5), { start: 0, end: 17 });
    assert.deepEqual(rowsInView(3, at(0), 5), { start: 0, end: 3 });
  });

  it("reaches the first and the last row of a table that is taller than a browser can scroll", () => {
    const rows = 50_000_000;
    const bottom = rowsHeight(rows) - 240;
    assert.ok(rowsHeight(rows) < 33_000_000);
    assert.equal(rowsInView(rows, at(0)).start, 0);
    assert.equal(rowsInView(rows, at(bottom)).end, rows);
    for (const row of [0, 7, 24_999_999, rows - 240 / ROW_HEIGHT]) {
      assert.ok(Math.abs(topRow(rows, at(scrollTopOf(row, rows, at(0)))) - row) < 0.01);
    }
  });

  it("gives a column the width that a person chose, within reason", () => {
    assert.deepEqual(columnEdges(facts.columns, 50, { b: 80 }), [50, 250, 330, 530]);
    assert.deepEqual(
      columnEdges([{ name: "constructor", type: "UTF8", kind: "text", bytes: 0 }], 50),
      [50, 250],
    );
    assert.deepEqual([1, 99.6, 1e9].map(possibleWidth), [48, 100, 1600]);
  });

  it("finds the columns in view", () => {
    const edges = columnEdges(facts.columns, 50);
    assert.deepEqual(edges, [50, 250, 450, 650]);
    assert.deepEqual(columnsInView(edges, { top: 0, left: 50, width: 200, height: 1 }), { start: 0, end: 1 });
    assert.deepEqual(columnsInView(edges, { top: 0, left: 260, width: 200, height: 1 }), {
      start: 1,
      end: 3,
    });
    assert.deepEqual(columnsInView(edges, { top: 0, left: 50, width: 9000, height: 1 }), {
      start: 0,
      end: 3,
    });
    assert.deepEqual(columnsInView([50], { top: 0, left: 50, width: 9, height: 1 }), { start: 0, end: 0 });
  });
});

describe("The table's blocks of cells", () => {
  it("ask for whole blocks, and only for columns that are missing", () => {
    const blocks = new Blocks();
    const rows = { start: 60, end: 70 };
    const first = blocks.missing(rows, { start: 0, end: 2 }, 1000);
    assert.deepEqual(first, { rowStart: 0, rowEnd: 128, columns: [0, 1] });
    blocks.take(
      first,
      [
        { column: 0, cells: cells(0, 128) },
        { column: 1, problem: "no" },
      ],
      numbers(0, 128),
    );
    assert.equal(blocks.missing(rows, { start: 0, end: 2 }, 1000), undefined);
    assert.deepEqual(blocks.missing(rows, { start: 1, end: 3 }, 1000), {
      rowStart: 0,
      rowEnd: 128,
      columns: [2],
    });
    assert.deepEqual(blocks.cell(65, 0), { cell: { kind: "text", text: "65" } });
    assert.deepEqual(blocks.cell(65, 1), { column: 1, problem: "no" });
    assert.equal(blocks.cell(65, 2), undefined);
    assert.equal(blocks.missing({ start: 990, end: 1000 }, { start: 0, end: 1 }, 1000)?.rowEnd, 1000);
  });

  it("forget what was not shown for long", () => {
    const blocks = new Blocks();
    for (let row = 0; row < 64 * 100; row += 64) {
      blocks.take(
        { rowStart: row, rowEnd: row + 64, columns: [0] },
        [{ column: 0, cells: cells(row, row + 64) }],
        numbers(row, row + 64),
      );
    }
    assert.equal(blocks.cell(0, 0), undefined);
    assert.notEqual(blocks.cell(64 * 99, 0), undefined);
  });
});

describe("TableStore", () => {
  const made = (memory?: TableMemory) => {
    const posted: (FromTable | KeysRequest)[] = [];
    const saved: TableMemory[] = [];
    const store = new TableStore(
      { post: (request) => posted.push(request), save: (kept) => saved.push(kept), draw: () => undefined },
      memory,
    );
    store.receive({ type: "table", facts });
    return { store, posted, saved };
  };

  it("asks for one range at a time, and then for what is seen by then", () => {
    const { store, posted } = made();
    const columns = { start: 0, end: 1 };
    store.setInView({ start: 0, end: 20 }, columns);
    store.setInView({ start: 300, end: 320 }, columns);
    store.setInView({ start: 600, end: 620 }, columns);
    assert.equal(posted.length, 1);
    const range = { rowStart: 0, rowEnd: 64, columns: [0] };
    store.receive({
      type: "cells",
      id: 0,
      range,
      numbers: numbers(0, 64),
      columns: [{ column: 0, cells: cells(0, 64) }],
    });
    assert.deepEqual(posted.slice(1), [{ type: "read", id: 0, rowStart: 576, rowEnd: 640, columns: [0] }]);
  });

  it("stays inside the table, and lets the open value follow", () => {
    const { store, posted } = made();
    store.open();
    store.move({ row: -4, column: 99 });
    assert.deepEqual(store.view.active, { row: 0, column: 2 });
    assert.deepEqual(posted, [
      { type: "open", id: 0, row: 0, column: 0 },
      { type: "open", id: 0, row: 0, column: 2 },
    ]);
    store.receive({ type: "cell", row: 0, column: 0, cell: { kind: "text", text: "late" }, length: 4 });
    const shown = (): string | undefined => store.view.opened?.cell?.text;
    assert.equal(shown(), undefined);
    store.receive({ type: "cell", row: 0, column: 2, cell: { kind: "text", text: "now" }, length: 3 });
    assert.equal(shown(), "now");
  });

  it("remembers the widths of columns with the scroll position, by the columns' names", () => {
    const { store, saved } = made({ row: 7, column: 1, widths: { a: 90 } });
    store.resize(2, 10);
    assert.deepEqual(saved.at(-1), { row: 7, column: 1, widths: { a: 90, c: 48 } });
    store.resize(99, 70);
    assert.deepEqual(store.view.widths, { a: 90, c: 48 });
  });
});

describe("jsonNodes", () => {
  it("shows only what is unfolded", () => {
    const value = { "a/b": [1, "two"], c: null };
    const lines = (open: readonly string[]): string[] =>
      jsonNodes(value, new Set(open), new Map()).map(({ id, name, text }) => `${id} ${name} ${text}`);
    assert.deepEqual(lines([]), ["  {2 members}"]);
    assert.deepEqual(lines(["", "/a~1b"]), [
      "  {2 members}",
      "/a~1b a/b [2 items]",
      "/a~1b/0 0 1",
      "/a~1b/1 1 two",
      "/c c null",
    ]);
  });

  it("shows a long list portion by portion", () => {
    const value = Array.from({ length: 450 }, (_, index) => index);
    const shown = (portions: number) => jsonNodes(value, new Set([""]), new Map([["", portions]]));
    assert.equal(shown(0).length, 202);
    assert.equal(shown(0).at(-1)?.text, "Show 200 more of 250");
    assert.equal(shown(1).at(-1)?.text, "Show 50 more of 50");
    assert.equal(shown(2).length, 451);
  });
});
