/** Small changes of a source file, each of which some test should notice. */

import { childrenOf, type Node, parsed } from "../support/syntax.ts";

/** One change of one place. */
export interface Mutation {
  readonly start: number;
  readonly end: number;
  readonly replacement: string;
  /** Where the changed expression begins: who gets there reaches the mutant. */
  readonly reachedAt: number;
  /** What is done, in words. */
  readonly what: string;
}

/** Every mutation of a source file, in the order of their places. */
export function mutationsOf(file: string, text: string): readonly Mutation[] {
  const found: Mutation[] = [];
  const visit = (node: Node): void => {
    if (isType(node) || node.type === "ImportDeclaration" || isUnreachable(node, text)) return;
    found.push(...mutationsAt(node, text));
    childrenOf(node).forEach(visit);
  };
  visit(parsed(file, text));
  return found.sort((one, other) => one.start - other.start || one.end - other.end);
}

/** The text with the mutation in it. */
export function mutated(text: string, { start, end, replacement }: Mutation): string {
  return text.slice(0, start) + replacement + text.slice(end);
}

/** Bounds are moved, comparisons and conditions turned round. */
const otherOperator: ReadonlyMap<string, string> = new Map([
  ["<", "<="],
  ["<=", "<"],
  [">", ">="],
  [">=", ">"],
  ["===", "!=="],
  ["!==", "==="],
  ["&&", "||"],
  ["||", "&&"],
  ["-", "+"],
]);

function mutationsAt(node: Node, text: string): readonly Mutation[] {
  const replaced = (
    at: { readonly start: number; readonly end: number },
    replacement: string,
    what: string,
  ): Mutation => ({ start: at.start, end: at.end, replacement, reachedAt: node.start, what });
  const textOf = ({ start, end }: Node): string => text.slice(start, end);
  switch (node.type) {
    case "IfStatement":
    case "WhileStatement":
    case "ConditionalExpression":
      return [replaced(node.test, `!(${textOf(node.test)})`, "condition turned round")];
    case "BinaryExpression":
    case "LogicalExpression": {
      const other = otherOperator.get(node.operator);
      const start = text.indexOf(node.operator, node.left.end);
      const what = node.operator === "-" ? "minus turned to plus" : "operator changed";
      return other === undefined ? [] : [replaced({ start, end: start + node.operator.length }, other, what)];
    }
    case "AwaitExpression":
      return [replaced(node, `(${textOf(node.argument)})`, "await dropped")];
    case "ExpressionStatement":
      return isEffect(node.expression) ? [replaced(node, ";", "write dropped")] : [];
    case "Literal":
      if (typeof node.value === "number") return [replaced(node, `(${textOf(node)} + 1)`, "bound moved")];
      if (typeof node.value !== "boolean") return [];
      return [replaced(node, String(!node.value), "value turned round")];
    default:
      return [];
  }
}

function isEffect(expression: Node): boolean {
  if (expression.type === "AwaitExpression") return isEffect(expression.argument);
  if (expression.type === "UnaryExpression")
    return expression.operator === "void" ? isEffect(expression.argument) : expression.operator !== "typeof";
  if (expression.type === "CallExpression") return expression.callee.type !== "Super";
  if (expression.type === "ChainExpression") return isEffect(expression.expression);
  return expression.type === "UpdateExpression" || expression.type === "AssignmentExpression";
}

function isType({ type }: Node): boolean {
  return type.startsWith("TS") && !/^TS(As|Satisfies|NonNull|Parameter|Export)/.test(type);
}

/** What the compiler proved never to run. */
function isUnreachable(node: Node, text: string): boolean {
  return (
    node.type === "SwitchCase" &&
    node.test === null &&
    / satisfies never\b/.test(text.slice(node.start, node.end))
  );
}
