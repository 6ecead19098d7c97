/** Mutants that no test can notice, because they do the same: each with the reason why. */

export interface Equivalent {
  readonly file: string;
  /** The line as it is, and as the mutant has it, without the spaces around them. */
  readonly line: string;
  readonly mutant: string;
  readonly why: string;
}

const slower = "without this way the whole text is parsed, which gives the same";

export const equivalents: readonly Equivalent[] = [
  {
    file: "src/run/json/json.ts",
    line: `for (let close = text.indexOf('"', start + 1); close >= 0; close = text.indexOf('"', close + 1)) {`,
    mutant: `for (let close = text.indexOf('"', start + 1); close >= (0 + 1); close = text.indexOf('"', close + 1)) {`,
    why: "what is looked for behind another place is never at 0",
  },
  {
    file: "src/run/raw/messageTuples.ts",
    line: 'else if (character === "}" || character === "]") depth -= 1;',
    mutant: 'else if (character === "}" || character !== "]") depth -= 1;',
    why: slower,
  },
  {
    file: "src/run/fold/runFold.ts",
    line: "if (more !== undefined && draft?.serverId !== undefined) this.#grown.set(more.like, draft);",
    mutant: "if (more !== undefined && draft?.serverId !== undefined) ;",
    why: "without this way each piece is read as a whole, which gives the same",
  },
  ...[
    [
      'event: this.#names[this.#named[offset] ?? 0] ?? "",',
      'event: this.#names[this.#named[offset] ?? (0 + 1)] ?? "",',
    ],
    [
      'data: head + (this.#tails[this.#tailed[offset] ?? 0] ?? ""),',
      'data: head + (this.#tails[this.#tailed[offset] ?? (0 + 1)] ?? ""),',
    ],
    ["at: this.#times[offset] ?? 0,", "at: this.#times[offset] ?? (0 + 1),"],
  ].map(([line = "", mutant = ""]) => ({
    file: "src/run/raw/eventPack.ts",
    line,
    mutant,
    why: "each event has one",
  })),
  {
    file: "src/run/raw/sharedText.ts",
    line: "this.#known.set(event, name);",
    mutant: ";",
    why: "a name that is not remembered is split again, which gives the same",
  },
  {
    file: "src/run/raw/sharedText.ts",
    line: "while (length < most && a.charCodeAt(a.length - 1 - length) === b.charCodeAt(b.length - 1 - length))",
    mutant:
      "while (length <= most && a.charCodeAt(a.length - 1 - length) === b.charCodeAt(b.length - 1 - length))",
    why: "before the first character there is none, which equals nothing",
  },
  {
    file: "src/run/raw/rawEvents.ts",
    line: "if (this.#open.full) this.#close();",
    mutant: "if (!(this.#open.full)) this.#close();",
    why: "packs of another size give back the same events",
  },
];
