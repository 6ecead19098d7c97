/** How graphs are put together in sources: which builder a value comes from, and which nodes were added to it. */

import { classAround, type Expression, type Source, type Span } from "./source.ts";
import type { Bound, Sources } from "./sources.ts";

/** Where a graph begins to be. */
export interface GraphRoot extends Span {
  readonly source: Source;
  /** Nodes are added to it here, or it is made whole by a package, or it is a function that calls tasks. */
  readonly kind: "builder" | "made" | "function";
  readonly name?: string | undefined;
  readonly value?: Expression;
}

/** A node as it was added to a graph. */
export interface NodeEntry {
  readonly source: Source;
  /** Undefined where only a run would tell. */
  readonly name: string | undefined;
  readonly value: Expression;
}

type Call = Source["calls"][number];

const builders = /^(?:StateGraph|MessageGraph|MessagesGraph|Graph)$/;
const adders = /^(?:addNode|add_node|addSequence|add_sequence)$/;
const wrappers = /^(?:partial|RunnableLambda|traceable|runnable|node|from|bind|wraps|asNode)$/;
const makers = /agent|supervisor|swarm|graph|workflow/i;
const runs = /^(?:a?invoke|a?stream|astream_events|streamEvents|a?batch)$/;
/** A builder may be one long chain of calls. */
const deepest = 400;

/** The graphs of some sources. */
export class Graphs {
  readonly #sources: Sources;

  constructor(sources: Sources) {
    this.#sources = sources;
  }

