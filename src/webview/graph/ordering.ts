/** In which order the nodes of each rank stand beside each other, so that few ways cross. */

/** A graph whose nodes have ranks, and each of whose ways leads to the next rank. */
export interface Ranked {
  nodes(): readonly string[];
  edges(): readonly { readonly v: string; readonly w: string }[];
  node(key: string): { readonly rank?: number; order?: number };
}

/** After so many sweeps that brought nothing the best order is taken. */
const patience = 4;

interface Knot {
  readonly key: string;
  readonly above: Knot[];
  readonly below: Knot[];
  at: number;
}

/**
 * Sets the order of all nodes: ranks are gone through down and up again, and each node goes to the middle of those that
 * it is joined to.
 */
export function setOrder(graph: Ranked): void {
  let ranks = knotsOf(graph);
  let [best, fewest] = [ranks, crossings(ranks)];
  for (let [sweep, vain] = [0, 0]; vain < patience && fewest > 0; sweep += 1) {
    ranks = swept(ranks, sweep % 2 === 0 ? "above" : "below");
    const now = crossings(ranks);
    vain = now < fewest ? 0 : vain + 1;
    if (now < fewest) [best, fewest] = [ranks, now];
  }
  for (const rank of best) for (const [at, { key }] of rank.entries()) graph.node(key).order = at;
}

/** The nodes by rank: at first in the order in which the ways lead to them. */
function knotsOf(graph: Ranked): Knot[][] {
  const knots = new Map(
    graph.nodes().map((key): [string, Knot] => [key, { key, above: [], below: [], at: 0 }]),
  );
  for (const { v, w } of graph.edges()) {
    const [from, to] = [knots.get(v), knots.get(w)];
    if (from === undefined || to === undefined) continue;
    from.below.push(to);
    to.above.push(from);
  }
  const ranks: Knot[][] = [];
  const rankOf = ({ key }: Knot): number => graph.node(key).rank ?? 0;
  const seen = new Set<Knot>();
  const waiting = [...knots.values()].reverse().sort((one, other) => rankOf(other) - rankOf(one));
  for (let knot = waiting.pop(); knot !== undefined; knot = waiting.pop()) {
    if (seen.has(knot)) continue;
    seen.add(knot);
    (ranks[rankOf(knot)] ??= []).push(knot);
    waiting.push(...knot.below.toReversed());
  }
  return placed(Array.from(ranks, (rank: Knot[] | undefined) => rank ?? []));
}

function swept(ranks: readonly (readonly Knot[])[], side: "above" | "below"): Knot[][] {
  const next: Knot[][] = [];
  const order = ranks.map((_, at) => (side === "above" ? at : ranks.length - 1 - at));
  for (const at of order) {
    const middles = new Map((ranks[at] ?? []).map((knot) => [knot, middle(knot, side)]));
    const rank = [...middles.keys()].sort(
      (one, other) => (middles.get(one) ?? 0) - (middles.get(other) ?? 0),
    );
    next[at] = placed([rank])[0] ?? [];
  }
  return next;
}

/** One that is joined to nobody on that side stays where it is. */
function middle(knot: Knot, side: "above" | "below"): number {
  const joined = knot[side];
  return joined.length === 0 ? knot.at : joined.reduce((sum, { at }) => sum + at, 0) / joined.length;
}

function placed(ranks: Knot[][]): Knot[][] {
  for (const rank of ranks) for (const [at, knot] of rank.entries()) knot.at = at;
  return ranks;
}

/** How often ways cross, each rank with the next: pairs that stand the other way round below, counted in a tree. */
function crossings(ranks: readonly (readonly Knot[])[]): number {
  let count = 0;
  for (const [index, rank] of ranks.entries()) {
    const size = ranks[index + 1]?.length ?? 0;
    const tree = new Int32Array(size + 1);
    let seen = 0;
    for (const { below } of rank) {
      const ends = below.map(({ at }) => at);
      for (const end of ends) {
        let notBehind = 0;
        for (let at = end + 1; at > 0; at -= at & -at) notBehind += tree[at] ?? 0;
        count += seen - notBehind;
      }
      for (const end of ends)
        for (let at = end + 1; at <= size; at += at & -at) tree[at] = (tree[at] ?? 0) + 1;
      seen += ends.length;
    }
  }
  return count;
}
