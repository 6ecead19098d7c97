import { deepEqual } from "node:assert/strict";
import { rowsUnderKey } from "../../../src/editor/kit/ask/rowKey.ts";

interface Row {
  readonly id: string;
}

const row = (id: string): Row => ({ id });
const rowOf = (value: unknown): Row | undefined =>
  typeof value === "object" && value !== null && "id" in value ? (value as Row) : undefined;
const selections = [
  { viewId: "left", rows: [row("a"), row("b")] },
  { viewId: "right", rows: [row("c")] },
];
const under = (focused: unknown): readonly string[] =>
  rowsUnderKey([focused], selections, rowOf).map(({ id }) => id);

describe("A key that is pressed in a list", () => {
  it("acts on the focused row alone when that row is not selected", () => {
    deepEqual(under(row("x")), ["x"]);
  });

  it("acts on all that are selected with the focused row, the focused one first", () => {
    deepEqual(under(row("b")), ["b", "a"]);
  });

  it("never acts on what is selected in another view", () => {
    deepEqual(under(row("c")), ["c"]);
    deepEqual(under(row("a")).includes("c"), false);
  });

  it("acts on nothing where the focused row is of another kind", () => {
    deepEqual(under({ name: "a connection" }), []);
    deepEqual(under(undefined), []);
  });

  it("acts on its own view's selection in an editor that does not tell the focused row", () => {
    deepEqual(under({ $treeViewId: "right", $focusedTreeItem: true }), ["c"]);
    deepEqual(under({ $treeViewId: "elsewhere", $focusedTreeItem: true }), []);
  });
});
