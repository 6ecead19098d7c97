/** A filter is not written as the filter language wants it; the message says where. */
export class FilterSyntaxError extends Error {
  override readonly name = "FilterSyntaxError";
}

/** A part of a filter as it is written: `eq(run_type, "llm")` is a call of a word and a text. */
export type FilterNode =
  | {
      readonly kind: "call";
      readonly name: string;
      readonly operands: readonly FilterNode[];
      readonly at: number;
    }
  | { readonly kind: "word"; readonly name: string; readonly at: number }
  | { readonly kind: "value"; readonly value: string | number | boolean | null; readonly at: number }
  | { readonly kind: "list"; readonly items: readonly FilterNode[]; readonly at: number };

const maxDepth = 50;
const token =
  /\s*(?:([(),[\]])|("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')|(-?\d+(?:\.\d+)?(?![\w.]))|([A-Za-z_]\w*))/y;

/** Reads a filter of the trace filter language. Throws `FilterSyntaxError`. */
export function readFilter(text: string): FilterNode {
  const reader = new Reader(text);
  const node = reader.node(0);
  reader.end();
  return node;
}

interface Token {
  readonly kind: "sign" | "text" | "number" | "word" | "end";
  readonly text: string;
  readonly at: number;
}

class Reader {
  readonly #text: string;
  #next: Token;
  #position = 0;

  constructor(text: string) {
    this.#text = text;
    this.#next = this.#scan();
  }

  node(depth: number): FilterNode {
    const { kind, text, at } = this.#take();
    if (depth > maxDepth) throw new FilterSyntaxError(`The filter nests deeper than ${maxDepth} levels.`);
    switch (kind) {
      case "text":
        return { kind: "value", value: unquote(text), at };
      case "number":
        return { kind: "value", value: Number(text), at };
      case "word":
        if (this.#next.text === "(")
          return { kind: "call", name: text, operands: this.#items(")", depth), at };
        if (Object.hasOwn(constants, text.toLowerCase())) {
          return { kind: "value", value: constants[text.toLowerCase()] ?? null, at };
        }
        return { kind: "word", name: text, at };
      case "sign":
        if (text === "[") return { kind: "list", items: this.#list(depth), at };
        throw unexpected(text, at);
      case "end":
        throw unexpected("the end", at);
      default:
        return kind satisfies never;
    }
  }

  end(): void {
    if (this.#next.kind !== "end") throw unexpected(this.#next.text, this.#next.at);
  }

  #items(close: string, depth: number): FilterNode[] {
    this.#take();
    return this.#rest(close, depth);
  }

  #list(depth: number): FilterNode[] {
    return this.#rest("]", depth);
  }

  #rest(close: string, depth: number): FilterNode[] {
    const items: FilterNode[] = [];
    if (this.#next.text === close && this.#next.kind === "sign") {
      this.#take();
      return items;
    }
    for (;;) {
      items.push(this.node(depth + 1));
      const { kind, text, at } = this.#take();
      if (kind === "sign" && text === close) return items;
      if (kind !== "sign" || text !== ",") throw unexpected(kind === "end" ? "the end" : text, at);
    }
  }

  #take(): Token {
    const taken = this.#next;
    this.#next = this.#scan();
    return taken;
  }

  #scan(): Token {
    token.lastIndex = this.#position;
    const match = token.exec(this.#text);
    if (match === null) {
      const rest = this.#text.slice(this.#position);
      const at = this.#position + (rest.length - rest.trimStart().length);
      if (rest.trim() !== "") throw unexpected(this.#text.charAt(at), at);
      return { kind: "end", text: "", at };
    }
    this.#position = token.lastIndex;
    const [, sign, text, number, word] = match;
    const found = sign ?? text ?? number ?? word ?? "";
    const kind =
      sign !== undefined ? "sign" : text !== undefined ? "text" : number !== undefined ? "number" : "word";
    return { kind, text: found, at: this.#position - found.length };
  }
}

const constants: Readonly<Record<string, boolean | null>> = {
  true: true,
  false: false,
  null: null,
  none: null,
};

function unquote(text: string): string {
  return text.slice(1, -1).replace(/\\(.)/g, "$1");
}

function unexpected(text: string, at: number): FilterSyntaxError {
  return new FilterSyntaxError(`The filter can't be read: ${text} at position ${at} was not expected.`);
}
