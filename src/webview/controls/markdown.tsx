import type { MarkedToken, Token, Tokens } from "marked";
import type { ComponentChildren } from "preact";
import { memo } from "preact/compat";
import { useContext, useMemo, useState } from "preact/hooks";

import { Code } from "./code.tsx";
import { post } from "../kit/host.ts";
import { Button, CopyButton, IconButton } from "./button.tsx";
import { FileLinksContext } from "./fileLinks.tsx";
import { Icon } from "./icon.tsx";
import { Literal } from "./literal.tsx";
import { UncutContext } from "./longText.tsx";
import { blocksOf } from "./markdownBlocks.ts";
import { size } from "../kit/measures.ts";
import { visibleText } from "../kit/visibleText.ts";

const mostFormatted = 40_000;

interface MarkdownProps {
  readonly text: string;
  readonly streaming?: boolean;
}

/**
 * An agent's Markdown, built as elements from its tokens: no HTML of the agent is ever parsed, it shows as text.
 * A block is drawn again only when its own text changes; a very long text is formatted up to a point and cut there.
 */
export const Markdown = memo(function Markdown({ text, streaming = false }: MarkdownProps) {
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

function Rest({ text, streaming }: Required<MarkdownProps>) {
  const [wanted, setWanted] = useState(false);
  const all = useContext(UncutContext) || wanted;
  return (
    <>
      {(all || streaming) && (
        <Literal as="p" class="plain-text" text={all ? text : text.slice(-2_000)} prose files />
      )}
      {!all && (
        <Button kind="link" onClick={() => setWanted(true)}>
          Show All ({size(text.length)} more, as plain text)
        </Button>
      )}
    </>
  );
}

const deepest = 12;

interface TokenProps {
  readonly token: Token;
  readonly depth: number;
}

/** One block of Markdown; a kind it doesn't know, or one nested too deep, shows as its source text. */
function Block({ token, depth }: TokenProps): ComponentChildren {
  if (depth > deepest) return <Plain text={token.raw} />;
  const known = token as MarkedToken;
  switch (known.type) {
    case "heading":
      // The page has its own headings; an agent's are a level of emphasis inside an article.
      return (
        <div
          class={`heading heading-${known.depth}`}
          role="heading"
          aria-level={Math.min(6, known.depth + 3)}
        >
          {inline(known.tokens)}
        </div>
      );
    case "paragraph":
      return <p dir="auto">{inline(known.tokens)}</p>;
    case "text":
      return known.tokens === undefined ? <Literal text={known.text} prose files /> : inline(known.tokens);
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
  return <Literal as="p" class="plain-text" text={text.trim()} files />;
}

function CodeBlock({ text, language }: { readonly text: string; readonly language: string | undefined }) {
  const name = language?.split(/\s/)[0] ?? "";
  return (
    <div class="code-block">
      <div class="code-head">
        <span>{name === "" ? "text" : <Literal text={name} />}</span>
        <span class="code-tools">
          <IconButton
            icon="go-to-file"
            label="Open Code in an Editor"
            onClick={() => post({ type: "openText", text, language: name })}
          />
          <CopyButton label="Copy Code" text={() => text} />
        </span>
      </div>
      <pre tabIndex={0} role="group" aria-label={name === "" ? "Code" : `Code, ${visibleText(name)}`}>
        <code>
          <Code text={text} language={name} />
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
        {inline(cell.tokens)}
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

function inline(tokens: readonly Token[]): ComponentChildren {
  return withWholePaths(tokens).map((token, index) => <Span key={index} token={token} />);
}

const underscored = /^_[^\s]*_$/;
const pathEndsHere = /^[\w.\-/\\]*\.[A-Za-z]\w{0,9}(?::\d|\(\d)/;

/** Underscores within a path with a line are no emphasis: `src/__init__.py:3`. */
function withWholePaths(tokens: readonly Token[]): readonly Token[] {
  const whole = [...tokens];
  for (let index = whole.length - 2; index > 0; index -= 1) {
    const [before, between, after] = whole.slice(index - 1, index + 2) as [Token, Token, Token];
    if (before.type !== "text" || after.type !== "text" || !underscored.test(between.raw)) continue;
    if (!/[\w./\\-]$/.test(before.raw) || !pathEndsHere.test(after.raw)) continue;
    const raw = before.raw + between.raw + after.raw;
    whole.splice(index - 1, 3, { type: "text", raw, text: raw });
    index -= 1;
  }
  return whole;
}

/** Text with emphasis, code and links; images become links, HTML shows as text. */
function Span({ token }: { readonly token: Token }): ComponentChildren {
  const known = token as MarkedToken;
  switch (known.type) {
    case "text":
      return known.tokens === undefined ? (
        <Literal text={unescaped(known.text)} prose files />
      ) : (
        inline(known.tokens)
      );
    case "escape":
      return <>{known.text}</>;
    case "strong":
      return <strong>{inline(known.tokens)}</strong>;
    case "em":
      return <em>{inline(known.tokens)}</em>;
    case "del":
      return <del>{inline(known.tokens)}</del>;
    case "codespan":
      return <Literal as="code" text={known.text} files />;
    case "br":
      return <br />;
    case "link":
      return <LinkOrText url={known.href}>{inline(known.tokens)}</LinkOrText>;
    case "image":
      return (
        <LinkOrText url={known.href}>
          <Icon name="file-media" /> <Literal text={known.text === "" ? known.href : known.text} />
        </LinkOrText>
      );
    case "checkbox":
      return <Icon name={known.checked ? "pass" : "circle-large-outline"} />;
    case "html":
      return /^<br\s*\/?>$/i.test(known.text) ? <br /> : <Literal text={known.text} />;
    default:
      return <Literal text={token.raw} />;
  }
}

/** An address that can't be opened from here is shown after its text, so that nobody mistakes it for a link. */
function LinkOrText({ url, children }: { readonly url: string; readonly children: ComponentChildren }) {
  if (isExternal(url))
    return (
      <FileLinksContext.Provider value={false}>
        <Link url={url}>{children}</Link>
      </FileLinksContext.Provider>
    );
  return (
    <>
      {children}{" "}
      <span class="dead-link">
        (<Literal text={url} />)
      </span>
    </>
  );
}

const reference = /&(?:[a-z][a-z0-9]{1,31}|#\d{1,7}|#x[\da-f]{1,6});/gi;

/** Markdown lets text hold HTML's character references. Only the matched reference itself is parsed. */
function unescaped(text: string): string {
  if (!text.includes("&")) return text;
  return text.replace(
    reference,
    (found) => new DOMParser().parseFromString(found, "text/html").documentElement.textContent,
  );
}

/** Whether the address may be handed to the user's browser or mail program. */
function isExternal(url: string): boolean {
  return /^(?:https?:\/\/|mailto:)/i.test(url) && URL.canParse(url);
}

/**
 * A link of an agent's text: a click asks the host to open it, and its tooltip shows the real address.
 * The event stops here, else the editor's own link handler would open it a second time.
 */
function Link({ url, children }: { readonly url: string; readonly children: ComponentChildren }) {
  const open = (event: MouseEvent) => {
    // A right click is for the menu.
    if (event.button === 2) return;
    event.preventDefault();
    event.stopPropagation();
    post({ type: "openExternal", url });
  };
  return (
    <a href={url} title={visibleText(url)} rel="noreferrer" onClick={open} onAuxClick={open}>
      {children}
    </a>
  );
}
