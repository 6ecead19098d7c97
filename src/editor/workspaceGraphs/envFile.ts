/** The lines of an env file that the command line ignores. No message has a value of the file in it. */

/** A line that sets nothing. */
export interface OddLine {
  /** From 0. */
  readonly line: number;
  readonly message: string;
}

/** Finds them in the text. */
export function oddLines(text: string): readonly OddLine[] {
  const lines = text.split(/\r\n|\r|\n/);
  const odd: OddLine[] = [];
  for (let line = 0; line < lines.length; line += 1) {
    const trimmed = (lines[line] ?? "").trimStart();
    if (trimmed === "" || trimmed.startsWith("#")) continue;
    const value = /^(?:export\s+)?[\w.-]+(?:\s*=\s*|:\s+)(.*)$/.exec(trimmed)?.[1];
    if (value === undefined) {
      odd.push({ line, message: "This line is no NAME=value, and is ignored." });
      continue;
    }
    const quote = /^["'`]/.exec(value)?.[0];
    if (quote === undefined || isClosed(value.slice(1), quote)) continue;
    // A value between quotes may go on over several lines.
    const end = lines.findIndex((other, index) => index > line && isClosed(other, quote));
    if (end < 0) odd.push({ line, message: `The ${quote} that begins this value is never closed.` });
    else line = end;
  }
  return odd;
}

function isClosed(text: string, quote: string): boolean {
  return text.replaceAll(`\\${quote}`, "").includes(quote);
}
