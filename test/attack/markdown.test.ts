import { ok } from "node:assert/strict";
import { join } from "node:path";
import { Random } from "../support/random.ts";
import { bounded } from "./bounded.ts";
import type { Slowest } from "./markdownReader.ts";

/** What took a parser long, and what Markdown is made of. */
const known = [
  "*a_",
  "**a_",
  "_a*",
  "***a__",
  "*1.",
  "*www.",
  "*_a*",
  "*~~a",
  "a_",
  "> ",
  "1. ",
  "+ ",
  ">",
  "!",
  "*&",
];
const atoms = [
  ...["*", "_", "a", "`", "[", "]", "(", ")", "!", "~", "<", ">", "\\", "&", "|", "#", "-", "1.", " ", "\t"],
  ...[
    "*a_",
    "[a](",
    "![",
    "<a",
    "~~a",
    "http://a.b/",
    "a@b.c",
    "> ",
    "- ",
    "    ",
    "&amp;",
    "|-|\n",
    "[a]:",
    '"',
  ],
  ...["www.", "](", "[^a]", "<!--", "<b>", "1. ", "* ", "+ ", "\n", "```", "- [ ] ", "=", "$$"],
];
const pairs = 250;
const mostMs = 700;

describe("Markdown of an agent", () => {
  it(`is read in ${mostMs} ms, whatever it is made of`, async () => {
    const random = new Random(8);
    const made = Array.from({ length: pairs }, () => random.pick(atoms) + random.pick(atoms));
    const input = [...known, ...atoms, ...made];
    const work = { file: join(import.meta.dirname, "markdownReader.ts"), name: "slowestOf", input };
    const { value, ms, mb } = await bounded<Slowest>(work, { ms: 90_000, mb: 600 });
    console.log(
      `      ${5 * input.length} texts in ${ms} ms, ${mb} MB; ${value.text} took ${Math.round(value.ms)} ms`,
    );
    ok(value.ms < mostMs, `${value.text} took ${Math.round(value.ms)} ms`);
  });
});
