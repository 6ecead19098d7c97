import { Fragment } from "preact";

import { visibleParts } from "../kit/visibleText.ts";

/** Text of an agent shown letter by letter: what hides or reorders it becomes a visible mark. */
export function Literal({ text, prose = false }: { readonly text: string; readonly prose?: boolean }) {
  const parts = visibleParts(text, prose ? "reordering" : "all");
  if (parts.length === 1 && parts[0]?.hidden === false) return <>{text}</>;
  return (
    <>
      {parts.map((part, index) =>
        part.hidden ? (
          <mark key={index} class="hidden-character" title="A character that hides or reorders text">
            {part.text}
          </mark>
        ) : (
          <Fragment key={index}>{part.text}</Fragment>
        ),
      )}
    </>
  );
}
