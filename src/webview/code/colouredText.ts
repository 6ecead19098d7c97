/** A text in the colours of its language, made bit by bit: an agent may write a line of a megabyte, or never stop. */

/** What a piece of code is; each has its colour in the style sheet. */
export type Colour = "keyword" | "string" | "number" | "comment" | "name" | "type";

/** A piece of a text; without a colour it looks as all text does. */
export interface CodeToken {
  readonly text: string;
  readonly colour: Colour | undefined;
}

/** Reads a language line by line. */
export interface Language {
  start(): unknown;
  copy(state: unknown): unknown;
  /** Reads a line's tokens, each up to `end`; `state` is what goes on in the next line. */
  line(text: string, state: unknown): { next(): { readonly kind: string; readonly end: number } };
}

/** Some lines that do not change any more, or the last ones. */
export type CodePart = readonly CodeToken[];

const longestLine = 2_000;
const longestText = 40_000;
/** How many lines are drawn together. */
const partLines = 40;
/** A parser may ask several times before it moves on. */
const mostStalls = 10;

/** Keeps the colours of a text while text is appended; another text begins anew. */
export class ColouredText {
  readonly #language: Language;
  #text = "";
  /** How far the text is read. */
  #end = 0;
  #state: unknown;
  #parts: CodePart[] = [];
  #open: CodeToken[] = [];
  #openLines = 0;

  constructor(language: Language) {
    this.#language = language;
    this.#state = language.start();
  }

  /** The text's parts, in order; what is not read yet, or is beyond all bounds, has no colours. */
  get parts(): readonly CodePart[] {
    const last = [...this.#open];
    const line = this.#text.slice(this.#end);
    // The last line may go on: it is read with a copy of the state, and again with what is appended.
    const rest = this.#isRead
      ? this.#tokens(line, this.#language.copy(this.#state))
      : [{ text: line, colour: undefined }];
    for (const token of rest) append(last, token);
    return [...this.#parts, last];
  }

  /** Takes the text as it is now. */
  take(text: string): void {
    if (!text.startsWith(this.#text)) {
      [this.#end, this.#state] = [0, this.#language.start()];
      [this.#parts, this.#open, this.#openLines] = [[], [], 0];
    }
    this.#text = text;
  }

  /** Reads on until `isLate`; true when there is more to read. */
  read(isLate: () => boolean): boolean {
    while (!this.#isRead) {
      const end = this.#text.indexOf("\n", this.#end) + 1;
      const line = this.#text.slice(this.#end, end - 1);
      for (const token of this.#tokens(line, this.#state)) append(this.#open, token);
      append(this.#open, { text: "\n", colour: undefined });
      this.#end = end;
      this.#openLines += 1;
      if (this.#openLines === partLines) {
        this.#parts.push(this.#open);
        [this.#open, this.#openLines] = [[], 0];
      }
      if (isLate()) return !this.#isRead;
    }
    return false;
  }

  /** All whole lines within the bounds are read. */
  get #isRead(): boolean {
    return this.#end >= longestText || !this.#text.includes("\n", this.#end);
  }

  #tokens(line: string, state: unknown): readonly CodeToken[] {
    const plain = [{ text: line, colour: undefined }];
    if (line.length > longestLine) return plain;
    try {
      return tokensOf(line, this.#language.line(line, state));
    } catch {
      return plain;
    }
  }
}

function tokensOf(line: string, reader: ReturnType<Language["line"]>): readonly CodeToken[] {
  const tokens: CodeToken[] = [];
  let [start, stalls] = [0, 0];
  while (start < line.length) {
    const { kind, end } = reader.next();
    if (end > start) {
      append(tokens, { text: line.slice(start, end), colour: colourOf(kind) });
      [start, stalls] = [end, 0];
    } else if (++stalls > mostStalls) {
      append(tokens, { text: line.slice(start), colour: undefined });
      break;
    }
  }
  return tokens;
}

/** What looks the same is one token, and so one element less. */
function append(tokens: CodeToken[], { text, colour }: CodeToken): void {
  const last = tokens.at(-1);
  if (text === "") return;
  if (last?.colour !== colour || last === undefined) tokens.push({ text, colour });
  else tokens[tokens.length - 1] = { text: last.text + text, colour };
}

const colours = new Map<string, Colour>(
  Object.entries({
    keyword: "keyword",
    atom: "keyword",
    bool: "keyword",
    null: "keyword",
    self: "keyword",
    tag: "keyword",
    tagName: "keyword",
    string: "string",
    regexp: "string",
    character: "string",
    deleted: "string",
    negative: "string",
    number: "number",
    unit: "number",
    inserted: "number",
    positive: "number",
    comment: "comment",
    property: "name",
    propertyName: "name",
    attribute: "name",
    attributeName: "name",
    def: "name",
    definition: "name",
    function: "name",
    header: "name",
    heading: "name",
    type: "type",
    typeName: "type",
    className: "type",
    builtin: "type",
    meta: "type",
    macroName: "type",
    namespace: "type",
  } satisfies Record<string, Colour>),
);

/** The most telling of the words that a parser has for a token, such as "string property" or "variableName.definition". */
function colourOf(kind: string): Colour | undefined {
  return kind
    .split(/[ .]/)
    .map((word) => colours.get(word))
    .findLast((colour) => colour !== undefined);
}
