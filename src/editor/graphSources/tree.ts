/** What both languages' readers do with a syntax tree. */

import type { SyntaxNode, Tree } from "@lezer/common";
import type { Span } from "./source.ts";

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

/** Calls `read` for a node once, and not for what lies too deep. */
export function remembering<Result>(read: (node: SyntaxNode) => Result, tooDeep: (span: Span) => Result) {
  const read_ = new Map<string, Result>();
  let depth = 0;
  return (node: SyntaxNode): Result => {
    const key = `${node.name} ${node.from} ${node.to}`;
    const known = read_.get(key);
    if (known !== undefined) return known;
    if (depth >= deepest) return tooDeep({ from: node.from, to: node.to });
    depth += 1;
    try {
      const result = read(node);
      read_.set(key, result);
      return result;
    } finally {
      depth -= 1;
    }
  };
}
