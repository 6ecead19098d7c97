/** Reads texts as Markdown, in a process of its own. */

import { blocksOf } from "../../src/webview/controls/markdownBlocks.ts";

/** The slowest of some texts. */
export interface Slowest {
  readonly text: string;
  readonly ms: number;
}

export function slowestOf(parts: readonly string[]): Slowest {
  let slowest: Slowest = { text: "", ms: 0 };
  for (const part of parts) {
    for (const [name, text] of Object.entries(textsOf(part))) {
      // Of the processor, since other processes may be busy, too.
      const started = process.cpuUsage();
      blocksOf(text);
      const ms = process.cpuUsage(started).user / 1000;
      if (ms > slowest.ms) slowest = { text: `${JSON.stringify(part)} as ${name}`, ms };
    }
  }
  return slowest;
}

const most = 40_000;

/** Forty thousand characters of it: in paragraphs that are just not too long, in one, in lines, and ever deeper. */
function textsOf(part: string): Readonly<Record<string, string>> {
  const repeated = (unit: string, length: number) =>
    unit.repeat(Math.ceil(length / unit.length)).slice(0, length);
  const deeper = Array.from({ length: 280 }, (_, index) => `${" ".repeat(index)}${part}`).join("\n");
  return {
    "long paragraphs": `${repeated(part, 4990)}\n\n`.repeat(8),
    "short paragraphs": repeated(`${repeated(part, 590)}\n\n`, most),
    "one line": repeated(part, most),
    lines: repeated(`${part}\n`, most),
    "deeper lines": deeper.slice(0, most),
  };
}
