/** Which rows a key acts on: the one that has the focus, and all that are selected together with it. */

import { isDeepStrictEqual } from "node:util";

/** The rows that are selected in a view, as commands mean them. */
export interface Selection<Row> {
  readonly viewId: string;
  readonly rows: readonly Row[];
}

/**
 * A key binding's only argument is an array of one: the mark with which the editor's own title buttons ask for the
 * focused row, put in its place by the editor. Where the mark means nothing to an editor, the selection of its view is
 * all there is. What is selected in another view than the focused row's is never meant.
 */
export function rowsUnderKey<Row>(
  [focused]: readonly unknown[],
  selections: readonly Selection<Row>[],
  rowOf: (value: unknown) => Row | undefined,
): readonly Row[] {
  const marked = markedView(focused);
  if (marked !== undefined) return selections.find(({ viewId }) => viewId === marked)?.rows ?? [];
  const row = rowOf(focused);
  if (row === undefined) return [];
  const isRow = (other: Row): boolean => isDeepStrictEqual(other, row);
  const together = selections.find(({ rows }) => rows.some(isRow))?.rows ?? [];
  return [row, ...together.filter((other) => !isRow(other))];
}

function markedView(value: unknown): unknown {
  return typeof value === "object" && value !== null && "$focusedTreeItem" in value && "$treeViewId" in value
    ? value.$treeViewId
    : undefined;
}
