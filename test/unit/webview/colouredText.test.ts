import { strict as assert } from "node:assert";

import { ColouredText, type CodePart } from "../../../src/webview/code/colouredText.ts";
import { colouredText } from "../../../src/webview/code/languages.ts";

/** What each language is shown with here: a word of it, and the colour that the word has. */
const samples: readonly (readonly [
  language: string,
  text: string,
  colours: Readonly<Record<string, string>>,
])[] = [
  ["ts", "const answer: number = 42; // why", { const: "keyword", "42": "number", "// why": "comment" }],
  ["Python", "def f(x):\n  return 'a'", { def: "keyword", "'a'": "string" }],
  ["json", '{"a": [1, true]}', { '"a"': "name", "1": "number", true: "keyword" }],
  ["sql", "SELECT 1 -- one", { SELECT: "keyword", "1": "number", "-- one": "comment" }],
  ["bash", "if true; then echo 'a'; fi # b", { if: "keyword", "'a'": "string", "# b": "comment" }],
  ["yaml", "a: true # b", { "# b": "comment" }],
  ["html", '<p class="x">text</p>', { p: "keyword", class: "name", '"x"': "string" }],
  ["css", "a { color: red }", { color: "name" }],
  ["rust", "fn main() { let a = 1; }", { fn: "keyword", let: "keyword", "1": "number" }],
  ["go", "func main() { return }", { func: "keyword", return: "keyword" }],
  ["java", "class A { int b = 1; }", { class: "keyword", int: "type", "1": "number" }],
  ["diff", "-old\n+new", { "-old": "string", "+new": "number" }],
];

describe("Code in colours", () => {
  for (const [language, text, colours] of samples) {
    it(`knows the words of ${language}`, () => {
      const tokens = colouredWhole(language, text).flat();
      for (const [word, colour] of Object.entries(colours)) {
        const found = tokens.find((token) => token.text.trim() === word);
        assert.equal(found?.colour, colour, `${word} in ${JSON.stringify(tokens)}`);
      }
    });
  }

  it("keeps every character of any text in any language", () => {
    const hostile = [
      "",
      "\n\n",
      "`${`${",
      "'''never closed\n\"\"\" either /* nor this",
      "<a <b <c\n]]>-->",
      "\\".repeat(99),
      "\t\u202e\u0000\ud800 \u{1f600}\r\nend",
      "<<EOF\n$((${a[",
      "{".repeat(3000),
    ].join("\n");
    for (const [language] of samples)
      assert.equal(textOf(colouredWhole(language, hostile)), hostile, language);
  });

  it("has no colours for a language that it does not know", () => {
    assert.equal(colouredText("klingon"), undefined);
    assert.equal(colouredText("constructor"), undefined);
  });

  it("colours a text that grows as it colours the whole, and reads each whole line once", () => {
    const whole = "/* a\n b */ const c = `\n${d}`;\nlet e = 1;\n".repeat(60);
    let lines = 0;
    const counted = new ColouredText({
      start: () => 0,
      copy: (state) => state,
      line: (line) => {
        if (line !== "") lines += 1;
        return { next: () => ({ kind: "", end: line.length }) };
      },
    });
    const growing = colouredText("ts")!;
    for (let end = 0; end <= whole.length; end += 7) {
      for (const text of [growing, counted]) {
        text.take(whole.slice(0, end));
        text.read(() => false);
      }
      assert.equal(textOf(growing.parts), whole.slice(0, end));
    }
    growing.take(whole);
    growing.read(() => false);
    assert.deepEqual(growing.parts, colouredWhole("ts", whole));
    assert.equal(lines, 4 * 60 - 1);
  });

  it("reads in parts, so that nobody waits, and keeps the parts that are read", () => {
    const text = colouredText("ts")!;
    text.take("let a = 1;\n".repeat(200));
    let reads = 1;
    while (text.read(() => true)) reads += 1;
    assert.equal(reads, 200);
    const [first] = text.parts;
    text.take(`${"let a = 1;\n".repeat(200)}more`);
    text.read(() => false);
    assert.equal(text.parts[0], first);
  });

  it("leaves plain what is beyond all bounds", () => {
    const long = "let a = 1; ".repeat(100_000);
    for (const text of [long, "a = 1\n".repeat(200_000)]) {
      const parts = colouredWhole("ts", text);
      assert.equal(textOf(parts), text);
      assert(parts.flat().length < 40_000);
    }
    assert.deepEqual(colouredWhole("ts", long), [[{ text: long, colour: undefined }]]);
  });

  it("goes on where a parser fails or stands still", () => {
    const failing = new ColouredText({
      start: () => undefined,
      copy: () => undefined,
      line: (text) => {
        if (text === "bad") throw new Error("bad");
        return { next: () => ({ kind: "", end: 0 }) };
      },
    });
    failing.take("a\nbad\nb");
    failing.read(() => false);
    assert.equal(textOf(failing.parts), "a\nbad\nb");
  });
});

function colouredWhole(language: string, text: string): readonly CodePart[] {
  const coloured = colouredText(language)!;
  coloured.take(text);
  coloured.read(() => false);
  return coloured.parts;
}

function textOf(parts: readonly CodePart[]): string {
  return parts
    .flat()
    .map(({ text }) => text)
    .join("");
}