  /** The graphs that a value may be; none where that can't be told. */
  rootsOf(source: Source, value: Expression, depth = 0): readonly GraphRoot[] {
    if (depth > deepest) return [];
    const further = (bound: Bound | undefined): readonly GraphRoot[] =>
      bound === undefined ? [] : this.#rootsIn(bound, depth + 1);
    switch (value.kind) {
      case "name":
        return further(this.#sources.named(source, value.name, value.from));
      case "member":
        return further(this.#member(source, value));
      case "function":
        return distinct(value.returns.flatMap((one) => this.rootsOf(source, one, depth + 1)));
      case "either":
        return distinct(value.options.flatMap((one) => this.rootsOf(source, one, depth + 1)));
      case "call":
        return this.#rootsOfCall(source, value, depth);
      default:
        return [];
    }
  }

  /** The graphs that a module's export may be. */
  rootsNamed(source: Source, exported: string): readonly GraphRoot[] {
    const bound = this.#sources.exported(source, exported);
    return bound === undefined ? [] : this.#rootsIn(bound, 0);
  }

  /** The graphs that a node is made of: what it is, or what its function runs. */
  rootsWithin(source: Source, value: Expression): readonly GraphRoot[] {
    const bound = value.kind === "name" ? this.#sources.named(source, value.name, value.from) : undefined;
    const [where, body] = bound?.value === undefined ? [source, value] : [bound.source, bound.value];
    if (body.kind !== "function") return this.rootsOf(source, value);
    const inside = where.calls.filter(({ from, to }) => body.from <= from && to <= body.to);
    return distinct(
      inside.flatMap(({ callee }) =>
        callee.kind === "member" && runs.test(callee.name) ? this.rootsOf(where, callee.of) : [],
      ),
    );
  }

  /** The nodes of a graph. */
  entriesOf(root: GraphRoot): readonly NodeEntry[] {
    if (root.kind === "made") return [];
    if (root.kind === "function") {
      const own = root.value && { source: root.source, name: root.name, value: root.value };
      return [...(own === undefined ? [] : [own]), ...this.#tasks()];
    }
    return this.#added((roots) => roots.some((one) => isSame(one, root)));
  }

  /** The nodes of all graphs, also of those that can't be told apart, and all tasks. */
  get everyEntry(): readonly NodeEntry[] {
    return [...this.#added(() => true), ...this.#tasks()];
  }

  /** Where what runs for a value is written: the function, or the value itself where there is none of the project's. */
  locate(source: Source, value: Expression, depth = 0): Bound & { readonly isOutside?: true } {
    const here = { source, at: value, value };
    if (depth > deepest) return here;
    if (value.kind === "name" || value.kind === "member") {
      const bound = this.#boundBy(source, value);
      return bound === undefined || bound.isModule ? { ...here, isOutside: true } : bound;
    }
    if (value.kind !== "call") return here;
    const { callee, args } = value;
    if (callee.kind === "member" && callee.name === "bind") return this.locate(source, callee.of, depth + 1);
    const inner = args.find(({ value: { kind } }) => /^(?:name|member|function)$/.test(kind));
    if (!wrappers.test(nameOf(callee) ?? "") || inner === undefined) return here;
    return this.locate(source, inner.value, depth + 1);
  }

  /** The text that a value is. */
  textOf(source: Source, value: Expression, depth = 0): string | undefined {
    if (value.kind === "text") return value.text;
    if (depth > deepest || (value.kind !== "name" && value.kind !== "member")) return undefined;
    if (value.kind === "member" && value.name === "value") return this.textOf(source, value.of, depth + 1);
    const bound = this.#boundBy(source, value);
    return bound?.value && this.textOf(bound.source, bound.value, depth + 1);
  }

  #boundBy(source: Source, value: Expression, depth = 0): Bound | undefined {
    if (value.kind === "name") return this.#sources.named(source, value.name, value.from);
    return value.kind === "member" ? this.#member(source, value, depth) : undefined;
  }

  #rootsIn({ source, value, declaration }: Bound, depth: number): readonly GraphRoot[] {
    const isEntrypoint = declaration?.decorators?.some((one) => nameOf(one) === "entrypoint") === true;
    if (isEntrypoint && value !== undefined)
      return [{ source, kind: "function", from: value.from, to: value.to, name: declaration.name, value }];
    return value === undefined ? [] : this.rootsOf(source, value, depth);
  }

  #rootsOfCall(source: Source, call: Call, depth: number): readonly GraphRoot[] {
    const { callee, from, to, args } = call;
    const name = this.#importedName(source, callee) ?? nameOf(callee) ?? "";
    if (builders.test(name)) return [{ source, kind: "builder", from, to }];
    if (name === "entrypoint") {
      const value = args.at(-1)?.value ?? call;
      return [{ source, kind: "function", from, to, name: this.#nameArgument(source, call), value }];
    }
    const bound = this.#boundBy(source, callee);
    if (bound?.value?.kind === "function") return this.rootsOf(bound.source, bound.value, depth + 1);
    if (callee.kind === "member") {
      const before = this.rootsOf(source, callee.of, depth + 1);
      if (before.length > 0) return before;
    }
    return bound === undefined && makers.test(name) ? [{ source, kind: "made", from, to }] : [];
  }

  /** What a callee is called in the package that it comes from. */
  #importedName(source: Source, callee: Expression): string | undefined {
    if (callee.kind !== "name") return undefined;
    const value = source.declarations.find(({ name }) => name === callee.name)?.value;
    return value?.kind === "import" ? value.name : undefined;
  }

  /** What a member is: of a module, an object, a class or something made of one. */
  #member(source: Source, member: Expression & { readonly kind: "member" }, depth = 0): Bound | undefined {
    if (depth > deepest) return undefined;
    const { of, name } = member;
    if (of.kind === "self") {
      const found = classAround(source, of.from)?.members.get(name);
      return found && { source, at: found, value: found.value };
    }
    const bound = this.#boundBy(source, of, depth + 1);
    if (bound?.isModule) return this.#sources.exported(bound.source, name);
    const [where, value] = bound?.value === undefined ? [source, of] : [bound.source, bound.value];
    if (value.kind === "fields") {
      const field = value.fields.find(({ key }) => this.textOf(where, key) === name);
      return field && { source: where, at: field.key, value: field.value };
    }
    const made =
      value.kind === "call" ? this.#boundBy(where, value.callee, depth + 1) : { source: where, value };
    if (made?.value?.kind !== "class") return undefined;
    const found = made.value.members.get(name);
    return found && { source: made.source, at: found, value: found.value };
  }

  #added(isWanted: (roots: readonly GraphRoot[]) => boolean): readonly NodeEntry[] {
    return this.#sources.all.flatMap((source) =>
      source.calls.flatMap((call) => {
        const { callee } = call;
        if (callee.kind !== "member" || !adders.test(callee.name)) return [];
        return isWanted(this.rootsOf(source, callee.of)) ? this.#addedBy(source, call) : [];
      }),
    );
  }

  #addedBy(source: Source, { args }: Call): readonly NodeEntry[] {
    const given = (name: string, index: number): Expression | undefined =>
      args.find((arg) => arg.name === name)?.value ??
      args.filter((arg) => arg.name === undefined)[index]?.value;
    const [first, second] = [given("node", 0), given("action", 1)];
    if (first === undefined) return [];
    const entry = (name: string | undefined, value: Expression): NodeEntry => ({ source, name, value });
    if (first.kind === "fields")
      return first.fields.map(({ key, value }) => entry(this.textOf(source, key), value));
    if (first.kind === "list")
      return first.items.map((item) => {
        const [name, value] = item.kind === "list" ? item.items : [];
        if (name === undefined || value === undefined) return entry(nameOf(item), item);
        return entry(this.textOf(source, name), value);
      });
    // Options may be the second argument, as fields.
    if (second !== undefined && second.kind !== "fields") return [entry(this.textOf(source, first), second)];
    if (first.kind === "call") return [entry(nameOf(first) === "ToolNode" ? "tools" : undefined, first)];
    return [entry(first.kind === "text" ? first.text : nameOf(first), first)];
  }

  #tasks(): readonly NodeEntry[] {
    return this.#sources.all.flatMap((source): readonly NodeEntry[] => [
      ...source.calls.flatMap((call): readonly NodeEntry[] => {
        const value = call.args.at(-1)?.value;
        if (call.callee.kind !== "name" || call.callee.name !== "task" || value === undefined) return [];
        return [{ source, name: this.#nameArgument(source, call), value }];
      }),
      ...source.declarations.flatMap(({ name, from, to, decorators = [] }): readonly NodeEntry[] =>
        decorators.some((one) => nameOf(one) === "task")
          ? [{ source, name, value: { kind: "name", name, from, to } }]
          : [],
      ),
    ]);
  }

  /** The name that is given to an entry point or a task: as its first argument, or in the options there. */
  #nameArgument(source: Source, { args }: Call): string | undefined {
    const first = args[0]?.value;
    if (first?.kind !== "fields") return first && this.textOf(source, first);
    const field = first.fields.find(({ key }) => this.textOf(source, key) === "name");
    return field && this.textOf(source, field.value);
  }
}

/** The last name of what is called or named. */
export function nameOf(value: Expression): string | undefined {
  if (value.kind === "call") return nameOf(value.callee);
  return value.kind === "name" || value.kind === "member" ? value.name : undefined;
}

function isSame(one: GraphRoot, other: GraphRoot): boolean {
  return one.source === other.source && one.from === other.from && one.to === other.to;
}

function distinct(roots: readonly GraphRoot[]): readonly GraphRoot[] {
  return roots.filter((root, index) => roots.findIndex((other) => isSame(root, other)) === index);
}
