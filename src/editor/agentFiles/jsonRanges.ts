/** Where the values of a JSON text stand, so that a problem can be shown at its place. */

/** Half-open, in characters. */
export interface TextRange {
  readonly start: number;
  readonly end: number;
}

const token = /\s*(?:("(?:[^"\\]|\\.)*")|([{}[\]:,])|([^\s{}[\]:,"]+))/y;

/** The ranges of all values by their paths as `pathKey` writes them. The text must be valid JSON. */
export function jsonRanges(text: string): ReadonlyMap<string, TextRange> {
  const ranges = new Map<string, TextRange>();
  const scan = new RegExp(token);
  const next = (): { readonly text: string; readonly end: number } => {
    const found = scan.exec(text);
    const word = found?.[1] ?? found?.[2] ?? found?.[3] ?? "";
    return { text: word, end: scan.lastIndex };
  };
  const value = (path: readonly (string | number)[]): void => {
    const first = next();
    const start = first.end - first.text.length;
    if (first.text === "{") members(path);
    else if (first.text === "[") items(path);
    ranges.set(pathKey(path), { start, end: scan.lastIndex });
  };
  const members = (path: readonly (string | number)[]): void => {
    for (let name = next(); name.text.startsWith('"'); name = next()) {
      next();
      value([...path, JSON.parse(name.text) as string]);
      if (next().text !== ",") return;
    }
  };
  const items = (path: readonly (string | number)[]): void => {
    for (let index = 0; ; index += 1) {
      const before = scan.lastIndex;
      if (next().text === "]") return;
      scan.lastIndex = before;
      value([...path, index]);
      if (next().text !== ",") return;
    }
  };
  value([]);
  return ranges;
}

/** A path as one text; no two paths have the same. */
export function pathKey(path: readonly (string | number)[]): string {
  return JSON.stringify(path.map(String));
}
