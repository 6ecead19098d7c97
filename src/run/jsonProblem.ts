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
const stringBody = /(?:[^"\\\p{Cc}]|\u007f|[\u0080-\u009f]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*/uy;

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
    this.at += 1;
    this.#skip(space);
    if (this.#take(close)) return this.#close();
    for (;;) {
      const problem = item();
      if (problem !== undefined) return problem;
      if (this.#take(close)) return this.#close();
      if (!this.#take(",")) return { at: this.at, expected: `“,” or “${close}”` };
    }
  }

  #close(): undefined {
    this.#depth -= 1;
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
    this.#skip(stringBody);
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
