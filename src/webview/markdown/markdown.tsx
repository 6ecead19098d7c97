import { memo } from "preact/compat";
import { useMemo, useState } from "preact/hooks";
import { lexer, type Token } from "marked";

import { Button } from "../controls/button.tsx";
import { Literal } from "../controls/literal.tsx";
import { size } from "../measures.ts";
import { Block } from "./block.tsx";

const mostFormatted = 40_000;
const mostBlocks = 400;

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
    const tokens = lexer(text).filter((token) => token.type !== "space" && token.type !== "def");
    if (tokens.length <= mostBlocks) return tokens;
    const rest = tokens.slice(mostBlocks).map((token) => token.raw);
    return [...tokens.slice(0, mostBlocks), plain(rest.join("\n"))];
  } catch {
    return [plain(text)];
  }
}
