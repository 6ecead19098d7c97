/** How the entries of leaves are cut into rows, items and fields, by their levels. */

import type { Entries } from "./columnChunk.ts";
import type { SchemaNode } from "./schemaNode.ts";

/** The entries of one leaf that belong to one value. */
export interface Part {
  readonly entries: Entries;
  readonly from: number;
  readonly to: number;
}

/** The children of a node with their parts. */
export function below(node: SchemaNode, parts: readonly Part[]): (readonly [SchemaNode, readonly Part[]])[] {
  let first = 0;
  return node.children.map((child) => {
    const its = parts.slice(first, first + child.leaves);
    first += child.leaves;
    return [child, its] as const;
  });
}

/** Whether the first entry reaches the node's level. */
export function isThere(node: SchemaNode, [part]: readonly Part[]): boolean {
  return (part?.entries.definition[part.from] ?? 0) >= node.definition;
}

/** Parts as items: a repetition level up to this begins the next one. All leaves have equally many. */
export function split(parts: readonly Part[], repetition: number): readonly (readonly Part[])[] {
  const starts = parts.map(({ entries, from, to }) => {
    const begins = [];
    for (let index = from; index < to; index++) {
      if (index === from || (entries.repetition[index] ?? 0) <= repetition) begins.push(index);
    }
    return begins;
  });
  const count = starts[0]?.length ?? 0;
  if (starts.some(({ length }) => length !== count))
    throw new Error("the parts of a value do not fit together");
  return Array.from({ length: count }, (_, item) =>
    parts.map(({ entries, to }, part) => ({
      entries,
      from: starts[part]?.[item] ?? to,
      to: starts[part]?.[item + 1] ?? to,
    })),
  );
}
