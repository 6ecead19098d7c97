import { contains, isObject, parseJson } from "../kit/json.ts";
import { type FilterNode, FilterSyntaxError, readFilter } from "./filterSyntax.ts";
import { isColumn, type TraceRow } from "./traceRow.ts";

/** A row, and the one metadata entry and the one feedback key that the conditions around speak of. */
interface Scope {
  readonly row: TraceRow;
  readonly metadata?: readonly [key: string, value: unknown];
  readonly feedback?: readonly [key: string, score: number | null];
}

type Test = (scope: Scope) => boolean;
type Family = "metadata" | "feedback";
type Scalar = string | number | boolean | null;

/**
 * A filter of the trace filter language as a test of rows: `and or not`, `eq neq gt gte lt lte in`, `has`,
 * `search`. Conditions on `metadata_key` and `metadata_value` (`feedback_key` and `feedback_score`) that stand
 * side by side mean the same entry. Throws `FilterSyntaxError`.
 */
export function parseFilter(text: string): (row: TraceRow) => boolean {
  const test = compile(readFilter(text));
  return (row) => test({ row });
}

function compile(node: FilterNode): Test {
  if (node.kind !== "call") throw new FilterSyntaxError(`A condition was expected at position ${node.at}.`);
  const { name, operands, at } = node;
  switch (name) {
    case "and":
      return allOf(operands);
    case "or": {
      const tests = operands.map(compile);
      return (scope) => tests.some((test) => test(scope));
    }
    case "not": {
      const [inner, more] = operands;
      if (inner === undefined || more !== undefined) throw wrong(name, "one condition", at);
      const test = compile(inner);
      return (scope) => !test(scope);
    }
    case "search":
      return search(node.operands, at);
    case "has":
      return has(node.operands, at);
    default: {
      const families = new Set(operands.flatMap((operand) => familyOf(operand) ?? []));
      return anyEntry([...families], comparison(name, operands, at));
    }
  }
}

/** Conditions on the same kind of entry must hold for one and the same entry. */
function allOf(operands: readonly FilterNode[]): Test {
  const groups = Map.groupBy(operands, (operand) => {
    return operand.kind === "call"
      ? operand.operands.map(familyOf).find((family) => family !== undefined)
      : undefined;
  });
  const tests = [...groups].flatMap(([family, nodes]) => {
    if (family === undefined) return nodes.map(compile);
    const conditions = nodes.map((node) => {
      return node.kind === "call" ? comparison(node.name, node.operands, node.at) : compile(node);
    });
    return [anyEntry([family], (scope) => conditions.every((condition) => condition(scope)))];
  });
  return (scope) => tests.every((test) => test(scope));
}

function anyEntry(families: readonly Family[], test: Test): Test {
  if (families.includes("metadata")) {
    return ({ row }) => Object.entries(row.extra.metadata).some((metadata) => test({ row, metadata }));
  }
  if (families.includes("feedback")) {
    return ({ row }) =>
      Object.entries(row.feedback_stats ?? {}).some(([key, { avg }]) => test({ row, feedback: [key, avg] }));
  }
  return test;
}

function familyOf(node: FilterNode): Family | undefined {
  if (node.kind !== "word") return undefined;
  if (node.name.startsWith("metadata_")) return "metadata";
  return node.name.startsWith("feedback_") && node.name !== "feedback_stats" ? "feedback" : undefined;
}

const comparisons: Readonly<Record<string, (order: number) => boolean>> = {
  eq: (order) => order === 0,
  neq: (order) => order !== 0,
  gt: (order) => order > 0,
  gte: (order) => order >= 0,
  lt: (order) => order < 0,
  lte: (order) => order <= 0,
};

