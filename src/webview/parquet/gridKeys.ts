/** Which cell a key leads to. */

import type { CellPosition } from "./geometry.ts";

/** The part of a keyboard event that matters. */
export interface GridKey {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly shiftKey: boolean;
}

/** How much wider a key makes the active column, in pixels; undefined for a key that does not. */
export function widening({ key, ctrlKey, metaKey }: GridKey): number | undefined {
  // With Control they change the size of everything.
  if (ctrlKey || metaKey) return undefined;
  return { "-": -16, "+": 16, "=": 16 }[key];
}

/** Whether it is just that letter. */
export function isLetter({ key, ctrlKey, metaKey }: GridKey, letter: string): boolean {
  return !ctrlKey && !metaKey && key.toLowerCase() === letter;
}

/** The cell after a key, clamped by the caller; undefined when the key does not move. `page` counts rows. */
export function cellAfter(
  { key, ctrlKey, metaKey }: GridKey,
  { row, column }: CellPosition,
  page: number,
  { rows, columns }: { readonly rows: number; readonly columns: number },
): CellPosition | undefined {
  const far = ctrlKey || metaKey;
  const cells: ReadonlyMap<string, CellPosition> = new Map([
    ["ArrowUp", { row: far ? 0 : row - 1, column }],
    ["ArrowDown", { row: far ? rows - 1 : row + 1, column }],
    ["ArrowLeft", { row, column: far ? 0 : column - 1 }],
    ["ArrowRight", { row, column: far ? columns - 1 : column + 1 }],
    ["PageUp", { row: row - page, column }],
    ["PageDown", { row: row + page, column }],
    ["Home", { row: far ? 0 : row, column: 0 }],
    ["End", { row: far ? rows - 1 : row, column: columns - 1 }],
  ]);
  return cells.get(key);
}
