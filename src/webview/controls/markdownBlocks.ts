/** Markdown as the blocks that the page draws, within a bounded time: an agent may write what takes a parser seconds. */

import { Lexer, Marked, type Token, type TokenizerExtension } from "marked";

const mostBlocks = 400;
/** Many short lines may each be a quote or a list. */
const mostLines = 2_000;
/** Of a longer paragraph it would take seconds to find out which of its stars belong together. */
const longestParagraph = 5_000;
/** Each mark may be compared with all of its paragraph: so many characters may be looked at for all paragraphs. */
const mostCompared = 3_000_000;
const marks = /[*_~![<`]/g;
/** Quotes and lists within each other, on one line, deeper than anybody writes and the page shows. */
const nested = /^[ \t]*(?:(?:>|(?:[-+*]|\d{1,9}[.)])[ \t])[ \t]*){20}/m;

const longestFormula = 2_000;
const formulas = {
  block: new RegExp(
    String.raw`^ {0,3}(?:\\\[[^]{1,${longestFormula}}?\\\]|\$\$[^]{1,${longestFormula}}?\$\$)[ \t]*(?:\n|$)`,
  ),
  inline: new RegExp(
    String.raw`^(?:\\\([^]{1,${longestFormula}}?\\\)|\\\[[^]{1,${longestFormula}}?\\\]|\$\$[^]{1,${longestFormula}}?\$\$|\$(?![\s$])[^$\n]{0,400}?[^$\s\\]\$(?!\d))`,
  ),
};
/** LaTeX is shown as its source: its marks are none of Markdown's. */
const options = new Marked({ extensions: [formula("block"), formula("inline")] }).defaults;

function formula(level: "block" | "inline"): TokenizerExtension {
  return {
    name: `${level}Formula`,
    level,
    start: (text) => (level === "inline" ? text.search(/\$|\\[([]/) : undefined),
    tokenizer: (text) => {
      const raw = formulas[level].exec(text)?.[0];
      return raw === undefined ? undefined : { type: "formula", raw };
    },
  };
}

/** The blocks of a text; what would take too long, or makes too many blocks, is plain text. */
export function blocksOf(text: string): readonly Token[] {
  const plain = (rest: string): Token => ({ type: "plain", raw: rest });
  if (nested.test(text)) return [plain(text)];
  const lines = text.split(/\r\n?|\n/);
  const later = lines.slice(mostLines);
  try {
    const all = tokensOf(lines.slice(0, mostLines).join("\n"));
    const tokens = all.filter((token) => token.type !== "space" && token.type !== "def");
    const rest = [...tokens.slice(mostBlocks).map((token) => token.raw), ...later];
    return rest.length === 0 ? tokens : [...tokens.slice(0, mostBlocks), plain(rest.join("\n"))];
  } catch {
    return [plain(text)];
  }
}

/** Blocks, and what is in each paragraph; a paragraph that would take too long is one piece of text. */
function tokensOf(text: string): readonly Token[] {
  const lexer = new Lexer(options);
  const blocks = lexer.blockTokens(text, []);
  let left = mostCompared;
  for (const { src, tokens } of lexer.inlineQueue) {
    const compared = (src.match(marks)?.length ?? 0) * src.length;
    if (src.length <= longestParagraph && compared <= left) {
      left -= compared;
      lexer.inlineTokens(src, tokens);
    } else tokens.push({ type: "text", raw: src, text: src });
  }
  return blocks;
}
