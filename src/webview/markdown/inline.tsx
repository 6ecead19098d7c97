import type { ComponentChildren } from "preact";
import type { MarkedToken, Token } from "marked";

import { Icon } from "../controls/icon.tsx";
import { Literal } from "../controls/literal.tsx";
import { Link, isExternal } from "./link.tsx";

/** Text with emphasis, code and links; images become links, HTML shows as text. */
export function Inline({ tokens }: { readonly tokens: readonly Token[] }): ComponentChildren {
  return tokens.map((token, index) => <Span key={index} token={token} />);
}

function Span({ token }: { readonly token: Token }): ComponentChildren {
  const known = token as MarkedToken;
  switch (known.type) {
    case "text":
      return known.tokens === undefined ? (
        <Literal text={unescaped(known.text)} prose />
      ) : (
        <Inline tokens={known.tokens} />
      );
    case "escape":
      return <>{known.text}</>;
    case "strong":
      return (
        <strong>
          <Inline tokens={known.tokens} />
        </strong>
      );
    case "em":
      return (
        <em>
          <Inline tokens={known.tokens} />
        </em>
      );
    case "del":
      return (
        <del>
          <Inline tokens={known.tokens} />
        </del>
      );
    case "codespan":
      return (
        <code>
          <Literal text={known.text} />
        </code>
      );
    case "br":
      return <br />;
    case "link":
      return (
        <LinkOrText url={known.href}>
          <Inline tokens={known.tokens} />
        </LinkOrText>
      );
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

/** An address that can't be opened from here is shown behind its text, so that nobody mistakes it for a link. */
function LinkOrText({ url, children }: { readonly url: string; readonly children: ComponentChildren }) {
  if (isExternal(url)) return <Link url={url}>{children}</Link>;
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
