/** A source as far as graphs are made in it, the same for every language. */

/** A stretch of the text. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** An expression, of which only what graphs are made with is told apart. */
export type Expression = Span &
  (
    | { readonly kind: "name"; readonly name: string }
    /** `this`, or Python's `self`. */
    | { readonly kind: "self" }
    | { readonly kind: "member"; readonly of: Expression; readonly name: string }
    | { readonly kind: "call"; readonly callee: Expression; readonly args: readonly Argument[] }
    | { readonly kind: "text"; readonly text: string }
    /** Its returns are also what it yields; `body` is where the first thing stands that it does, in scripts alone. */
    | {
        readonly kind: "function";
        readonly returns: readonly Expression[];
        readonly body?: number | undefined;
      }
    | { readonly kind: "class"; readonly members: ReadonlyMap<string, Member> }
    | { readonly kind: "fields"; readonly fields: readonly Field[] }
    | { readonly kind: "list"; readonly items: readonly Expression[] }
    | { readonly kind: "either"; readonly options: readonly Expression[] }
    | { readonly kind: "other" }
  );

/** An expression, but for where it is. */
export type Shape = Expression extends infer One
  ? One extends Expression
    ? Omit<One, "from" | "to">
    : never
  : never;

/** A call's argument; Python's may have a name. */
export interface Argument {
  readonly name?: string;
  readonly value: Expression;
}

/** A field of an object, whose key may be computed: then it is another expression than a text. */
export interface Field {
  readonly key: Expression;
  readonly value: Expression;
}

/** A method or an attribute of a class, at its name. */
export interface Member extends Span {
  readonly value: Expression | undefined;
}

/** A name that is bound, at that name. */
export interface Declaration extends Span {
  readonly name: string;
  /** Where it holds. */
  readonly scope: Span;
  /** Undefined for parameters and what else nobody can look into. */
  readonly value: Expression | Imported | undefined;
  /** What is around it names it, such as a decorator. */
  readonly decorators?: readonly Expression[];
}

/** A name from another module; "*" for the module itself. */
export interface Imported {
  readonly kind: "import";
  readonly module: string;
  readonly name: string;
}

/** What a module is to others: one of its own names, or one of another module. */
export type Exported = { readonly kind: "own"; readonly value: Expression } | Imported;

/** One file. */
export interface Source {
  readonly path: string;
  readonly declarations: readonly Declaration[];
  readonly calls: readonly (Expression & { readonly kind: "call" })[];
  readonly classes: readonly (Expression & { readonly kind: "class" })[];
  readonly exports: ReadonlyMap<string, Exported>;
  /** Modules all of whose exports are its own, too. */
  readonly passedOn: readonly string[];
  /** All modules that it names. */
  readonly imports: readonly string[];
}

/** What the name means there: of the scopes around it the innermost, and in that what was bound last before. */
export function declarationAt(source: Source, name: string, at: number): Declaration | undefined {
  // In `graph = graph.compile()` the second one is what was bound before.
  const isBefore = ({ from, value }: Declaration): boolean =>
    from <= at && !(value !== undefined && value.kind !== "import" && value.from <= at && at < value.to);
  return source.declarations
    .filter((one) => one.name === name && one.scope.from <= at && at <= one.scope.to)
    .sort(
      (one, other) =>
        sizeOf(one.scope) - sizeOf(other.scope) ||
        Number(isBefore(other)) - Number(isBefore(one)) ||
        other.from - one.from,
    )
    .at(0);
}

/** The innermost class around a position. */
export function classAround(source: Source, at: number): Source["classes"][number] | undefined {
  return source.classes
    .filter((one) => one.from <= at && at <= one.to)
    .sort((one, other) => sizeOf(one) - sizeOf(other))
    .at(0);
}

function sizeOf({ from, to }: Span): number {
  return to - from;
}
