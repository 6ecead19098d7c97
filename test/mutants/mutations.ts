/** Small changes of a source file, each of which some test should notice. */

import ts from "typescript";

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
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const found: Mutation[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isTypeNode(node) || ts.isImportDeclaration(node) || isUnreachable(node)) return;
    found.push(...mutationsAt(node, source));
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found.sort((one, other) => one.start - other.start || one.end - other.end);
}

/** The text with the mutation in it. */
export function mutated(text: string, { start, end, replacement }: Mutation): string {
  return text.slice(0, start) + replacement + text.slice(end);
}

/** Bounds are moved, comparisons and conditions turned round. */
const otherOperator: ReadonlyMap<ts.SyntaxKind, string> = new Map([
  [ts.SyntaxKind.LessThanToken, "<="],
  [ts.SyntaxKind.LessThanEqualsToken, "<"],
  [ts.SyntaxKind.GreaterThanToken, ">="],
  [ts.SyntaxKind.GreaterThanEqualsToken, ">"],
  [ts.SyntaxKind.EqualsEqualsEqualsToken, "!=="],
  [ts.SyntaxKind.ExclamationEqualsEqualsToken, "==="],
  [ts.SyntaxKind.AmpersandAmpersandToken, "||"],
  [ts.SyntaxKind.BarBarToken, "&&"],
  [ts.SyntaxKind.MinusToken, "+"],
]);

function mutationsAt(node: ts.Node, source: ts.SourceFile): readonly Mutation[] {
  const replaced = (at: ts.Node, replacement: string, what: string): Mutation => ({
    start: at.getStart(source),
    end: at.getEnd(),
    replacement,
    reachedAt: node.getStart(source),
    what,
  });
  const text = node.getText(source);
  if (ts.isIfStatement(node) || ts.isWhileStatement(node)) {
    const { expression } = node;
    return [replaced(expression, `!(${expression.getText(source)})`, "condition turned round")];
  }
  if (ts.isConditionalExpression(node)) {
    const { condition } = node;
    return [replaced(condition, `!(${condition.getText(source)})`, "condition turned round")];
  }
  if (ts.isBinaryExpression(node)) {
    const other = otherOperator.get(node.operatorToken.kind);
    const { kind } = node.operatorToken;
    const what = kind === ts.SyntaxKind.MinusToken ? "minus turned to plus" : "operator changed";
    return other === undefined ? [] : [replaced(node.operatorToken, other, what)];
  }
  if (ts.isAwaitExpression(node))
    return [replaced(node, `(${node.expression.getText(source)})`, "await dropped")];
  if (ts.isExpressionStatement(node) && isEffect(node.expression))
    return [replaced(node, ";", "write dropped")];
  if (ts.isNumericLiteral(node)) return [replaced(node, `(${text} + 1)`, "bound moved")];
  if (node.kind === ts.SyntaxKind.TrueKeyword) return [replaced(node, "false", "value turned round")];
  if (node.kind === ts.SyntaxKind.FalseKeyword) return [replaced(node, "true", "value turned round")];
  return [];
}

function isEffect(expression: ts.Expression): boolean {
  if (ts.isAwaitExpression(expression) || ts.isVoidExpression(expression))
    return isEffect(expression.expression);
  if (ts.isCallExpression(expression)) return expression.expression.kind !== ts.SyntaxKind.SuperKeyword;
  if (ts.isPostfixUnaryExpression(expression) || ts.isPrefixUnaryExpression(expression)) return true;
  if (!ts.isBinaryExpression(expression)) return ts.isDeleteExpression(expression);
  const { kind } = expression.operatorToken;
  return kind >= ts.SyntaxKind.FirstAssignment && kind <= ts.SyntaxKind.LastAssignment;
}

/** What the compiler proved never to run. */
function isUnreachable(node: ts.Node): boolean {
  return ts.isDefaultClause(node) && / satisfies never\b/.test(node.getText());
}
