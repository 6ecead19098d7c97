import type { ComponentChildren } from "preact";
import type { MarkedToken, Token, Tokens } from "marked";

import { CopyButton } from "../controls/button.tsx";
import { Icon } from "../controls/icon.tsx";
import { Literal } from "../controls/literal.tsx";
import { visibleText } from "../visibleText.ts";
import { Inline } from "./inline.tsx";

const deepest = 12;

interface TokenProps {
  readonly token: Token;
  readonly depth: number;
}

/** One block of Markdown; a kind it doesn't know, or one nested too deep, shows as its source text. */
export function Block({ token, depth }: TokenProps): ComponentChildren {
  if (depth > deepest) return <Plain text={token.raw} />;
  const known = token as MarkedToken;
  switch (known.type) {
    case "heading":
      return <Heading depth={known.depth} tokens={known.tokens} />;
    case "paragraph":
      return (
        <p dir="auto">
          <Inline tokens={known.tokens} />
        </p>
      );
    case "text":
      return known.tokens === undefined ? (
        <Literal text={known.text} prose />
      ) : (
        <Inline tokens={known.tokens} />
      );
    case "code":
      return <CodeBlock text={known.text} language={known.lang} />;
    case "list":
      return <List token={known} depth={depth} />;
    case "blockquote":
      return (
        <blockquote dir="auto">
          <Blocks tokens={known.tokens} depth={depth + 1} />
        </blockquote>
      );
    case "table":
      return <Table token={known} />;
    case "hr":
      return <hr />;
    case "checkbox":
      return <Icon name={known.checked ? "check" : "circle-large-outline"} />;
    case "space":
    case "def":
      return null;
    default:
      return <Plain text={token.raw} />;
  }
}

function Blocks({ tokens, depth }: { readonly tokens: readonly Token[]; readonly depth: number }) {
  return tokens.map((token, index) => <Block key={index} token={token} depth={depth} />);
}

function Plain({ text }: { readonly text: string }) {
  return (
    <p class="plain-text">
      <Literal text={text.trim()} />
    </p>
  );
}

/** The page has its own headings; an agent's are a level of emphasis inside an article. */
function Heading({ depth, tokens }: { readonly depth: number; readonly tokens: readonly Token[] }) {
  return (
    <div class={`heading heading-${depth}`} role="heading" aria-level={Math.min(6, depth + 3)}>
      <Inline tokens={tokens} />
    </div>
  );
}

function CodeBlock({ text, language }: { readonly text: string; readonly language: string | undefined }) {
  const name = language?.split(/\s/)[0] ?? "";
  return (
    <div class="code-block">
      <div class="code-head">
        <span>{name === "" ? "text" : <Literal text={name} />}</span>
        <CopyButton label="Copy code" text={() => text} />
      </div>
      <pre tabIndex={0} role="group" aria-label={name === "" ? "Code" : `Code, ${visibleText(name)}`}>
        <code>
          <Literal text={text} />
        </code>
      </pre>
    </div>
  );
}

function List({ token, depth }: { readonly token: Tokens.List; readonly depth: number }) {
  const items = token.items.map((item, index) => (
    <li key={index} class={item.task ? "task" : undefined} dir="auto">
      <Blocks tokens={item.tokens} depth={depth + 1} />
    </li>
  ));
  return token.ordered ? <ol start={token.start === "" ? 1 : token.start}>{items}</ol> : <ul>{items}</ul>;
}

function Table({ token }: { readonly token: Tokens.Table }) {
  const cell = (cell: Tokens.TableCell, index: number) => {
    const Tag = cell.header ? "th" : "td";
    return (
      <Tag key={index} class={cell.align === null ? undefined : `align-${cell.align}`} dir="auto">
        <Inline tokens={cell.tokens} />
      </Tag>
    );
  };
  return (
    <div class="table-box" tabIndex={0} role="group" aria-label="Table">
      <table>
        <thead>
          <tr>{token.header.map(cell)}</tr>
        </thead>
        <tbody>
          {token.rows.map((row, index) => (
            <tr key={index}>{row.map(cell)}</tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
