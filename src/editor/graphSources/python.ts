/** Reads a Python source. */

import type { SyntaxNode } from "@lezer/common";
import { parser } from "@lezer/python";
import type {
  Argument,
  Declaration,
  Exported,
  Expression,
  Field,
  Imported,
  Member,
  Shape,
  Source,
} from "./source.ts";
import { around, childrenOf, expressions, nodesOf } from "./tree.ts";

const signs = /^(?:[(){}[\],.:]|await|\*|\*\*|lambda|if|else)$/;

/** Reads the text; a broken one as far as it goes. */
export function readPython(path: string, text: string): Source {
  const tree = parser.parse(text);
  const textOf = ({ from, to }: SyntaxNode): string => text.slice(from, to);
  const expression = expressions(shapeOf);
  const declarations: Declaration[] = [];
  const calls: (Expression & { kind: "call" })[] = [];
  const classes: (Expression & { kind: "class" })[] = [];
  const passedOn: string[] = [];
  const imports = new Set<string>();

  for (const node of nodesOf(tree)) {
    if (node.name === "CallExpression") {
      const call = expression(node);
      if (call.kind === "call") calls.push(call);
    } else if (node.name === "ClassDefinition") {
      const made = expression(node);
      if (made.kind === "class") classes.push(made);
      declareDefinition(node);
    } else if (node.name === "FunctionDefinition") declareDefinition(node);
    else if (node.name === "AssignStatement") readAssignment(node);
    else if (node.name === "ImportStatement") readImport(node);
    else if (node.name === "ParamList") readParameters(node);
    else if (node.name === "WithStatement") readWith(node);
  }
  const exports = new Map<string, Exported>();
  for (const { name, from, to, scope } of declarations)
    if (scope.from === 0 && scope.to === text.length)
      exports.set(name, { kind: "own", value: { kind: "name", name, from, to } });
  return { path, declarations, calls, classes, exports, passedOn, imports: [...imports] };

  function shapeOf(node: SyntaxNode): Shape {
    const parts = childrenOf(node).filter(({ name }) => !signs.test(name));
    const [first] = parts;
    switch (node.name) {
      case "VariableName": {
        const name = textOf(node);
        return name === "self" || name === "cls" ? { kind: "self" } : { kind: "name", name };
      }
      case "String":
        return { kind: "text", text: textOf(node).replace(/^[a-zA-Z]*("""|'''|"|')([\s\S]*)\1$/, "$2") };
      case "MemberExpression": {
        const name = parts.at(-1);
        if (first === undefined || name === undefined || name === first) return { kind: "other" };
        const of = expression(first);
        if (name.name === "PropertyName") return { kind: "member", of, name: textOf(name) };
        // A builder may be made with its types: `StateGraph[State](…)`.
        const key = expression(name);
        return key.kind === "text" ? { kind: "member", of, name: key.text } : of;
      }
      case "CallExpression": {
        const args = parts.find(({ name }) => name === "ArgList");
        if (first === undefined) return { kind: "other" };
        return { kind: "call", callee: expression(first), args: args === undefined ? [] : argumentsOf(args) };
      }
      case "ParenthesizedExpression":
      case "AwaitExpression":
        return first === undefined ? { kind: "other" } : expression(first);
      case "BinaryExpression": {
        const isChoice = parts.some(({ name }) => name === "or");
        const operands = parts.filter(({ name }) => name !== "or");
        return isChoice ? { kind: "either", options: operands.map(expression) } : { kind: "other" };
      }
      case "ConditionalExpression": {
        const last = parts.at(-1);
        return first === undefined || last === undefined
          ? { kind: "other" }
          : { kind: "either", options: [expression(first), expression(last)] };
      }
      case "ArrayExpression":
      case "TupleExpression":
        return { kind: "list", items: parts.map(expression) };
      case "DictionaryExpression":
        return { kind: "fields", fields: fieldsOf(childrenOf(node)) };
      case "LambdaExpression": {
        const body = parts.at(-1);
        return { kind: "function", returns: body === undefined ? [] : [expression(body)] };
      }
      case "FunctionDefinition":
        return { kind: "function", returns: returnsOf(node) };
      case "ClassDefinition":
        return { kind: "class", members: membersOf(node) };
      default:
        return { kind: "other" };
    }
  }

  function argumentsOf(list: SyntaxNode): readonly Argument[] {
    const children = childrenOf(list).filter(({ name }) => !/^[(),]$/.test(name));
    return children.flatMap((child, index): readonly Argument[] => {
      if (child.name === "AssignOp" || child.name === "*" || child.name === "**") return [];
      if (children[index + 1]?.name === "AssignOp") return [];
      const named = children[index - 1]?.name === "AssignOp" ? children[index - 2] : undefined;
      return [{ value: expression(child), ...(named !== undefined && { name: textOf(named) }) }];
    });
  }

  function fieldsOf(children: readonly SyntaxNode[]): readonly Field[] {
    return children.flatMap((child, index) => {
      const [key, value] = [children[index - 1], children[index + 1]];
      if (child.name !== ":" || key === undefined || value === undefined) return [];
      return [{ key: expression(key), value: expression(value) }];
    });
  }

  /** What a function returns or yields itself, not what functions in it do. */
  function returnsOf(node: SyntaxNode): readonly Expression[] {
    const found: Expression[] = [];
    const visit = (inner: SyntaxNode, depth: number): void => {
      if (/^(?:FunctionDefinition|ClassDefinition|LambdaExpression)$/.test(inner.name) || depth > 40) return;
      if (/^(?:Return|Yield)Statement$/.test(inner.name)) {
        const [, returned] = childrenOf(inner);
        if (returned !== undefined) found.push(expression(returned));
      } else for (const child of childrenOf(inner)) visit(child, depth + 1);
    };
    const body = childrenOf(node).at(-1);
    if (body !== undefined) visit(body, 0);
    return found;
  }

  function membersOf(node: SyntaxNode): ReadonlyMap<string, Member> {
    const members = new Map<string, Member>();
    const put = ({ from, to }: SyntaxNode, name: string, value: SyntaxNode | undefined): void =>
      void members.set(name, { from, to, value: value && expression(value) });
    const body = childrenOf(node).at(-1);
    for (const statement of body === undefined ? [] : childrenOf(body)) {
      const inner = statement.name === "DecoratedStatement" ? (statement.lastChild ?? statement) : statement;
      const [first, second, third] = childrenOf(inner);
      if (inner.name === "FunctionDefinition") {
        const name = childrenOf(inner).find((child) => child.name === "VariableName");
        if (name !== undefined) put(name, textOf(name), inner);
      } else if (inner.name === "AssignStatement" && first?.name === "VariableName") {
        const value = second?.name === "TypeDef" ? childrenOf(inner)[3] : third;
        put(first, textOf(first), value);
      }
    }
    for (const inner of nodesOf(tree)) {
      if (inner.name !== "AssignStatement" || inner.from < node.from || inner.to > node.to) continue;
      const target = inner.firstChild;
      const name = target?.lastChild;
      const value = childrenOf(inner).at(-1);
      if (target?.name !== "MemberExpression" || name?.name !== "PropertyName") continue;
      if (target.firstChild !== null && textOf(target.firstChild) === "self") put(name, textOf(name), value);
    }
    return members;
  }

  function scopeOf(node: SyntaxNode): Declaration["scope"] {
    const holder = around(node, /^(?:FunctionDefinition|ClassDefinition|LambdaExpression)$/);
    return holder === undefined ? { from: 0, to: text.length } : { from: holder.from, to: holder.to };
  }

  function declare(
    named: SyntaxNode,
    value: Declaration["value"],
    holder = named,
    rest: Partial<Declaration> = {},
  ): void {
    const { from, to } = named;
    declarations.push({ name: textOf(named), from, to, scope: scopeOf(holder), value, ...rest });
  }

  function declareDefinition(node: SyntaxNode): void {
    const name = childrenOf(node).find((child) => child.name === "VariableName");
    if (name === undefined) return;
    const { parent } = node;
    const decorated = parent?.name === "DecoratedStatement" ? childrenOf(parent) : [];
    const decorators = decorated
      .filter((child) => child.name === "Decorator")
      .map((decorator): Expression => decoratorOf(decorator));
    // A method's name holds in no scope.
    const isMethod = around(node, /^(?:FunctionDefinition|ClassDefinition)$/)?.name === "ClassDefinition";
    if (!isMethod) declare(name, expression(node), node, { decorators });
  }

  function decoratorOf(decorator: SyntaxNode): Expression {
    const parts = childrenOf(decorator).filter(({ name }) => !/^(?:At|\.)$/.test(name));
    const names = parts.filter(({ name }) => name === "VariableName");
    const args = parts.find(({ name }) => name === "ArgList");
    const span = { from: decorator.from, to: decorator.to };
    const callee: Expression = { ...span, kind: "name", name: textOf(names.at(-1) ?? decorator) };
    return args === undefined ? callee : { ...span, kind: "call", callee, args: argumentsOf(args) };
  }

  function readAssignment(node: SyntaxNode): void {
    const children = childrenOf(node);
    const names = children.filter(
      (child, index) => child.name === "VariableName" && index < children.length - 1,
    );
    const value = children.at(-1);
    const isOne = names.length === 1 && children[0] === names[0];
    for (const name of names) declare(name, isOne && value !== undefined ? expression(value) : undefined);
  }

  function readParameters(node: SyntaxNode): void {
    for (const child of childrenOf(node)) if (child.name === "VariableName") declare(child, undefined);
  }

  /** `async with make() as graph:` */
  function readWith(node: SyntaxNode): void {
    const children = childrenOf(node);
    for (const [index, child] of children.entries()) {
      const [name, value] = [children[index + 1], children[index - 1]];
      if (child.name === "as" && name !== undefined && value !== undefined) declare(name, expression(value));
    }
  }

  function readImport(node: SyntaxNode): void {
    const children = childrenOf(node);
    const at = children.findIndex(({ name }) => name === "import");
    const isFrom = children[0]?.name === "from";
    const module = isFrom ? children.slice(1, at).map(textOf).join("") : "";
    const rest = children.slice(at + 1).filter(({ name }) => !/^[(),]$/.test(name));
    if (isFrom) imports.add(module);
    if (isFrom && rest[0]?.name === "*") {
      passedOn.push(module);
      return;
    }
    const bind = (named: SyntaxNode, from: string, name: string): void => {
      // What is imported from a package may be a module of it.
      if (name !== "*") imports.add(insideOf(from, name));
      const value: Imported = { kind: "import", module: from, name };
      declare(named, value);
    };
    for (let index = 0; index < rest.length; index++) {
      const first = rest[index];
      if (first === undefined) break;
      let path = textOf(first);
      while (rest[index + 1]?.name === ".") {
        path += `.${textOf(rest[index + 2] ?? first)}`;
        index += 2;
      }
      const renamed = rest[index + 1]?.name === "as" ? rest[index + 2] : undefined;
      if (renamed !== undefined) index += 2;
      if (isFrom) bind(renamed ?? first, module, path);
      else {
        imports.add(path);
        if (renamed !== undefined) bind(renamed, path, "*");
        else if (!path.includes(".")) bind(first, path, "*");
      }
    }
  }
}

/** How a module within another one is called. */
export function insideOf(module: string, name: string): string {
  return module.endsWith(".") ? module + name : `${module}.${name}`;
}
