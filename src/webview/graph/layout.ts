/** Where the nodes of a graph are drawn, and the ways between them. */

import * as library from "@dagrejs/dagre";

import type { AssistantGraph } from "../../run/panel/messages.ts";
import { type Ranked, setOrder } from "./ordering.ts";

/** A point of the drawing, in pixels. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

/** A node as a box around its middle. */
export interface PlacedNode extends Point {
  readonly id: string;
  readonly label: string;
  readonly width: number;
  readonly height: number;
  /** Where a graph begins or ends: nothing runs there. */
  readonly isEnd: boolean;
}

interface Way {
  readonly source: string;
  readonly target: string;
}

/** A way between two nodes. */
export interface PlacedEdge extends Way {
  readonly conditional: boolean;
  readonly points: readonly Point[];
}

/** A whole drawing and its size. */
export interface Drawing {
  readonly nodes: readonly PlacedNode[];
  readonly edges: readonly PlacedEdge[];
  readonly width: number;
  readonly height: number;
}

/** What is used of dagre, whose own types are not found by every way of resolving modules. */
interface Dagre {
  readonly Graph: new () => Plan;
  layout(plan: Plan, options: { readonly customOrder: (graph: Ranked) => void }): void;
}

interface Plan {
  setGraph(
    label: Readonly<Record<"nodesep" | "ranksep" | "marginx" | "marginy", number>> & {
      readonly ranker: string;
    },
  ): void;
  setDefaultEdgeLabel(label: () => object): void;
  setNode(key: string, size: Readonly<Record<"width" | "height", number>>): void;
  setEdge(from: string, to: string): void;
  graph(): { readonly width?: number; readonly height?: number };
  node(key: string): Partial<Point>;
  edge(from: string, to: string): { readonly points?: readonly Point[] };
}

const dagre = library as unknown as Dagre;

/** Drawings beyond this take too long to make, and nobody finds their way in them. */
const mostNodes = 400;
const mostEdges = 1200;
/** From this size on the ranks are found in a quicker way, which may leave a way a little longer. */
const large = 60;
const margin = 8;
const loopWidth = 18;
const longestLabel = 26;

/** Draws the graph from top to bottom; undefined for one that is too large to be drawn. */
export function drawingOf(graph: AssistantGraph): Drawing | undefined {
  const ids = nodeIds(graph);
  if (ids.length > mostNodes || graph.edges.length > mostEdges) return undefined;
  const plan = new dagre.Graph();
  const ranker = ids.length > large ? "tight-tree" : "network-simplex";
  plan.setGraph({ nodesep: 28, ranksep: 36, marginx: margin, marginy: margin, ranker });
  plan.setDefaultEdgeLabel(() => ({}));
  // A graph may call its nodes whatever it likes, the library's own keys included.
  const keys = new Map(ids.map((id, index) => [id, `n${index}`]));
  const keyOf = (id: string): string => keys.get(id) ?? "";
  const boxes = ids.map((id) => {
    const [label, isEnd] = [labelOf(id), isEndNode(id)];
    const width = isEnd ? 62 : Math.max(136, 26 + label.length * 7.4);
    return { id, label, isEnd, width, height: isEnd ? 24 : 44 };
  });
  for (const { id, width, height } of boxes) plan.setNode(keyOf(id), { width, height });
  const ways = new Map<string, Way & { readonly conditional: boolean }>();
  for (const { source, target, conditional = false } of graph.edges)
    ways.set(JSON.stringify([source, target]), { source, target, conditional });
  const loops = [...ways.values()].filter(({ source, target }) => source === target);
  const others = [...ways.values()].filter(({ source, target }) => source !== target);
  for (const { source, target } of others) plan.setEdge(keyOf(source), keyOf(target));
  dagre.layout(plan, { customOrder: setOrder });
  const nodes = boxes.map((box): PlacedNode => {
    const { x = 0, y = 0 } = plan.node(keyOf(box.id));
    return { ...box, x, y };
  });
  const { width = 0, height = 0 } = plan.graph();
  return {
    ...{ nodes, height },
    width: width + (loops.length > 0 ? loopWidth : 0),
    edges: [
      ...others.map((way) => ({
        ...way,
        points: plan.edge(keyOf(way.source), keyOf(way.target)).points ?? [],
      })),
      ...loops.map((way) => ({
        ...way,
        points: nodes.filter(({ id }) => id === way.source).flatMap(loopAt),
      })),
    ],
  };
}

/** Round the right edge of a node. */
function loopAt({ x, y, width }: PlacedNode): readonly Point[] {
  const [left, right] = [x + width / 2, x + width / 2 + loopWidth];
  return [
    { x: left, y: y - 10 },
    { x: right, y: y - 10 },
    { x: right, y: y + 10 },
    { x: left, y: y + 10 },
  ];
}

/** The ids of all nodes, those that only a way names with them. */
export function nodeIds({ nodes, edges }: AssistantGraph): readonly string[] {
  const ends = edges.flatMap(({ source, target }) => [source, target]);
  return [...new Set([...nodes.map(({ id }) => id), ...ends])];
}

/** Whether a graph, or a subgraph, begins or ends there. */
export function isEndNode(id: string): boolean {
  return /(?:^|:)__(?:start|end)__$/.test(id);
}

function labelOf(id: string): string {
  if (isEndNode(id)) return id.endsWith("__start__") ? "start" : "end";
  return id.length > longestLabel ? `${id.slice(0, 12)}…${id.slice(-12)}` : id;
}
