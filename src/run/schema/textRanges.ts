/** Where in a JSON text a part of its value is written. */

import { findNodeAtLocation, type Node, parseTree } from "jsonc-parser";

/** A range of a text; lines and columns count from 1. */
export interface TextRange {
  readonly line: number;
  readonly column: number;
  readonly from: number;
  readonly to: number;
}

/** The range of each part; of one that is missing that of what it is missing in. */
export function rangesIn(text: string, paths: readonly (readonly string[])[]): readonly TextRange[] {
  const tree = parseTree(text);
  const lines = lineStarts(text);
  return paths.map((path) => {
    const { offset: from, length } = tree === undefined ? { offset: 0, length: 0 } : nodeAt(tree, path);
    const line = lines.findLastIndex((start) => start <= from);
    return { line: line + 1, column: from - (lines[line] ?? 0) + 1, from, to: from + length };
  });
}

function nodeAt(tree: Node, path: readonly string[]): Node {
  let found = tree;
  for (const step of path) {
    const next = findNodeAtLocation(found, [found.type === "array" ? Number(step) : step]);
    if (next === undefined) return found;
    found = next;
  }
  return found;
}

function lineStarts(text: string): readonly number[] {
  const starts = [0];
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  return starts;
}
