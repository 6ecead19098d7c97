import { strict as assert } from "node:assert";

import type { AssistantGraph } from "../../../src/run/panel/messages.ts";
import { type Drawing, drawingOf, type Point } from "../../../src/webview/graph/layout.ts";

/** Teams of nodes below a node that all of them lead back to. */
function teams(count: number, size: number): AssistantGraph {
  const edges = Array.from({ length: count }, (_, team) => {
    const name = (at: number) => `team${team}:${at}`;
    const ways = Array.from({ length: size - 1 }, (_, at) => ({
      source: name(Math.floor(at / 2)),
      target: name(at + 1),
    }));
    return [{ source: "lead", target: name(0) }, ...ways, { source: name(size - 1), target: "lead" }];
  }).flat();
  return { nodes: [{ id: "lead" }], edges };
}

/** How often the ways of a drawing cross. */
function crossings({ edges }: Drawing): number {
  const lines = edges.map(({ points }) => points.slice(1).map((to, at) => [points[at]!, to] as const));
  const crossing = lines.map((way, index) =>
    lines.slice(index + 1).map((others) => {
      const pairs = way.flatMap((line) => others.map((other) => [line, other] as const));
      return pairs.filter(([line, other]) => isCrossed(line, other)).length;
    }),
  );
  return crossing.flat().reduce((sum, count) => sum + count, 0);
}

type Line = readonly [from: Point, to: Point];

function isCrossed(one: Line, other: Line): boolean {
  const side = ([from, to]: Line, point: Point): number =>
    Math.sign((to.x - from.x) * (point.y - from.y) - (to.y - from.y) * (point.x - from.x));
  return side(one, other[0]) * side(one, other[1]) < 0 && side(other, one[0]) * side(other, one[1]) < 0;
}

describe("The drawing of a graph", () => {
  it("has no ways that cross where none has to, however the graph's nodes are listed", () => {
    const workers = Array.from({ length: 100 }, (_, at) => `worker${at}`);
    const led = workers.flatMap((worker) => [
      { source: "lead", target: worker },
      { source: worker, target: "lead" },
    ]);
    assert.equal(crossings(drawingOf({ nodes: [{ id: "lead" }], edges: led })!), 0);
    // Pairs side by side, of which the lower ones are told in the opposite order.
    const names = (rank: string): string[] => workers.map((worker) => worker + rank);
    const [upper, lower] = [names("a"), names("b")];
    const ways = [...lower.entries()].map(([at, target]) => ({ source: upper[at]!, target }));
    for (const count of [20, 60]) {
      const nodes = [...upper.slice(0, count), ...lower.slice(0, count).toReversed()].map((id) => ({ id }));
      assert.equal(crossings(drawingOf({ nodes, edges: ways.slice(0, count).toReversed() })!), 0);
    }
  });

  it("has every node and way once, boxes apart and inside of it", () => {
    const { nodes, edges, width, height } = drawingOf(teams(10, 15))!;
    assert.equal(nodes.length, 151);
    assert.equal(edges.length, 160);
    for (const [index, one] of nodes.entries()) {
      assert.ok(one.x - one.width / 2 >= 0 && one.x + one.width / 2 <= width, one.id);
      assert.ok(one.y - one.height / 2 >= 0 && one.y + one.height / 2 <= height, one.id);
      for (const other of nodes.slice(index + 1))
        assert.ok(
          Math.abs(one.x - other.x) >= (one.width + other.width) / 2 ||
            Math.abs(one.y - other.y) >= (one.height + other.height) / 2,
          `${one.id} is over ${other.id}`,
        );
    }
  });

  it("goes round the edge of a node that leads to itself", () => {
    const { nodes, edges, width } = drawingOf({
      nodes: [{ id: "a" }],
      edges: [{ source: "a", target: "a" }],
    })!;
    const edge = nodes[0]!.x + nodes[0]!.width / 2;
    assert.ok(edges[0]!.points.every(({ x }) => x >= edge && x <= width));
  });

  it("keeps of two ways between the same nodes one, and shows the whole of long names as their ends", () => {
    const way = { source: "a", target: "__proto__" };
    const { nodes, edges } = drawingOf({
      nodes: [{ id: "x".repeat(5000) }],
      edges: [way, { ...way, conditional: true }],
    })!;
    assert.equal(edges.length, 1);
    assert.deepEqual(
      nodes.map(({ id }) => id.slice(0, 9)),
      ["xxxxxxxxx", "a", "__proto__"],
    );
    assert.ok(nodes[0]!.width < 300);
  });

  it("is not made of a graph that nobody could read", () => {
    assert.equal(drawingOf(teams(100, 15)), undefined);
    const edges = Array.from({ length: 2000 }, (_, at) => ({ source: `${at % 40}`, target: `${at % 37}` }));
    assert.equal(drawingOf({ nodes: [], edges }), undefined);
  });
});
