/** Ways through a graph, as far as its edges tell: a node that decides where to go may take only some of them. */

import type { AssistantGraph } from "../../api/agentServer/wire.ts";

const ends: ReadonlySet<string> = new Set(["__start__", "__end__"]);

/** The nodes that can run. */
export function nodesOf({ nodes }: AssistantGraph): readonly string[] {
  return nodes.map(({ id }) => id).filter((id) => !ends.has(id));
}

/** The nodes that may come right after a node. */
export function nextNodes({ edges }: AssistantGraph, node: string): readonly string[] {
  const targets = edges.filter(({ source }) => source === node).map(({ target }) => target);
  return [...new Set(targets)].filter((target) => !ends.has(target));
}

/** The nodes that may come after these, the nearest first; one of these only if a way leads back to it. */
export function laterNodes(graph: AssistantGraph, from: readonly string[]): readonly string[] {
  const found = new Set<string>();
  let open = from;
  while (open.length > 0) {
    const next = open.flatMap((node) => nextNodes(graph, node)).filter((node) => !found.has(node));
    for (const node of next) found.add(node);
    open = next;
  }
  return [...found];
}
