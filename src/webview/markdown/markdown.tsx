import { memo } from "preact/compat";
import { useMemo, useState } from "preact/hooks";
import { Lexer, type Token } from "marked";

import { Button } from "../controls/button.tsx";
import { Literal } from "../controls/literal.tsx";
import { size } from "../measures.ts";
import { Block } from "./block.tsx";

const mostFormatted = 40_000;
const mostBlocks = 400;
/** Of a longer paragraph it would take seconds to find out which of its stars belong together. */
const longestParagraph = 5_000;

interface MarkdownProps {
  readonly text: string;
  readonly streaming: boolean;
}

/**
 * An agent's Markdown, built as elements from its tokens: no HTML of the agent is ever parsed, it shows as text.
 * A block is drawn again only when its own text changes; a very long text is formatted up to a point and cut there.
 */
export const Markdown = memo(function Markdown({ text, streaming }: MarkdownProps) {
  const head = text.length > mostFormatted ? text.slice(0, mostFormatted) : text;
  const blocks = useMemo(() => blocksOf(head), [head]);
  return (
    <div class={`markdown${streaming ? " streaming" : ""}`} dir="auto">
      {blocks.map((block, index) => (
        <TopBlock key={index} token={block} />
      ))}
      {head.length < text.length && <Rest text={text.slice(mostFormatted)} streaming={streaming} />}
    </div>
  );
});

const TopBlock = memo(
  ({ token }: { readonly token: Token }) => <Block token={token} depth={0} />,
  (before, after) => before.token.type === after.token.type && before.token.raw === after.token.raw,
);

function Rest({ text, streaming }: MarkdownProps) {
  const [all, setAll] = useState(false);
  return (
    <>
      {(all || streaming) && (
        <p class="plain-text">
          <Literal text={all ? text : text.slice(-2_000)} prose />
        </p>
      )}
      {!all && (
        <Button kind="link" onClick={() => setAll(true)}>
          Show all ({size(text.length)} more, as plain text)
        </Button>
      )}
    </>
  );
}

/** A text that the lexer can't take, or that makes too many blocks, goes on as plain text. */
function blocksOf(text: string): readonly Token[] {
  const plain = (rest: string): Token => ({ type: "plain", raw: rest });
  try {
    const tokens = tokensOf(text).filter((token) => token.type !== "space" && token.type !== "def");
    if (tokens.length <= mostBlocks) return tokens;
    const rest = tokens.slice(mostBlocks).map((token) => token.raw);
    return [...tokens.slice(0, mostBlocks), plain(rest.join("\n"))];
  } catch {
    return [plain(text)];
  }
}

/** Blocks, and what is in each paragraph; a very long paragraph is one piece of text. */
function tokensOf(text: string): readonly Token[] {
  const lexer = new Lexer();
  const blocks = lexer.blockTokens(text.replace(/\r\n?/g, "\n"), []);
  for (const { src, tokens } of lexer.inlineQueue) {
    if (src.length <= longestParagraph) lexer.inlineTokens(src, tokens);
    else tokens.push({ type: "text", raw: src, text: src });
  }
  return blocks;
}
