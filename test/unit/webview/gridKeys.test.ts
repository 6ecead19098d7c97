import { deepEqual, equal } from "node:assert/strict";
import { cellAfter, type GridKey, isLetter, widening } from "../../../src/webview/parquet/gridKeys.ts";

const pressed = (key: string, more: Partial<GridKey> = {}): GridKey => ({
  ...{ key, ctrlKey: false, metaKey: false, shiftKey: false },
  ...more,
});

describe("A key in a table", () => {
  const size = { rows: 100, columns: 8 };
  const after = (key: string, more?: Partial<GridKey>): readonly number[] | undefined => {
    const cell = cellAfter(pressed(key, more), { row: 50, column: 4 }, 20, size);
    return cell && [cell.row, cell.column];
  };

  it("leads to the next cell, a page or to the ends of a row", () => {
    const keys = ["ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight", "PageUp", "PageDown", "Home", "End"];
    deepEqual(
      keys.map((key) => after(key)),
      [
        [49, 4],
        [51, 4],
        [50, 3],
        [50, 5],
        [30, 4],
        [70, 4],
        [50, 0],
        [50, 7],
      ],
    );
  });

  it("leads to the ends of the table with Control or Command", () => {
    const keys = ["ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight", "Home", "End"];
    const ends = [
      [0, 4],
      [99, 4],
      [50, 0],
      [50, 7],
      [0, 0],
      [99, 7],
    ];
    for (const held of [{ ctrlKey: true }, { metaKey: true }])
      deepEqual(
        keys.map((key) => after(key, held)),
        ends,
      );
  });

  it("leads nowhere where it is another one", () => {
    for (const key of ["a", "Enter", "Tab", "-"]) equal(after(key), undefined);
  });

  it("makes a column wider or narrower, but with Control everything", () => {
    deepEqual(
      ["-", "+", "=", "a"].map((key) => widening(pressed(key))),
      [-16, 16, 16, undefined],
    );
    equal(widening(pressed("+", { ctrlKey: true })), undefined);
    equal(widening(pressed("+", { metaKey: true })), undefined);
  });

  it("is just a letter only where nothing but Shift is held", () => {
    equal(isLetter(pressed("f"), "f"), true);
    equal(isLetter(pressed("F", { shiftKey: true }), "f"), true);
    equal(isLetter(pressed("g"), "f"), false);
    equal(isLetter(pressed("f", { ctrlKey: true }), "f"), false);
    equal(isLetter(pressed("f", { metaKey: true }), "f"), false);
  });
});
