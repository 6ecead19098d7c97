/** An axis of time on which pauses are short: a thread that waited for three days shows what it did before and after. */

/** A time of work or a pause. */
interface Stretch {
  readonly from: number;
  readonly to: number;
  /** Where it begins on the axis, and how long it is there. */
  readonly offset: number;
  readonly length: number;
}

/** Where times stand. Offsets are milliseconds from the beginning, without what the breaks leave out. */
export interface Axis {
  readonly length: number;
  /** The pauses that take less room than they took time. */
  readonly breaks: readonly Stretch[];
  readonly offset: (at: number) => number;
  readonly at: (offset: number) => number;
}

/** Pauses between the busy times become at most this part of all busy time. */
const longestPause = 0.04;

/** Busy times in epoch milliseconds, in any order. */
export function axisOf(busy: readonly { readonly from: number; readonly to: number }[]): Axis {
  const merged: { from: number; to: number }[] = [];
  for (const { from, to } of busy.toSorted((a, b) => a.from - b.from)) {
    const last = merged.at(-1);
    if (last !== undefined && from <= last.to) last.to = Math.max(last.to, to);
    else merged.push({ from, to });
  }
  const total = merged.reduce((sum, { from, to }) => sum + to - from, 0);
  const most = total * longestPause;
  const pieces: Stretch[] = [];
  const breaks: Stretch[] = [];
  let offset = 0;
  let before: number | undefined;
  for (const { from, to } of merged) {
    if (before !== undefined) {
      const pause = { from: before, to: from, offset, length: Math.min(from - before, most) };
      pieces.push(pause);
      if (pause.length < from - before) breaks.push(pause);
      offset += pause.length;
    }
    pieces.push({ from, to, offset, length: to - from });
    offset += to - from;
    before = to;
  }
  return {
    length: offset,
    breaks,
    offset: (at) => {
      const piece = lastOf(pieces, (one) => one.from <= at);
      if (piece === undefined) return 0;
      const part = piece.to === piece.from ? 1 : Math.min(1, (at - piece.from) / (piece.to - piece.from));
      return piece.offset + part * piece.length;
    },
    at: (wanted) => {
      const piece = lastOf(pieces, (one) => one.offset <= wanted) ?? pieces[0];
      if (piece === undefined) return 0;
      const part = piece.length === 0 ? 0 : Math.min(1, Math.max(0, wanted - piece.offset) / piece.length);
      return piece.from + part * (piece.to - piece.from);
    },
  };
}

/** The last item for which `isTrue` holds, which has to hold for the first ones only. */
export function lastOf<Item>(items: readonly Item[], isTrue: (item: Item) => boolean): Item | undefined {
  let [low, high] = [0, items.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isTrue(items[middle] as Item)) low = middle + 1;
    else high = middle;
  }
  return items[low - 1];
}
