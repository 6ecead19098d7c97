import { deepEqual } from "node:assert/strict";
import { changedNodes } from "../../../../src/editor/kit/tree/treeChange.ts";
import type { Drawing } from "../../../../src/editor/kit/tree/treeChange.ts";

const leaf = (id: string, snapshot = ""): Drawing => ({ id, snapshot, children: [] });
const node = (id: string, children: readonly Drawing[] | undefined, snapshot = ""): Drawing => ({
  id,
  snapshot,
  children,
});

describe("drawing a tree again", () => {
  const before = node("root", [node("a", [leaf("a1"), leaf("a2")]), node("b", [leaf("b1")])]);

  it("draws nothing when nothing changed", () => {
    deepEqual(changedNodes(before, structuredClone(before)), []);
  });

  it("draws only the rows whose snapshot changed", () => {
    const after = node("root", [
      node("a", [leaf("a1"), leaf("a2", "busy")]),
      node("b", [leaf("b1", "idle")]),
    ]);
    deepEqual(changedNodes(before, after), ["a2", "b1"]);
  });

  it("draws the parent when a row came or went", () => {
    const after = node("root", [node("a", [leaf("a1"), leaf("a2")]), node("b", [])]);
    deepEqual(changedNodes(before, after), ["b"]);
  });

  it("draws the common parent when a row moved from one to another", () => {
    const after = node("root", [node("a", [leaf("a1")]), node("b", [leaf("a2"), leaf("b1")])]);
    deepEqual(changedNodes(before, after), ["root"]);
  });

  it("leaves rows to whoever asked for them first, and draws rows that are forgotten", () => {
    const closed = node("root", [node("a", undefined), node("b", [leaf("b1")])]);
    deepEqual(changedNodes(closed, before), []);
    deepEqual(changedNodes(before, closed), ["a"]);
  });

  it("draws a row without children again when it is forgotten that it has none", () => {
    deepEqual(changedNodes(node("root", [node("a", [])]), node("root", [node("a", undefined)])), ["a"]);
  });
});
