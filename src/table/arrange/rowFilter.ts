/** Which rows a person wants to see: their cells are compared as they are shown. */

import type { Arrangement, Cell, Filter } from "../messages.ts";

/** Texts are looked through as far as so many characters. */
export const mostSearched = 100_000;

/** The columns that are gone through for an arrangement, each once. */
export function columnsOf({ sort, filters = [] }: Arrangement): readonly number[] {
  return [...new Set([...filters.map(({ column }) => column), ...(sort === undefined ? [] : [sort.column])])];
}

type Test = (text: string) => boolean;

/** What tells of a column's cell whether it fits; a null fits nothing but where it is asked for. */
export function cellTest({ how, value }: Filter, kind: Cell["kind"]): (cell: Cell) => boolean {
  if (how === "null") return (cell) => cell.kind === "null";
  if (how === "notNull") return (cell) => cell.kind !== "null";
  const test =
    kind === "number"
      ? numberTest(how, value)
      : kind === "time"
        ? timeTest(how, value)
        : textTest(how, value);
  return (cell) => cell.kind !== "null" && test(cell.text);
}

type Comparison = Exclude<Filter["how"], "null" | "notNull">;

function textTest(how: Comparison, value: string): Test {
  if (how === "contains") return contains(value);
  if (how === "is") return (text) => text === value;
  return how === "below" ? (text) => text < value : (text) => text > value;
}

function contains(value: string): Test {
  const sought = value.toLowerCase();
  return (text) => text.toLowerCase().includes(sought);
}

function numberTest(how: Comparison, value: string): Test {
  if (how === "contains") return contains(value);
  const wanted = value.trim();
  if (how === "is") return (text) => order(text, wanted) === 0;
  return how === "below" ? (text) => order(text, wanted) < 0 : (text) => order(text, wanted) > 0;
}

/** Below 0 when the first number is smaller, to the last digit; NaN when one is no number. */
function order(one: string, other: string): number {
  const [a, b] = [Number(one), Number(other)];
  if (other === "" || Number.isNaN(a) || Number.isNaN(b)) return NaN;
  if (a !== b) return a < b ? -1 : 1;
  const [first, second] = [digitsOf(one), digitsOf(other)];
  if (first === undefined || second === undefined) return 0;
  const places = Math.max(first.fraction.length, second.fraction.length);
  const [x, y] = [first, second].map(({ whole, fraction }) => BigInt(whole + fraction.padEnd(places, "0")));
  return x === y ? 0 : (x ?? 0n) < (y ?? 0n) ? -1 : 1;
}

function digitsOf(text: string): { readonly whole: string; readonly fraction: string } | undefined {
  const [, whole, fraction = ""] = /^(-?\d+)(?:\.(\d*))?$/.exec(text) ?? [];
  return whole === undefined ? undefined : { whole, fraction };
}

/** A date alone is that day: what begins so. */
function timeTest(how: Comparison, value: string): Test {
  const wanted = timeKey(value.trim().replace(/^(\d+-\d\d-\d\d) +/, "$1T"));
  if (how === "contains") return contains(value);
  if (how === "is") return (text) => timeKey(text).startsWith(wanted);
  return how === "below"
    ? (text) => timeKey(text) < wanted
    : (text) => timeKey(text) > wanted && !timeKey(text).startsWith(wanted);
}

/** Texts of times are in their order when years have as many digits, and those before Christ come first. */
function timeKey(text: string): string {
  const key = text.replace(/^\d+(?=-)/, (year) => year.padStart(12, "0"));
  return key.endsWith("(BC)") ? `-${key}` : key;
}
