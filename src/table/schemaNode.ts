/** The columns of a Parquet file as a tree, with the levels that tell nulls and the ends of lists. */

import type { FileMetaData, SchemaElement, SchemaTree } from "hyparquet";
import { parquetSchema } from "hyparquet";

/** A column, a group of columns, or a list of either. */
export interface SchemaNode {
  readonly name: string;
  readonly element: SchemaElement;
  readonly repeated: boolean;
  /** A value is there from this definition level on. */
  readonly definition: number;
  /** A repetition level up to this begins the next item; 0 outside of lists. */
  readonly repetition: number;
  readonly children: readonly SchemaNode[];
  /** How many leaves are below it; a leaf counts itself. */
  readonly leaves: number;
}

/** A top-level column, and which of a row group's leaves is its first. */
export interface TopColumn {
  readonly node: SchemaNode;
  readonly firstLeaf: number;
}

/** The columns of a file in their order. */
export function topColumns(metadata: FileMetaData): readonly TopColumn[] {
  let firstLeaf = 0;
  return parquetSchema(metadata).children.map((tree) => {
    const column = { node: nodeOf(tree, 0, 0), firstLeaf };
    firstLeaf += column.node.leaves;
    return column;
  });
}

/** The leaves below a node in the order of a row group's columns. */
export function leavesOf(node: SchemaNode): readonly SchemaNode[] {
  return node.children.length === 0 ? [node] : node.children.flatMap(leavesOf);
}

function nodeOf({ element, children }: SchemaTree, above: number, lists: number): SchemaNode {
  const repeated = element.repetition_type === "REPEATED";
  const definition = above + (element.repetition_type === "REQUIRED" ? 0 : 1);
  const repetition = lists + (repeated ? 1 : 0);
  const nodes = children.map((child) => nodeOf(child, definition, repetition));
  const leaves = nodes.reduce((sum, node) => sum + node.leaves, 0);
  return {
    name: element.name,
    element,
    repeated,
    definition,
    repetition,
    children: nodes,
    leaves: Math.max(1, leaves),
  };
}
