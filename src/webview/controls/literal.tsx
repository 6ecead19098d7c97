import { createElement, type HTMLAttributes } from "preact";

import { visibleParts } from "../kit/visibleText.ts";
import { FileLinks } from "./fileLinks.tsx";

interface LiteralProps extends Pick<HTMLAttributes, "class" | "title" | "dir" | "role"> {
  readonly text: string;
  /** Zero-width characters, which people's own languages and emoji need, stay as they are. */
  readonly prose?: boolean;
  /** Paths with lines lead to the workspace's files. */
  readonly files?: boolean;
  /** The element that has the text; with a class it is a span unless another one is named. */
  readonly as?: "span" | "p" | "h1" | "code";
}

/** Text of an agent shown letter by letter: what hides or reorders it becomes a visible mark. */
export function Literal({ text, prose = false, files = false, as, ...attributes }: LiteralProps) {
  const shown = visibleParts(text, prose ? "reordering" : "all").map((part, index) =>
    part.hidden ? (
      <mark key={index} class="hidden-character" title="A character that hides or reorders text">
        {part.text}
      </mark>
    ) : files ? (
      <FileLinks key={index} text={part.text} />
    ) : (
      part.text
    ),
  );
  const element = as ?? (attributes.class === undefined ? undefined : "span");
  return element === undefined ? <>{shown}</> : createElement(element, attributes, shown);
}
