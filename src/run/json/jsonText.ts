/** JSON as people type and read it. */

import { type ParseErrorCode, printParseErrorCode, visit } from "jsonc-parser";
import type { Json, JsonObject } from "../../api/agentServer/wire.ts";
import { isObject, isOtherAsNumber, mostNested, parseJson, tooDeepAt } from "./json.ts";

/** What is wrong with a text and where; lines and columns count from 1. */
export interface TextProblem {
  readonly message: string;
  readonly line: number;
  readonly column: number;
}

/** Either the value or the problem. */
export type JsonReading = { readonly value: Json } | { readonly problem: TextProblem };

/** Reads JSON text, or says in which line and column it stops being JSON, or has a number that would become another one. */
export function readJson(text: string): JsonReading {
  const value = parseJson(text);
  if (value === undefined) return { problem: problemIn(text) };
  const at = otherNumberAt(text);
  if (at === undefined) return { value };
  const why = "this number has more digits than can be sent, or is too large: write it in quotes";
  return { problem: problemAt(text, at, why) };
}

/** Reads a JSON object; anything else is a problem too. Blank text is no object and no problem. */
export function readJsonObject(
  text: string,
): { readonly value: JsonObject | undefined } | { readonly problem: TextProblem } {
  if (text.trim() === "") return { value: undefined };
  const reading = readJson(text);
  if ("problem" in reading) return reading;
  const { value } = reading;
  if (isObject(value)) return { value };
  return { problem: { message: 'expected an object, such as {"key": "value"}', line: 1, column: 1 } };
}

/** "Line 2, column 5: …". */
export function problemText(problem: TextProblem): string {
  return `Line ${problem.line}, column ${problem.column}: ${problem.message}`;
}

/** Indented JSON, its numbers digit by digit as they came; text that is no JSON comes back as it is. */
export function pretty(text: string): string {
  return parseJson(text) === undefined ? text : indented(text);
}

/** Deeper lines begin there, too: else a short text of many brackets would become hundreds of megabytes of space. */
const deepestIndent = 40;

/** A number of more digits than a program's own numbers have would be another one once it is parsed. */
function indented(text: string): string {
  const parts: string[] = [];
  let depth = 0;
  /** Nothing was written after the bracket that was opened last. */
  let empty = false;
  const line = (): string => `\n${"  ".repeat(Math.min(depth, deepestIndent))}`;
  const write = (part: string): void => {
    if (empty) parts.push(line());
    empty = false;
    parts.push(part);
  };
  const open = (bracket: string) => (): void => {
    write(bracket);
    depth += 1;
    empty = true;
  };
  const close = (bracket: string) => (): void => {
    depth -= 1;
    parts.push(empty ? bracket : line() + bracket);
    empty = false;
  };
  visit(text, {
    onObjectBegin: open("{"),
    onObjectEnd: close("}"),
    onArrayBegin: open("["),
    onArrayEnd: close("]"),
    onObjectProperty: (name) => write(JSON.stringify(name)),
    onLiteralValue: (value, at, length) =>
      write(typeof value === "string" ? JSON.stringify(value) : text.slice(at, at + length)),
    onSeparator: (sign) => parts.push(sign === ":" ? ": " : sign + line()),
  });
  return parts.join("");
}

/** What should be there instead, by the parser's names of errors. */
const expectations = new Map(
  Object.entries({
    InvalidSymbol: "JSON, with names and texts in double quotes",
    InvalidCommentToken: "JSON without comments",
    PropertyNameExpected: "a name in double quotes",
    ValueExpected: "a value",
    ColonExpected: "“:”",
    CommaExpected: "“,”",
    CloseBraceExpected: "“,” or “}”",
    CloseBracketExpected: "“,” or “]”",
    EndOfFileExpected: "the end of the input",
    UnexpectedEndOfString: "the closing quote",
    UnexpectedEndOfNumber: "a digit",
    InvalidUnicode: "only known escapes in this text",
    InvalidEscapeCharacter: "only known escapes in this text",
    InvalidCharacter: "no bare control characters in this text",
  }),
);

/** The first problem of a text that is no JSON; a hostile one may have millions of them. */
function problemIn(text: string): TextProblem {
  const deepAt = tooDeepAt(text);
  if (deepAt !== undefined)
    return problemAt(text, deepAt, `expected nothing deeper than ${mostNested} levels`);
  const errors: { readonly name: string; readonly at: number; readonly end: number }[] = [];
  const onError = (code: ParseErrorCode, at: number, length: number): void => {
    if (errors.length < 2) errors.push({ name: printParseErrorCode(code), at, end: at + length });
  };
  visit(text, { onError }, { disallowComments: true });
  const [first = { name: "", at: 0, end: 0 }, second] = errors;
  // What stands where a word is that JSON does not have is reported right after it.
  const cause = first.name === "InvalidSymbol" && second?.at === first.end ? second : first;
  const at = first.name === "UnexpectedEndOfString" ? first.end : first.at;
  return problemAt(text, at, `expected ${expectations.get(cause.name) ?? "JSON"}`);
}

/** Where the first number begins that a program's own numbers can't hold. */
function otherNumberAt(text: string): number | undefined {
  if (!/\d{16}|\de\+?\d/i.test(text)) return undefined;
  let found: number | undefined;
  visit(text, {
    onLiteralValue: (value, at, length) => {
      if (typeof value === "number" && isOtherAsNumber(text.slice(at, at + length))) found ??= at;
    },
  });
  return found;
}

function problemAt(text: string, at: number, message: string): TextProblem {
  const before = text.slice(0, at).split("\n");
  return { message, line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}
