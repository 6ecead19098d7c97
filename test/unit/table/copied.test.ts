import { deepEqual, equal } from "node:assert/strict";
import { copiedText, formulas } from "../../../src/table/copied.ts";
import type { Cell, CellKind } from "../../../src/table/messages.ts";

const cell = (kind: CellKind, text: string): Cell => ({ kind, text });
const columns = [
  {
    name: 'a "b"',
    cells: [cell("text", "one\ttwo"), cell("text", 'said "x"\nand more'), cell("null", "")],
  },
  { name: "n", cells: [cell("number", "9007199254740993"), cell("number", "-1.5"), cell("number", "nan")] },
  { name: "j", cells: [cell("json", '{"a":1.10}'), cell("json", "{no}"), cell("boolean", "true")] },
];

describe("Copied cells", () => {
  it("are fields between tabs, quoted where they hold one, a line or a quote", () => {
    equal(
      copiedText(columns, 3, "text"),
      '"one\ttwo"\t9007199254740993\t"{""a"":1.10}"\n"said ""x""\nand more"\t-1.5\t{no}\n\tnan\ttrue',
    );
  });

  it("are CSV with the columns' names", () => {
    equal(
      copiedText([{ name: "a,b", cells: [cell("text", "1,2"), cell("text", "\t")] }], 2, "csv"),
      '"a,b"\r\n"1,2"\r\n\t',
    );
  });

  it("are JSON that loses no digit, and says what is null", () => {
    const text = copiedText(columns, 3, "json");
    deepEqual(JSON.parse(text), [
      { 'a "b"': "one\ttwo", n: "9007199254740993", j: { a: 1.1 } },
      { 'a "b"': 'said "x"\nand more', n: -1.5, j: "{no}" },
      { 'a "b"': null, n: "nan", j: true },
    ]);
  });

  it("stay as they are where they look like a formula, which is counted", () => {
    const risky = [cell("text", "=1+1"), cell("text", "@sum"), cell("number", "-1"), cell("text", "a=b")];
    equal(formulas([{ name: "a", cells: risky }]), 2);
    equal(copiedText([{ name: "a", cells: risky }], 4, "text"), "=1+1\n@sum\n-1\na=b");
  });
});