function comparison(name: string, operands: readonly FilterNode[], at: number): Test {
  const [field, wanted, more] = operands;
  if (field?.kind !== "word" || wanted === undefined || more !== undefined) {
    throw wrong(name, "a field and a value", at);
  }
  const read = reader(field.name, field.at);
  if (name === "in") {
    if (wanted.kind !== "list") throw wrong(name, "a field and a list", at);
    const values = wanted.items.map((item) => valueOf(item, field.name));
    return (scope) => values.some((value) => compare(read(scope), value) === 0);
  }
  const holds = Object.hasOwn(comparisons, name) ? comparisons[name] : undefined;
  if (holds === undefined) throw new FilterSyntaxError(`The filter's ${name} at position ${at} is unknown.`);
  const value = valueOf(wanted, field.name);
  return (scope) => holds(compare(read(scope), value));
}

/** Negative, zero or positive as numbers are; NaN, which is neither, for what can't be compared. */
function compare(left: unknown, right: Scalar): number {
  if (left === right) return 0;
  if (left instanceof Date) return left.getTime() - Date.parse(String(right));
  if (typeof left === "number" && typeof right === "number") return left - right;
  if (typeof left === "string" && typeof right === "string") return left < right ? -1 : 1;
  return NaN;
}

function reader(name: string, at: number): (scope: Scope) => unknown {
  switch (name) {
    case "metadata_key":
      return ({ metadata }) => metadata?.[0];
    case "metadata_value":
      return ({ metadata }) => metadata?.[1];
    case "feedback_key":
      return ({ feedback }) => feedback?.[0];
    case "feedback_score":
      return ({ feedback }) => feedback?.[1];
    case "latency":
      return ({ row }) => {
        return row.end_time === null ? undefined : (row.end_time.getTime() - row.start_time.getTime()) / 1000;
      };
    default:
      if (!isColumn(name)) throw new FilterSyntaxError(`There is no field ${name} (position ${at}).`);
      return ({ row }) => row[name];
  }
}

const unitSeconds: Readonly<Record<string, number>> = { ms: 0.001, s: 1, m: 60, min: 60, h: 3600, d: 86_400 };

function valueOf(node: FilterNode, field: string): Scalar {
  if (node.kind !== "value") throw new FilterSyntaxError(`A value was expected at position ${node.at}.`);
  if (field !== "latency" || typeof node.value !== "string") return node.value;
  const [, amount, unit = "s"] = /^([\d.]+) ?(ms|s|min|m|h|d)?$/.exec(node.value) ?? [];
  if (amount === undefined) throw new FilterSyntaxError(`${node.value} is no length of time.`);
  return Number(amount) * (unitSeconds[unit] ?? 1);
}

/** `has(tags, "x")`, or `has(metadata, '{"key": "value"}')`. */
function has(operands: readonly FilterNode[], at: number): Test {
  const [field, wanted] = operands;
  if (field?.kind !== "word" || wanted?.kind !== "value" || typeof wanted.value !== "string") {
    throw wrong("has", "tags or metadata and a text", at);
  }
  const { value } = wanted;
  if (field.name === "tags") return ({ row }) => row.tags.includes(value);
  if (field.name !== "metadata") throw wrong("has", "tags or metadata and a text", at);
  const part = parseJson(value);
  if (!isObject(part)) throw new FilterSyntaxError(`The text at position ${wanted.at} is no JSON object.`);
  return ({ row }) => contains(row.extra.metadata, part);
}

/** `search("text")` looks through all of a row, `search(field, "text")` through one field; case does not matter. */
function search(operands: readonly FilterNode[], at: number): Test {
  const wanted = operands.at(-1);
  const field = operands.length === 2 ? operands[0] : undefined;
  if (wanted?.kind !== "value" || typeof wanted.value !== "string" || operands.length > 2) {
    throw wrong("search", "a text", at);
  }
  if (field !== undefined && field.kind !== "word") throw wrong("search", "a field and a text", at);
  const text = wanted.value.toLowerCase();
  const read = field === undefined ? ({ row }: Scope): unknown => row : reader(field.name, field.at);
  return (scope) =>
    JSON.stringify(read(scope) ?? null)
      .toLowerCase()
      .includes(text);
}

function wrong(name: string, wanted: string, at: number): FilterSyntaxError {
  return new FilterSyntaxError(`${name} at position ${at} takes ${wanted}.`);
}
