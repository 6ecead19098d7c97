/** What both languages' readers do with a syntax tree. */

import type { SyntaxNode, Tree } from "@lezer/common";
import type { Expression, Shape } from "./source.ts";

/** Deeper expressions are not looked into. */
const deepest = 400;

/** The children of a node, comments left out. */
export function childrenOf(node: SyntaxNode): readonly SyntaxNode[] {
  const children: SyntaxNode[] = [];
  for (let child = node.firstChild; child !== null; child = child.nextSibling)
    if (!/Comment$/.test(child.name)) children.push(child);
  return children;
}

/** Every node of the tree, the outer one first. */
export function* nodesOf(tree: Tree): Generator<SyntaxNode> {
  const cursor = tree.cursor();
  do yield cursor.node;
  while (cursor.next());
}

/** The nearest node around this one that has one of the names. */
export function around(node: SyntaxNode, names: RegExp): SyntaxNode | undefined {
  let parent = node.parent;
  for (let depth = 0; parent !== null && depth < deepest; depth++, parent = parent.parent)
    if (names.test(parent.name)) return parent;
  return undefined;
}

/** Reads the expression at a node by its shape: once, and not what lies too deep. */
export function expressions(shapeOf: (node: SyntaxNode) => Shape) {
  const read = new Map<string, Expression>();
  let depth = 0;
  return (node: SyntaxNode): Expression => {
    const { name, from, to } = node;
    const key = `${name} ${from} ${to}`;
    const known = read.get(key);
    if (known !== undefined) return known;
    if (depth >= deepest) return { kind: "other", from, to };
    depth += 1;
    try {
      const result: Expression = { ...shapeOf(node), from, to };
      read.set(key, result);
      return result;
    } finally {
      depth -= 1;
    }
  };
}
