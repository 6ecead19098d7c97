import { memo } from "preact/compat";
import { useEffect, useMemo, useReducer } from "preact/hooks";

import { Literal } from "./literal.tsx";
import type { CodePart } from "../code/colouredText.ts";
import type * as Languages from "../code/languages.ts";

/** How long a page that is being drawn, or that is idle, may be kept. */
const slice = 4;

let languages: typeof Languages | undefined;
let loading: Promise<void> | undefined;

interface CodeProps {
  readonly text: string;
  /** As people name it: "ts", "python". A text in an unknown language has no colours. */
  readonly language: string;
}

/** Code letter by letter, in the colours of its language as soon as they are known. */
export function Code({ text, language }: CodeProps) {
  return (
    <>
      {usePartsOf(text, language).map((part, index) => (
        <Part key={index} part={part} />
      ))}
    </>
  );
}

const Part = memo(({ part }: { readonly part: CodePart }) => (
  <>
    {part.map(({ text, colour }, index) =>
      colour === undefined ? (
        <Literal key={index} text={text} files />
      ) : (
        <Literal key={index} class={`code-${colour}`} text={text} files />
      ),
    )}
  </>
));

/** The text's parts: the first of them at once, the others when the page has nothing else to do. */
function usePartsOf(text: string, language: string): readonly CodePart[] {
  const [, redraw] = useReducer<number, undefined>((count) => count + 1, 0);
  const coloured = useMemo(() => languages?.colouredText(language), [languages, language]);
  coloured?.take(text);
  const isMore = coloured?.read(until(performance.now() + slice)) === true;
  useEffect(() => {
    if (languages === undefined && language !== "") void load().then(() => redraw(undefined));
  }, [language]);
  useEffect(() => {
    if (!isMore) return;
    const next = requestIdleCallback(() => redraw(undefined));
    return () => cancelIdleCallback(next);
  });
  return coloured?.parts ?? [[{ text, colour: undefined }]];
}

function until(deadline: number): () => boolean {
  return () => performance.now() >= deadline;
}

/** Loads the languages once; without them code is plain, and the next code tries again. */
function load(): Promise<void> {
  loading ??= import("../code/languages.ts").then(
    (loaded) => {
      languages = loaded;
    },
    () => {
      loading = undefined;
    },
  );
  return loading;
}
