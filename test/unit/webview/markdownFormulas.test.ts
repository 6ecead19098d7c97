import { deepEqual } from "node:assert/strict";

import { blocksOf } from "../../../src/webview/controls/markdownBlocks.ts";

interface Part {
  readonly type: string;
  readonly raw: string;
  readonly tokens?: readonly Part[];
}

/** The formulas of a text, in its order. */
function formulasIn(text: string): readonly string[] {
  const within = ({ type, raw, tokens = [] }: Part): readonly string[] =>
    type === "formula" ? [raw.trim()] : tokens.flatMap(within);
  return (blocksOf(text) as readonly Part[]).flatMap(within);
}

describe("LaTeX in Markdown", () => {
  for (const formula of [
    String.raw`\(a_1 * b_2 * c_3\)`,
    String.raw`\[ \int_0^1 x\,dx \]`,
    "$a_1 + b_2$",
    "$x$",
    String.raw`$$\sum_{i=1}^{n} *_i$$`,
  ])
    it(`keeps its source: ${formula}`, () => {
      deepEqual(formulasIn(`Here ${formula} is, and ${formula} again.`), [formula, formula]);
    });

  it("keeps formulas of several lines, which may begin as lists and headings do", () => {
    const formula = "\\[\na\n= b\n- c\n# d\n\\]";
    deepEqual(formulasIn(`Text\n\n${formula}\n\nText`), [formula]);
    deepEqual(formulasIn("$$\n1. a\n$$"), ["$$\n1. a\n$$"]);
  });

  it("takes amounts of money, code and escapes for what they are", () => {
    for (const text of ["It costs $5 and $10.", "`$a$` and `\\(b\\)`", "\\$a$ b", "a\\*b", "US$ 5 to 6 $"])
      deepEqual(formulasIn(text), [], text);
  });

  it("stays quick where no formula ends", () => {
    for (const text of ["\\(", "\\[", "$$", "$a"]) {
      const whole = `${text} `.repeat(10_000).replaceAll(" ", text === "$$" ? "\n\nx" : " ");
      deepEqual(blocksOf(whole).length > 0, true);
    }
  });
});
