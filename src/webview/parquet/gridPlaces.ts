/** How places of the grid become elements. */

import type { Span } from "./geometry.ts";

/** Where a column is, as style. */
export function placeOf(edges: readonly number[], column: number): { left: string; width: string } {
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
