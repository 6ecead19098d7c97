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
    file: "src/run/raw/tokenEvents.ts",
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
  {
    file: "src/run/json/json.ts",
    line: `for (let close = text.indexOf('"', start + 1); close >= 0; close = text.indexOf('"', close + 1)) {`,
    mutant: `for (let close = text.indexOf('"', start + 1); close > 0; close = text.indexOf('"', close + 1)) {`,
    why: "what is looked for behind another place is never at 0",
  },
  ...[
    ["src/run/json/json.ts", "for (let at = 0; at < text.length; at += 1) {"],
    ["src/run/raw/tokenEvents.ts", "for (let at = 0; at < data.length; at += 1) {"],
    ["src/api/wholeAnswer.ts", "for (let at = 0; at < text.length && count <= mostValues; at += 1) {"],
  ].map(([file = "", line = ""]) => ({
    file,
    line,
    mutant: line.replace("at < ", "at <= "),
    why: "behind the last character there is none",
  })),
  {
    file: "src/run/protocol/order.ts",
    line: "index = this.#held.findLastIndex((held) => held.seq !== undefined && held.seq < seq) + 1;",
    mutant: "index = this.#held.findLastIndex((held) => held.seq !== undefined && held.seq <= seq) + 1;",
    why: "each number is held once",
  },
  {
    file: "src/run/protocol/order.ts",
    line: "while (index < this.#held.length && this.#held[index]?.seq === undefined) index += 1;",
    mutant: "while (index <= this.#held.length && this.#held[index]?.seq === undefined) index += 1;",
    why: "behind the end of a list is its end",
  },
  ...["(shift * 8) / (6 + 1)", "(shift * (8 + 1)) / 6"].map((moved) => ({
    file: "src/api/withoutSecrets.ts",
    line: "const core = encoded.slice(Math.ceil((shift * 8) / 6), bytes.length % 3 === 0 ? undefined : -1);",
    mutant: `const core = encoded.slice(Math.ceil(${moved}), bytes.length % 3 === 0 ? undefined : -1);`,
    why: "it comes to the same for shifts of 0, 1 and 2",
  })),
  {
    file: "src/run/session/activeRuns.ts",
    line: "this.#version += 1;",
    mutant: "this.#version += (1 + 1);",
    why: "it is only compared with what it was before",
  },
  {
    file: "src/run/panel/search.ts",
    line: "if (count > 0) return this.#match(at, direction > 0 ? 0 : count - 1);",
    mutant: "if (count > 0) return this.#match(at, direction >= 0 ? 0 : count - 1);",
    why: "a direction is 1 or -1",
  },
  {
    file: "src/run/session/follower.ts",
    line: "for (let index = events.length - 1; index >= 0; index -= 1) {",
    mutant: "for (let index = events.length + 1; index >= 0; index -= 1) {",
    why: "behind the last event there is none",
  },
  {
    file: "src/run/session/follower.ts",
    line: "connected = false;",
    mutant: "connected = true;",
    why: "it is asked for only after an attempt, whose end says that it is not",
  },
  {
    file: "src/run/repair/calls.ts",
    line: "for (const { id: child, at = 0, change } of checkpoints.childrenOf(id)) {",
    mutant: "for (const { id: child, at = (0 + 1), change } of checkpoints.childrenOf(id)) {",
    why: "no server has a state of the year 1970",
  },
  ...["(a.at ?? (0 + 1)) - (b.at ?? 0)", "(a.at ?? 0) - (b.at ?? (0 + 1))"].map((moved) => ({
    file: "src/run/history/checkpoints.ts",
    line: "return all.sort((a, b) => (a.at ?? 0) - (b.at ?? 0));",
    mutant: `return all.sort((a, b) => ${moved});`,
    why: "no server has a state of the year 1970",
  })),
  {
    file: "src/run/fold/notices.ts",
    line: "this.data = undefined;",
    mutant: ";",
    why: "what is read once more gives the same",
  },
  ...[
    [
      "src/run/session/history.ts",
      "this.#runs = [...byId.values()].toSorted((a, b) => (a.created_at < b.created_at ? -1 : 1));",
    ],
    [
      "src/run/session/server.ts",
      "return { runs: [...known.values()].toSorted((a, b) => (a.created_at < b.created_at ? -1 : 1)), nameless };",
    ],
  ].flatMap(([file = "", line = ""]) =>
    [line.replace("-1 : 1", "-(1 + 1) : 1"), line.replace("-1 : 1", "-1 : (1 + 1)")].map((mutant) => ({
      file,
      line,
      mutant,
      why: "only the sign of a comparison counts",
    })),
  ),
];
