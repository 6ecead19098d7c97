/** Makes characters visible that hide or reorder text, so that what a person approves is what they read. */

/** A stretch of text; `hidden` ones stand for one character that would not show. */
export interface TextPart {
  readonly text: string;
  readonly hidden: boolean;
}

const reordering = "\\u202a-\\u202e\\u2066-\\u2069";
const invisible =
  "\\u0000-\\u0008\\u000b\\u000c\\u000e-\\u001f\\u007f-\\u009f\\u00ad\\u061c\\u200b-\\u200f\\u2028\\u2029\\u2060-\\u2064\\ufeff";
const tags = "\\u{e0000}-\\u{e007f}";
const strict = new RegExp(`[${reordering}${invisible}${tags}]`, "u");
const prose = new RegExp(`[${reordering}${tags}]`, "u");

/** Splits `text` at characters that reorder it; with `"all"` also at every other character that doesn't show. */
export function visibleParts(text: string, which: "reordering" | "all"): readonly TextPart[] {
  const pattern = which === "all" ? strict : prose;
  if (!pattern.test(text)) return [{ text, hidden: false }];
  const split = new RegExp(`(${pattern.source})`, "u");
  return text
    .split(split)
    .map((part, index) =>
      index % 2 === 1 ? { text: codePoint(part), hidden: true } : { text: part, hidden: false },
    )
    .filter((part) => part.text !== "");
}

/** The same as one plain string, for labels and tooltips. */
export function visibleText(text: string): string {
  return visibleParts(text, "all")
    .map((part) => part.text)
    .join("");
}

function codePoint(character: string): string {
  return `[U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}]`;
}
