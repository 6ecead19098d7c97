/** The lanes of a timeline: one for the same subgraph of all runs, with a track more for each that ran beside others. */

import { type Spent, sumSpent } from "./spent.ts";
import { lanePath, type Span, type Timeline } from "./timeline.ts";

/** A span whose place in time is known. */
export interface TimedSpan {
  readonly span: Span;
  readonly from: number;
  readonly to: number;
}

/** What is drawn below one name. */
export interface Lane {
  /** The names of the lanes around it and its own, joined by " › "; the thread's own graph has none. */
  readonly key: string;
  readonly name: string;
  readonly depth: number;
  /** What its own model calls took. */
  readonly spent: Spent;
  /** In each, the spans stand one after the other; those of steps come before those of tools. */
  readonly tracks: readonly (readonly TimedSpan[])[];
}

/** The lanes from top to bottom, each below the one around it; what goes on ends `now`, in epoch milliseconds. */
export function lanesOf(timeline: Timeline, now: number): readonly Lane[] {
  const byKey = Map.groupBy(timeline.spans, ({ runId, lane }) => lanePath(timeline, runId, lane).join(" › "));
  const came = [...byKey.keys()];
  const keys = came.toSorted((a, b) => compare(a, b, came));
  return keys.map((key): Lane => {
    const spans = byKey.get(key) ?? [];
    const path = key === "" ? [] : key.split(" › ");
    return {
      key,
      name: path.at(-1) ?? "",
      depth: path.length,
      spent: sumSpent(spans.map(({ spent }) => spent)),
      tracks: [
        ...packed(
          spans.filter(({ kind }) => kind !== "tool"),
          now,
        ),
        ...packed(
          spans.filter(({ kind }) => kind === "tool"),
          now,
        ),
      ],
    };
  });
}

/** As a span is drawn; undefined where its times are not known. */
export function timed(span: Span, now: number): TimedSpan | undefined {
  const { from, to, isOn } = span;
  const end = to ?? (isOn ? now : undefined);
  return from === undefined || end === undefined ? undefined : { span, from, to: Math.max(from, end) };
}

function packed(spans: readonly Span[], now: number): readonly (readonly TimedSpan[])[] {
  const tracks: TimedSpan[][] = [];
  const all = spans.flatMap((span) => timed(span, now) ?? []).sort((a, b) => a.from - b.from || b.to - a.to);
  for (const one of all) {
    const free = tracks.find((track) => (track.at(-1)?.to ?? -Infinity) <= one.from);
    if (free === undefined) tracks.push([one]);
    else free.push(one);
  }
  return tracks;
}

/** A lane stands after the one around it, and beside others in the order in which they came. */
function compare(one: string, other: string, order: readonly string[]): number {
  const first = (key: string): number =>
    order.findIndex((known) => known === key || known.startsWith(`${key} › `));
  const [a, b] = [one === "" ? [] : one.split(" › "), other === "" ? [] : other.split(" › ")];
  for (let depth = 0; depth < Math.min(a.length, b.length); depth++) {
    if (a[depth] === b[depth]) continue;
    const upTo = (path: readonly string[]): string => path.slice(0, depth + 1).join(" › ");
    return first(upTo(a)) - first(upTo(b));
  }
  return a.length - b.length;
}
