/** Finds the locations in files that a text names by path and line, as compilers, stacks and tracebacks write them. */

/** A location, and which part of the text names it; lines and columns count from 1. */
export interface FileLocation {
  readonly from: number;
  readonly to: number;
  readonly path: string;
  readonly line: number;
  readonly column?: number;
}

/** Further locations of a text, and longer paths, stay text. */
const most = 200;
const longest = 400;

/** What stands after a path: `:12:3`, `(12,3)`, or `", line 12`. */
const afterPath = /:(\d{1,7})(?::(\d{1,7}))?(?!\d)|\((\d{1,7})(?:,(\d{1,7}))?\)|\\?(["']), line (\d{1,7})/g;
/** What may stand in a path that nothing holds together. */
const inPath = /[\p{L}\p{N}_.\-+@~%#$/\\]/u;
const endsLikeFile = /\.[A-Za-z]\w{0,9}$/;
/** What stands before a colon within a path. */
const drive = /(?:^|[^\p{L}\p{N}])(file:\/{2,3}[A-Za-z]|file|[A-Za-z]):$/u;
const isWhole = /^(?:file:\/\/|[A-Za-z]:[\\/]|[\\/])/;

/** Locations in the order of the text. Takes a time that only grows with the text's length. */
export function locationsIn(text: string): readonly FileLocation[] {
  const locations: FileLocation[] = [];
  for (const found of text.matchAll(afterPath)) {
    const { index, 1: line, 2: column, 3: lineIn, 4: columnIn, 5: quote, 6: lineSaid } = found;
    const least = Math.max(locations.at(-1)?.to ?? 0, index - longest);
    const from = quote === undefined ? startOf(text, least, index) : startInQuotes(text, least, index, quote);
    if (from === undefined) continue;
    const [at, across] = [line ?? lineIn ?? lineSaid, column ?? columnIn];
    if (Number(at) === 0) continue;
    locations.push({
      ...{ from, to: index + found[0].length, path: text.slice(from, index), line: Number(at) },
      ...(across !== undefined && { column: Number(across) }),
    });
    if (locations.length === most) break;
  }
  return locations;
}

/** Where the path begins that ends at `end`. */
function startOf(text: string, least: number, end: number): number | undefined {
  if (!endsLikeFile.test(text.slice(Math.max(least, end - 12), end))) return undefined;
  let start = end;
  while (start > least && inPath.test(text.charAt(start - 1))) start -= 1;
  // In the brackets of a stack, a whole path may have spaces.
  const [, bracketed] = /\(([^\n()]+)$/.exec(text.slice(least, end)) ?? [];
  if (bracketed !== undefined && isWhole.test(bracketed)) return end - bracketed.length;
  if (start > least && text.charAt(start - 1) === ":") {
    const before = drive.exec(text.slice(Math.max(least, start - 12), start));
    const rest = text.slice(start, end);
    const [, scheme = ""] = before ?? [];
    if (scheme === "file" ? rest.startsWith("//") : scheme !== "" && /^[\\/]/.test(rest))
      return start - scheme.length - 1;
  }
  // What is left with two of them is an address, or a share on another machine.
  return start === end || /^(?:\/\/|\\\\)/.test(text.slice(start, end)) ? undefined : start;
}

/** Where a path begins that stands in quotes. */
function startInQuotes(text: string, least: number, end: number, quote: string): number | undefined {
  const start = text.slice(least, end).lastIndexOf(quote) + 1;
  const path = text.slice(least + start, end);
  return start === 0 || path.includes("\n") || !endsLikeFile.test(path) ? undefined : least + start;
}
