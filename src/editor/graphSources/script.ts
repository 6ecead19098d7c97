/** Reads a TypeScript or JavaScript source. */

import type { SyntaxNode } from "@lezer/common";
import { parser } from "@lezer/javascript";
import type { Declaration, Exported, Expression, Field, Imported, Member, Shape, Source } from "./source.ts";
import { around, childrenOf, expressions, nodesOf } from "./tree.ts";

const scopes = /^(?:Script|Block|ArrowFunction|FunctionExpression|FunctionDeclaration|MethodDeclaration)$/;
const functions = /^(?:ArrowFunction|FunctionExpression|FunctionDeclaration|MethodDeclaration)$/;
const signs = /^(?:[(){}[\],.;:]|\?\.|Equals|async|await|new|static|get|set|Star|Arrow|Spread)$/;

/** Reads the text; a broken one as far as it goes. */
export function readScript(path: string, text: string): Source {
  const tree = parser.configure({ dialect: path.endsWith("x") ? "ts jsx" : "ts" }).parse(text);
  const textOf = ({ from, to }: SyntaxNode): string => text.slice(from, to);
  const expression = expressions(shapeOf);
  const declarations: Declaration[] = [];
  const calls: (Expression & { kind: "call" })[] = [];
  const classes: (Expression & { kind: "class" })[] = [];
  const exports = new Map<string, Exported>();
  const passedOn: string[] = [];
  const imports = new Set<string>();

  for (const node of nodesOf(tree)) {
    if (node.name === "CallExpression" || node.name === "NewExpression") {
      const call = expression(node);
      if (call.kind === "call") calls.push(call);
    } else if (node.name === "ClassDeclaration" || node.name === "ClassExpression") {
      const made = expression(node);
      if (made.kind === "class") classes.push(made);
    } else if (node.name === "ImportDeclaration") readImport(node);
    else if (node.name === "ExportDeclaration") readExport(node);
    else if (node.name === "EnumDeclaration") declareEnum(node);
    if (node.name === "VariableDefinition" && node.parent?.name !== "ImportGroup") declare(node);
  }
  return { path, declarations, calls, classes, exports, passedOn, imports: [...imports] };

  function shapeOf(node: SyntaxNode): Shape {
    const children = childrenOf(node);
    const parts = children.filter(({ name }) => !signs.test(name));
    const [first, second] = parts;
    switch (node.name) {
      case "VariableName":
        return { kind: "name", name: textOf(node) };
      case "this":
        return { kind: "self" };
      case "String":
        return { kind: "text", text: textOf(node).slice(1, -1) };
      case "TemplateString":
        return children.some(({ name }) => name === "Interpolation")
          ? { kind: "other" }
          : { kind: "text", text: textOf(node).slice(1, -1) };
      case "MemberExpression": {
        if (first === undefined || second === undefined) return { kind: "other" };
        const of = expression(first);
        if (second.name === "PropertyName") return { kind: "member", of, name: textOf(second) };
        const key = expression(second);
        return key.kind === "text" ? { kind: "member", of, name: key.text } : { kind: "other" };
      }
      case "CallExpression":
      case "NewExpression": {
        const given = children.find(({ name }) => name === "ArgList");
        const args = given === undefined ? [] : childrenOf(given).filter(({ name }) => !signs.test(name));
        if (first === undefined || first.name === "ArgList") return { kind: "other" };
        return {
          kind: "call",
          callee: expression(first),
          args: args.map((arg) => ({ value: expression(arg) })),
        };
      }
      case "ParenthesizedExpression":
      case "AwaitExpression":
      case "PostfixExpression":
      case "InstantiationExpression":
      case "UnaryExpression":
        return first === undefined ? { kind: "other" } : expression(first);
      case "BinaryExpression": {
        const operator = children.find(
          ({ name }) => name === "as" || name === "satisfies" || name === "LogicOp",
        );
        if (first === undefined || operator === undefined) return { kind: "other" };
        const last = parts.at(-1);
        if (operator.name !== "LogicOp" || last === undefined) return expression(first);
        return { kind: "either", options: [expression(first), expression(last)] };
      }
      case "ConditionalExpression": {
        const options = parts.filter(({ name }) => name !== "LogicOp").slice(1);
        return { kind: "either", options: options.map(expression) };
      }
      case "ArrayExpression":
        return { kind: "list", items: parts.map(expression) };
      case "ObjectExpression":
        return { kind: "fields", fields: parts.flatMap(fieldOf) };
      case "EnumBody":
        return { kind: "fields", fields: enumFields(parts) };
      case "ArrowFunction":
      case "FunctionExpression":
      case "FunctionDeclaration":
      case "MethodDeclaration":
        return functionOf(node);
      case "ClassDeclaration":
      case "ClassExpression":
        return { kind: "class", members: membersOf(node) };
      default:
        return { kind: "other" };
    }
  }

  function fieldOf(property: SyntaxNode): readonly Field[] {
    if (property.name !== "Property") return [];
    const parts = childrenOf(property).filter(({ name }) => !signs.test(name) || name === "Spread");
    const [key, value] = parts;
    if (key === undefined || key.name === "Spread") return [];
    const named = { from: key.from, to: key.to };
    const name: Expression =
      key.name === "PropertyDefinition" ? { ...named, kind: "text", text: textOf(key) } : expression(key);
    if (value === undefined) return [{ key: name, value: { ...named, kind: "name", name: textOf(key) } }];
    if (value.name === "ParamList") return [{ key: name, value: { ...named, ...functionOf(property) } }];
    return [{ key: name, value: expression(value) }];
  }

  function enumFields(parts: readonly SyntaxNode[]): readonly Field[] {
    return parts.flatMap((part, index) => {
      const value = parts[index + 1];
      if (part.name !== "PropertyName" || value?.name !== "String") return [];
      return [
        { key: { kind: "text", text: textOf(part), from: part.from, to: part.to }, value: expression(value) },
      ];
    });
  }

  function functionOf(node: SyntaxNode): Shape & { readonly kind: "function" } {
    const body = childrenOf(node).at(-1);
    const first = body?.name === "Block" ? childrenOf(body).find(({ name }) => !signs.test(name)) : body;
    return { kind: "function", returns: returnsOf(node), body: first?.from };
  }

  /** What a function returns itself, not what functions in it do. */
  function returnsOf(node: SyntaxNode): readonly Expression[] {
    const body = childrenOf(node).at(-1);
    if (body === undefined) return [];
    if (node.name === "ArrowFunction" && body.name !== "Block") return [expression(body)];
    const found: Expression[] = [];
    const visit = (inner: SyntaxNode, depth: number): void => {
      if (functions.test(inner.name) || depth > 40) return;
      const returned = inner.name === "ReturnStatement" ? childrenOf(inner)[1] : undefined;
      if (returned !== undefined && returned.name !== ";") found.push(expression(returned));
      else for (const child of childrenOf(inner)) visit(child, depth + 1);
    };
    for (const child of childrenOf(body)) visit(child, 0);
    return found;
  }

  function membersOf(node: SyntaxNode): ReadonlyMap<string, Member> {
    const members = new Map<string, Member>();
    const body = childrenOf(node).find(({ name }) => name === "ClassBody");
    for (const member of body === undefined ? [] : childrenOf(body)) {
      const named = childrenOf(member).find(({ name }) => /^(?:Private)?PropertyDefinition$/.test(name));
      if (named === undefined) continue;
      const children = childrenOf(member);
      const equals = children.findIndex(({ name }) => name === "Equals");
      const value = member.name === "MethodDeclaration" ? member : children[equals + 1];
      members.set(textOf(named), {
        ...{ from: named.from, to: named.to },
        value: member.name === "MethodDeclaration" || equals >= 0 ? value && expression(value) : undefined,
      });
    }
    for (const inner of nodesOf(tree)) {
      if (inner.name !== "AssignmentExpression" || inner.from < node.from || inner.to > node.to) continue;
      const [target, , value] = childrenOf(inner);
      if (target?.firstChild?.name !== "this" || target.lastChild === null || value === undefined) continue;
      const { from, to } = target.lastChild;
      members.set(textOf(target.lastChild), { from, to, value: expression(value) });
    }
    return members;
  }

  function declare(node: SyntaxNode): void {
    const { parent } = node;
    if (parent === null || parent.name === "ImportDeclaration") return;
    const isFunction = parent.name === "FunctionDeclaration" || parent.name === "ClassDeclaration";
    const holder = around(isFunction ? parent : node, scopes) ?? tree.topNode;
    const { from, to } = node;
    const scope = { from: holder.from, to: holder.to };
    const next = node.nextSibling;
    const assigned = parent.name === "VariableDeclaration" ? valueAfter(next) : undefined;
    const value = isFunction ? parent : assigned;
    const name = textOf(node);
    declarations.push({ name, from, to, scope, value: value && expression(value) });
  }

  function declareEnum(node: SyntaxNode): void {
    const name = childrenOf(node).find((child) => child.name === "TypeDefinition");
    const body = childrenOf(node).find((child) => child.name === "EnumBody");
    if (name === undefined || body === undefined) return;
    const { from, to } = name;
    const holder = around(node, scopes) ?? tree.topNode;
    const scope = { from: holder.from, to: holder.to };
    declarations.push({ name: textOf(name), from, to, scope, value: expression(body) });
    if (node.parent?.name === "ExportDeclaration")
      exports.set(textOf(name), { kind: "own", value: { kind: "name", name: textOf(name), from, to } });
  }

  function valueAfter(next: SyntaxNode | null): SyntaxNode | undefined {
    let node = next;
    if (node?.name === "TypeAnnotation") node = node.nextSibling;
    return node?.name === "Equals" ? (node.nextSibling ?? undefined) : undefined;
  }

  function readImport(node: SyntaxNode): void {
    const children = childrenOf(node);
    const from = children.find(({ name }) => name === "String");
    if (from === undefined) return;
    const module = textOf(from).slice(1, -1);
    imports.add(module);
    const bind = (named: SyntaxNode, name: string): void => {
      const value: Imported = { kind: "import", module, name };
      const scope = { from: 0, to: text.length };
      declarations.push({ name: textOf(named), from: named.from, to: named.to, scope, value });
    };
    const isWhole = children.some(({ name }) => name === "Star");
    for (const child of children) {
      if (child.name === "VariableDefinition") bind(child, isWhole ? "*" : "default");
      if (child.name === "ImportGroup") for (const [name, as] of namesIn(child)) bind(as, textOf(name));
    }
  }

  /** Of `{ a, b as c }`, each name and what it is called here. */
  function namesIn(group: SyntaxNode): readonly (readonly [name: SyntaxNode, as: SyntaxNode])[] {
    const parts = childrenOf(group).filter(({ name }) =>
      /^(?:VariableName|VariableDefinition|as|default|String)$/.test(name),
    );
    return parts.flatMap((part, index): (readonly [SyntaxNode, SyntaxNode])[] => {
      if (part.name === "as" || parts[index - 1]?.name === "as") return [];
      const renamed = parts[index + 1]?.name === "as" ? parts[index + 2] : undefined;
      return [[part, renamed ?? part]];
    });
  }

  function readExport(node: SyntaxNode): void {
    const children = childrenOf(node);
    const from = children.find(({ name }) => name === "String");
    const module = from && textOf(from).slice(1, -1);
    if (module !== undefined) imports.add(module);
    const group = children.find(({ name }) => name === "ExportGroup");
    const own = (name: string, value: Expression): void => void exports.set(name, { kind: "own", value });
    if (group !== undefined) {
      for (const [name, as] of namesIn(group)) {
        const { from, to } = name;
        if (module === undefined) own(textOf(as), { kind: "name", name: textOf(name), from, to });
        else exports.set(textOf(as), { kind: "import", module, name: textOf(name) });
      }
      return;
    }
    if (module !== undefined) {
      const as = children.find(({ name }) => name === "VariableName");
      if (as === undefined) passedOn.push(module);
      else exports.set(textOf(as), { kind: "import", module, name: "*" });
      return;
    }
    const value = children.find(({ name }) => !/^(?:export|default|;)$/.test(name));
    if (value === undefined) return;
    if (children.some(({ name }) => name === "default")) own("default", namedOr(value));
    for (const defined of /Declaration$/.test(value.name) ? childrenOf(value) : []) {
      const { from, to, name } = defined;
      if (name === "VariableDefinition")
        own(textOf(defined), { kind: "name", name: textOf(defined), from, to });
    }
  }

  /** A declaration by its name, anything else as it is. */
  function namedOr(value: SyntaxNode): Expression {
    const named = /Declaration$/.test(value.name)
      ? childrenOf(value).find(({ name }) => name === "VariableDefinition")
      : undefined;
    if (named === undefined) return expression(value);
    return { kind: "name", name: textOf(named), from: named.from, to: named.to };
  }
}
