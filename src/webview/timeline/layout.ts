/** Where lanes, tracks and spans stand in the chart, and what stands at a point of it. */

import type { Axis } from "../../run/timeline/axis.ts";
import { lastOf } from "../../run/timeline/axis.ts";
import type { Lane, TimedSpan } from "../../run/timeline/tracks.ts";

export const rulerHeight = 20;
const headHeight = 18;
export const trackHeight = 20;
const laneGap = 4;
/** A span is this wide at least for who points at it, in pixels. */
const reach = 4;

/** A part of the axis, in its offsets. */
export interface Range {
  readonly from: number;
  readonly to: number;
}

/** A track and how far below the top it begins. */
export interface Track {
  readonly top: number;
  readonly spans: readonly TimedSpan[];
}

export interface Layout {
  readonly heads: readonly { readonly top: number; readonly lane: Lane }[];
  readonly tracks: readonly Track[];
  readonly height: number;
}

/** Puts lanes below each other; the thread's own graph needs no name. */
export function layoutOf(lanes: readonly Lane[]): Layout {
  const heads: { top: number; lane: Lane }[] = [];
  const tracks: Track[] = [];
  let top = rulerHeight;
  for (const lane of lanes) {
    if (lane.name !== "") {
      heads.push({ top, lane });
      top += headHeight;
    }
    for (const spans of lane.tracks) {
      tracks.push({ top, spans });
      top += trackHeight;
    }
    top += laneGap;
  }
  return { heads, tracks, height: top };
}

/** From a time to a point of the screen, and back. */
export interface Scale {
  readonly axis: Axis;
  readonly range: Range;
  readonly width: number;
}

export function xOf({ axis, range, width }: Scale, at: number): number {
  return ((axis.offset(at) - range.from) / (range.to - range.from)) * width;
}

export function offsetAt({ range, width }: Pick<Scale, "range" | "width">, x: number): number {
  return range.from + (x / width) * (range.to - range.from);
}

/** The spans of a track that are in sight; those that are drawn over the one before them by less than `grain` pixels are left out. */
export function* inSight(
  track: Track,
  scale: Scale,
  grain: number,
): Generator<readonly [TimedSpan, number, number]> {
  const from = scale.axis.at(scale.range.from);
  const first = lastOf(track.spans, (one) => one.to < from);
  let index = first === undefined ? 0 : track.spans.indexOf(first);
  let drawn = -Infinity;
  for (; index < track.spans.length; index++) {
    const one = track.spans[index];
    if (one === undefined) return;
    const left = xOf(scale, one.from);
    if (left > scale.width) return;
    const right = xOf(scale, one.to);
    if (right < 0 || (right < drawn + grain && one.span.status !== "error")) continue;
    drawn = right;
    yield [one, left, right];
  }
}

/** What stands at a point; `y` counts from the top of all lanes. */
export function spanAt(layout: Layout, scale: Scale, x: number, y: number): TimedSpan | undefined {
  const track = layout.tracks.find(({ top }) => y >= top && y < top + trackHeight);
  if (track === undefined) return undefined;
  let nearest: TimedSpan | undefined;
  let distance = reach;
  for (const [one, left, right] of inSight(track, scale, 0)) {
    const away = x < left ? left - x : x > right ? x - right : 0;
    if (away < distance || (away === 0 && distance === 0)) {
      nearest = one;
      distance = away;
    }
  }
  return nearest;
}
