/** In which order the nodes of each rank stand beside each other, so that few ways cross. */

/** A graph whose nodes have ranks, and each of whose ways leads to the next rank. */
export interface Ranked {
  nodes(): readonly string[];
  edges(): readonly { readonly v: string; readonly w: string }[];
  node(key: string): { readonly rank?: number; order?: number };
}

/** After so many sweeps that brought nothing the best order is taken. */
const mostVainSweeps = 4;

interface Vertex {
  readonly key: string;
  readonly above: Vertex[];
  readonly below: Vertex[];
  at: number;
}

/**
 * Sets the order of all nodes: ranks are gone through down and up again, and each node goes to the middle of those that
 * it is joined to.
 */
export function setOrder(graph: Ranked): void {
  let ranks = verticesOf(graph);
  let [best, fewest] = [ranks, crossings(ranks)];
  for (let [sweep, vain] = [0, 0]; vain < mostVainSweeps && fewest > 0; sweep += 1) {
    ranks = swept(ranks, sweep % 2 === 0 ? "above" : "below");
    const now = crossings(ranks);
    vain = now < fewest ? 0 : vain + 1;
    if (now < fewest) [best, fewest] = [ranks, now];
  }
  for (const rank of best) for (const [at, { key }] of rank.entries()) graph.node(key).order = at;
}

/** The nodes by rank: at first in the order in which the ways lead to them. */
function verticesOf(graph: Ranked): Vertex[][] {
  const vertices = new Map(
    graph.nodes().map((key): [string, Vertex] => [key, { key, above: [], below: [], at: 0 }]),
  );
  for (const { v, w } of graph.edges()) {
    const [from, to] = [vertices.get(v), vertices.get(w)];
    if (from === undefined || to === undefined) continue;
    from.below.push(to);
    to.above.push(from);
  }
  const ranks: Vertex[][] = [];
  const rankOf = ({ key }: Vertex): number => graph.node(key).rank ?? 0;
  const seen = new Set<Vertex>();
  const waiting = [...vertices.values()].reverse().sort((one, other) => rankOf(other) - rankOf(one));
  for (let vertex = waiting.pop(); vertex !== undefined; vertex = waiting.pop()) {
    if (seen.has(vertex)) continue;
    seen.add(vertex);
    (ranks[rankOf(vertex)] ??= []).push(vertex);
    waiting.push(...vertex.below.toReversed());
  }
  return placed(Array.from(ranks, (rank: Vertex[] | undefined) => rank ?? []));
}

function swept(ranks: readonly (readonly Vertex[])[], side: "above" | "below"): Vertex[][] {
  const next: Vertex[][] = [];
  const order = ranks.map((_, at) => (side === "above" ? at : ranks.length - 1 - at));
  for (const at of order) {
    const middles = new Map((ranks[at] ?? []).map((vertex) => [vertex, middle(vertex, side)]));
    const rank = [...middles.keys()].sort(
      (one, other) => (middles.get(one) ?? 0) - (middles.get(other) ?? 0),
    );
    next[at] = placed([rank])[0] ?? [];
  }
  return next;
}

/** One that is joined to nobody on that side stays where it is. */
function middle(vertex: Vertex, side: "above" | "below"): number {
  const joined = vertex[side];
  return joined.length === 0 ? vertex.at : joined.reduce((sum, { at }) => sum + at, 0) / joined.length;
}

function placed(ranks: Vertex[][]): Vertex[][] {
  for (const rank of ranks) for (const [at, vertex] of rank.entries()) vertex.at = at;
  return ranks;
}

/** How often ways cross, each rank with the next: pairs that stand the other way round below, counted in a tree. */
function crossings(ranks: readonly (readonly Vertex[])[]): number {
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
