/** Where rows and columns are, also of tables that are taller than a browser can scroll. */

import type { Column, ColumnKind, ShownRange } from "../../table/messages.ts";
import { ownValue } from "../kit/ownValue.ts";

/** The height of a row, in pixels. */
export const ROW_HEIGHT = 24;
/** The height of the columns' heads, in pixels. */
export const HEAD_HEIGHT = 44;

/** Browsers clamp elements at about 33 million pixels; beyond this height, a pixel is more than a row's part. */
const tallest = 8_000_000;

const widths: Readonly<Record<ColumnKind, number>> = {
  text: 200,
  json: 280,
  time: 260,
  number: 120,
  boolean: 90,
  binary: 180,
};

/** Pixels that a person gave a column, by its name. */
export type ColumnWidths = Readonly<Record<string, number>>;

const narrowest = 48;
const widest = 1600;

/** The window through which the table is seen, in pixels; `height` without the head. */
export interface Viewport {
  readonly top: number;
  readonly left: number;
  readonly width: number;
  readonly height: number;
}

/** A cell, by its row and column. */
export interface CellPosition {
  readonly row: number;
  readonly column: number;
}

/** Rows or columns from `start` up to `end`. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** The cell, or the nearest one that there is. */
export function nearestCell({ row, column }: CellPosition, rows: number, columns: number): CellPosition {
  return {
    row: Math.max(0, Math.min(rows - 1, row)),
    column: Math.max(0, Math.min(columns - 1, column)),
  };
}

/** The range with both cells in its corners. */
export function rangeBetween(one: CellPosition, other: CellPosition): ShownRange {
  return {
    rowStart: Math.min(one.row, other.row),
    rowEnd: Math.max(one.row, other.row) + 1,
    columnStart: Math.min(one.column, other.column),
    columnEnd: Math.max(one.column, other.column) + 1,
  };
}

/** Whether a cell is in the range. */
export function isWithin(range: ShownRange | undefined, row: number, column: number): boolean {
  if (range === undefined) return false;
  const { rowStart, rowEnd, columnStart, columnEnd } = range;
  return row >= rowStart && row < rowEnd && column >= columnStart && column < columnEnd;
}

/** The height of all rows together. */
export function rowsHeight(rows: number): number {
  return Math.min(rows * ROW_HEIGHT, tallest);
}

/** The row at the upper edge, with the part of it that is scrolled away as fraction. */
export function topRow(rows: number, { top, height }: Viewport): number {
  const way = rowsHeight(rows) - height;
  return way <= 0 ? 0 : Math.max(0, (top / way) * (rows - height / ROW_HEIGHT));
}

/** The scroll position at which a row is at the upper edge. */
export function scrollTopOf(row: number, rows: number, { height }: Viewport): number {
  const way = rowsHeight(rows) - height;
  const last = rows - height / ROW_HEIGHT;
  return way <= 0 || last <= 0 ? 0 : (Math.min(row, last) / last) * way;
}

/** How many rows fit whole. */
export function fittingRows({ height }: Viewport): number {
  return Math.max(1, Math.floor(height / ROW_HEIGHT));
}

/** The rows that are in view, and `around` more on both sides. */
export function rowsInView(rows: number, viewport: Viewport, around = 0): Span {
  const top = topRow(rows, viewport);
  const end = Math.ceil(top + viewport.height / ROW_HEIGHT) + around;
  return { start: Math.max(0, Math.floor(top) - around), end: Math.min(rows, end) };
}

/** The upper edge of a row within the scrolled area, below the head. */
export function rowTop(row: number, rows: number, viewport: Viewport): number {
  return HEAD_HEIGHT + viewport.top + (row - topRow(rows, viewport)) * ROW_HEIGHT;
}

/** The left edges of the columns, after the row numbers, and at last the right edge of all. */
export function columnEdges(
  columns: readonly Column[],
  numbersWidth: number,
  chosen: ColumnWidths = {},
): readonly number[] {
  const edges = [numbersWidth];
  for (const column of columns) {
    edges.push((edges.at(-1) ?? 0) + (ownValue(chosen, column.name) ?? usualWidth(column)));
  }
  return edges;
}

/** A width that a column can have, as near as possible to the wanted one. */
export function possibleWidth(wanted: number): number {
  return Math.round(Math.max(narrowest, Math.min(widest, wanted)));
}

function usualWidth({ kind, name }: Column): number {
  return Math.min(360, Math.max(widths[kind], 9 * name.length + 24));
}

/** The columns that are in view. */
export function columnsInView(edges: readonly number[], { left, width }: Viewport): Span {
  const count = edges.length - 1;
  const start = edges.findIndex((_, index) => index === count || (edges[index + 1] ?? 0) > left);
  const end = edges.findIndex((edge, index) => index === count || edge >= left + width);
  return { start: Math.min(start, count), end };
}

/** The width of the column of row numbers, whose head is a word of three letters. */
export function numbersWidthOf(rows: number): number {
  return 24 + 8 * Math.max(3, rows.toLocaleString("en-US").length);
}

/** Where a column is, as style. */
export function columnStyle(edges: readonly number[], column: number): { left: string; width: string } {
  return { left: `${edges[column] ?? 0}px`, width: `${widthOf(edges, column)}px` };
}

/** How wide a column is, in pixels. */
export function widthOf(edges: readonly number[], column: number): number {
  const start = edges[column] ?? 0;
  return (edges[column + 1] ?? start) - start;
}

/** Every row or column of a span. */
export function range({ start, end }: Span): readonly number[] {
  return Array.from({ length: Math.max(0, end - start) }, (_, index) => start + index);
}
