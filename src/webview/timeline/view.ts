/** Which part of the axis is in sight, and which span the reader is at. */

import type { Axis } from "../../run/timeline/axis.ts";
import type { TimedSpan } from "../../run/timeline/tracks.ts";
import type { Layout, Range } from "./layout.ts";

/** Nothing is shown larger than this many milliseconds across. */
const shortest = 5;

/** The part around `middle` after it was made larger; undefined for all of it. */
export function zoomed(range: Range, axis: Axis, factor: number, middle: number): Range | undefined {
  const length = Math.max(shortest, (range.to - range.from) / factor);
  if (length >= axis.length) return undefined;
  const share = (middle - range.from) / (range.to - range.from);
  return moved({ from: middle - share * length, to: middle + (1 - share) * length }, axis, 0);
}

/** Around what is made larger: where the reader is, if that is in sight. */
export function middleOf(range: Range, axis: Axis, here: TimedSpan | undefined): number {
  const offset = here === undefined ? -1 : axis.offset(here.from);
  return offset >= range.from && offset <= range.to ? offset : (range.from + range.to) / 2;
}

/** The part so far to the right, but not past an end. */
export function moved(range: Range, axis: Axis, by: number): Range {
  const length = range.to - range.from;
  const from = Math.min(Math.max(0, range.from + by), Math.max(0, axis.length - length));
  return { from, to: from + length };
}

/** Moved as little as it takes to have a span in it. */
export function showing(range: Range, axis: Axis, { from, to }: TimedSpan): Range {
  const [start, end] = [axis.offset(from), axis.offset(to)];
  const length = range.to - range.from;
  if (start >= range.from && (end <= range.to || end - start > length)) return range;
  return moved({ from: start, to: start + length }, axis, -length * 0.1);
}

/** The span that an arrow key leads to: the next one of the track, or the nearest one of the next track. */
export function neighbour(layout: Layout, at: string | undefined, key: string): TimedSpan | undefined {
  const tracks = layout.tracks.filter(({ spans }) => spans.length > 0);
  const all = tracks.flatMap(({ spans }) => spans);
  const row = tracks.findIndex(({ spans }) => spans.some(({ span }) => span.id === at));
  const own = tracks[row]?.spans ?? [];
  const index = own.findIndex(({ span }) => span.id === at);
  const here = own[index];
  switch (key) {
    case "Home":
      return all.reduce<TimedSpan | undefined>(
        (a, b) => (a !== undefined && a.from <= b.from ? a : b),
        undefined,
      );
    case "End":
      return all.reduce<TimedSpan | undefined>(
        (a, b) => (a !== undefined && a.from > b.from ? a : b),
        undefined,
      );
    case "ArrowLeft":
    case "ArrowRight":
      return here === undefined ? tracks[0]?.spans[0] : own[index + (key === "ArrowLeft" ? -1 : 1)];
    default: {
      if (here === undefined) return tracks[0]?.spans[0];
      const middle = (here.from + here.to) / 2;
      const away = ({ from, to }: TimedSpan): number => Math.max(from - middle, middle - to, 0);
      const others = tracks[row + (key === "ArrowUp" ? -1 : 1)]?.spans ?? [];
      return others.reduce<TimedSpan | undefined>(
        (a, b) => (a !== undefined && away(a) <= away(b) ? a : b),
        undefined,
      );
    }
  }
}

/** The next span after this one of which that is true, or else the first. */
export function nextOf(
  layout: Layout,
  at: string | undefined,
  isWanted: (one: TimedSpan) => boolean,
): TimedSpan | undefined {
  const wanted = layout.tracks
    .flatMap(({ spans }) => spans.filter((one) => isWanted(one) || one.span.id === at))
    .sort((a, b) => a.from - b.from);
  const here = wanted.findIndex(({ span }) => span.id === at);
  return wanted.slice(here + 1).find(isWanted) ?? wanted.find(isWanted);
}
