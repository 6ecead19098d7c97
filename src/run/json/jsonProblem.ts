/** Where a text stops being JSON; engines tell it each in its own way, or not at all. */

import { mostNested } from "./json.ts";

/** Where a text is no JSON. */
export interface JsonProblem {
  /** The place of the first character that can't be there. */
  readonly at: number;
  /** What should be there instead. */
  readonly expected: string;
}

const space = /[\t\n\r ]*/y;
const scalar = /true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
/** A part of it: of a very long string at once, an expression remembers more than there is room for. */
const stringBody = /(?:[^"\\\p{Cc}]|\u007f|[\u0080-\u009f]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4})){1,1000}/uy;

/** The first problem of a JSON text; undefined when it has none. */
export function jsonProblem(text: string): JsonProblem | undefined {
  const scanner = new Scanner(text);
  const problem = scanner.value();
  if (problem !== undefined) return problem;
  return scanner.at < text.length ? { at: scanner.at, expected: "the end of the input" } : undefined;
}

class Scanner {
  at = 0;
  readonly #text: string;
  #depth = 0;

  constructor(text: string) {
    this.#text = text;
    this.#skip(space);
  }

  value(): JsonProblem | undefined {
    const problem = this.#oneOf();
    if (problem === undefined) this.#skip(space);
    return problem;
  }

  #oneOf(): JsonProblem | undefined {
    switch (this.#text[this.at]) {
      case "{":
        return this.#list("}", () => this.#member());
      case "[":
        return this.#list("]", () => this.value());
      case '"':
        return this.#string("a value");
      default:
        return this.#skip(scalar) ? undefined : { at: this.at, expected: "a value" };
    }
  }

  #list(close: string, item: () => JsonProblem | undefined): JsonProblem | undefined {
    if (this.#depth === mostNested) {
      return { at: this.at, expected: `nothing deeper than ${mostNested} levels` };
    }
    this.#depth += 1;
    const problem = this.#items(close, item);
    this.#depth -= 1;
    return problem;
  }

  #items(close: string, item: () => JsonProblem | undefined): JsonProblem | undefined {
    this.at += 1;
    this.#skip(space);
    if (this.#take(close)) return undefined;
    for (;;) {
      const problem = item();
      if (problem !== undefined) return problem;
      if (this.#take(close)) return undefined;
      if (!this.#take(",")) return { at: this.at, expected: `“,” or “${close}”` };
    }
  }

  #member(): JsonProblem | undefined {
    const problem = this.#string("a name in double quotes");
    if (problem !== undefined) return problem;
    this.#skip(space);
    if (!this.#take(":")) return { at: this.at, expected: "“:”" };
    return this.value();
  }

  #string(expected: string): JsonProblem | undefined {
    if (this.#text[this.at] !== '"') return { at: this.at, expected };
    this.at += 1;
    while (this.#skip(stringBody));
    if (this.#text[this.at] === '"') {
      this.at += 1;
      return undefined;
    }
    return { at: this.at, expected: this.#text[this.at] === "\\" ? "a known escape" : "the closing quote" };
  }

  #take(character: string): boolean {
    if (this.#text[this.at] !== character) return false;
    this.at += 1;
    this.#skip(space);
    return true;
  }

  #skip(pattern: RegExp): boolean {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.#text)?.[0] ?? "";
    this.at += found.length;
    return found !== "";
  }
}
