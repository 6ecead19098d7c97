import { memo } from "preact/compat";
import { useEffect, useMemo, useReducer } from "preact/hooks";

import type { FileLocation } from "../kit/fileLocations.ts";
import { FileLink, useFileLocations } from "./fileLinks.tsx";
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

const Part = memo(({ part }: { readonly part: CodePart }) => {
  const links = useFileLocations(part.map(({ text }) => text).join(""));
  return (
    <>
      {cutAt(links, part).map(({ location, tokens }, index) =>
        location === undefined ? (
          <Tokens key={index} tokens={tokens} />
        ) : (
          <FileLink key={index} location={location}>
            <Tokens tokens={tokens} />
          </FileLink>
        ),
      )}
    </>
  );
});

function Tokens({ tokens }: { readonly tokens: CodePart }) {
  return tokens.map(({ text, colour }, index) =>
    colour === undefined ? (
      <Literal key={index} text={text} />
    ) : (
      <Literal key={index} class={`code-${colour}`} text={text} />
    ),
  );
}

interface Piece {
  /** Undefined for what stands between the links. */
  readonly location: FileLocation | undefined;
  readonly tokens: CodePart;
}

/** What a path is made of may have several colours: it is one link with all of them. */
function cutAt(links: readonly FileLocation[], part: CodePart): readonly Piece[] {
  if (links.length === 0) return [{ location: undefined, tokens: part }];
  const pieces: Piece[] = [];
  let from = 0;
  for (const location of links) {
    pieces.push({ location: undefined, tokens: tokensIn(part, from, location.from) });
    pieces.push({ location, tokens: tokensIn(part, location.from, location.to) });
    from = location.to;
  }
  return [...pieces, { location: undefined, tokens: tokensIn(part, from, Infinity) }];
}

function tokensIn(part: CodePart, from: number, to: number): CodePart {
  let end = 0;
  return part.flatMap(({ text, colour }) => {
    const start = end;
    end += text.length;
    return start >= to || end <= from
      ? []
      : [{ text: text.slice(Math.max(0, from - start), to - start), colour }];
  });
}

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
