/** Which items of two lists belong together: as many equal ones as possible, in the order of both. */

/** The indexes of two items that belong together, or of one that has no partner. */
export interface Pair {
  readonly left: number | undefined;
  readonly right: number | undefined;
}

/** Longer lists would take too much time and memory. */
export const mostAligned = 5000;

/**
 * Pairs the items of two lists by their keys: a longest common subsequence, which begins as early as it can. Each item
 * is in one pair, and where several have no partner, those of the left list come first. Takes at most `mostAligned` items
 * of each list.
 */
export function align(left: readonly string[], right: readonly string[]): readonly Pair[] {
  if (Math.max(left.length, right.length) > mostAligned)
    throw new RangeError(`at most ${String(mostAligned)} items are aligned`);
  const [m, n] = [left.length, right.length];
  let start = 0;
  while (start < Math.min(m, n) && left[start] === right[start]) start++;
  let tail = 0;
  while (tail < Math.min(m, n) - start && left[m - 1 - tail] === right[n - 1 - tail]) tail++;
  const paired = (from: number, to: number, shift: number): readonly Pair[] =>
    Array.from({ length: to - from }, (_, at) => ({ left: from + at, right: from + at + shift }));
  const middle = alignMiddle(left.slice(start, m - tail), right.slice(start, n - tail));
  return [
    ...paired(0, start, 0),
    ...middle.map((pair) => ({ left: moved(pair.left, start), right: moved(pair.right, start) })),
    ...paired(m - tail, m, n - m),
  ];
}

function moved(index: number | undefined, by: number): number | undefined {
  return index === undefined ? undefined : index + by;
}

/** By a table of how much the rests of both lists have in common. */
function alignMiddle(left: readonly string[], right: readonly string[]): readonly Pair[] {
  const [m, n] = [left.length, right.length];
  const width = n + 1;
  const common = new Uint16Array(m === 0 || n === 0 ? 0 : (m + 1) * width);
  const rest = (at: number, to: number): number => common[at * width + to] ?? 0;
  // Comparing numbers is much faster than comparing texts.
  const numbers = new Map([...left, ...right].map((key, at) => [key, at]));
  const numbersOf = (keys: readonly string[]) => Int32Array.from(keys, (key) => numbers.get(key) ?? -1);
  const [a, b] = [numbersOf(left), numbersOf(right)];
  for (let i = m - 1; common.length > 0 && i >= 0; i--) {
    const key = a[i];
    for (let j = n - 1, at = i * width + j; j >= 0; j--, at--) {
      const below = common[at + width] ?? 0;
      const beside = common[at + 1] ?? 0;
      if (key === b[j]) common[at] = (common[at + width + 1] ?? 0) + 1;
      else common[at] = below > beside ? below : beside;
    }
  }
  const pairs: Pair[] = [];
  let [i, j] = [0, 0];
  while (i < m || j < n) {
    if (i < m && j < n && left[i] === right[j]) pairs.push({ left: i++, right: j++ });
    else if (i < m && (j === n || rest(i + 1, j) >= rest(i, j + 1)))
      pairs.push({ left: i++, right: undefined });
    else pairs.push({ left: undefined, right: j++ });
  }
  return pairs;
}
