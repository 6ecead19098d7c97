/** The syntax of a source file, for tests that read code. */

import { type Node, parseSync, type Program } from "oxc-parser";

export type { Node };

/** The file's syntax; the place of each node counts UTF-16 units of the text. Throws where it is no TypeScript. */
export function parsed(file: string, text: string): Program {
  const { program, errors } = parseSync(file, text);
  if (errors.length > 0) throw new Error(`${file}: ${errors.map(({ message }) => message).join("; ")}`);
  return program;
}

/** The nodes right below a node, in the order of the text. */
export function childrenOf(node: Node): readonly Node[] {
  const found = Object.entries(node).flatMap(([key, value]: [string, unknown]) =>
    key === "parent" ? [] : Array.isArray(value) ? value.filter(isNode) : isNode(value) ? [value] : [],
  );
  return found.sort((one, other) => one.start - other.start);
}

/** The node and all below it, in the order of the text. */
export function everyNode(node: Node): readonly Node[] {
  return [node, ...childrenOf(node).flatMap(everyNode)];
}

function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && "type" in value && "start" in value;
}
