/** The lines of a file that may be of any size: read in blocks, and at most one line of them kept. */

import type { FileHandle } from "node:fs/promises";

/** One line that is whole: what comes after the last line break is still being written. */
export interface FileLine {
  /** Undefined for a line that is longer than any may be. */
  readonly text: string | undefined;
  /** With its break. */
  readonly bytes: number;
}

const blockBytes = 256 * 1024;
const lineBreak = 0x0a;

/** The lines from an offset of the file on, those of one block together. */
export async function* fileLines(
  file: FileHandle,
  from: number,
  mostBytes: number,
): AsyncGenerator<readonly FileLine[]> {
  const block = Buffer.alloc(blockBytes);
  let begun: Buffer[] = [];
  let begunBytes = 0;
  for (let at = from; ;) {
    const { bytesRead } = await file.read(block, 0, blockBytes, at);
    if (bytesRead === 0) return;
    at += bytesRead;
    const lines: FileLine[] = [];
    let start = 0;
    for (;;) {
      const end = block.subarray(0, bytesRead).indexOf(lineBreak, start);
      const part = block.subarray(start, end === -1 ? bytesRead : end);
      begunBytes += part.length;
      // A copy, because the block is read into again; none of a line that is too long.
      if (begunBytes <= mostBytes) begun.push(Buffer.from(part));
      else begun = [];
      if (end === -1) break;
      const text = begunBytes <= mostBytes ? Buffer.concat(begun).toString() : undefined;
      lines.push({ text, bytes: begunBytes + 1 });
      [begun, begunBytes, start] = [[], 0, end + 1];
    }
    if (lines.length > 0) yield lines;
  }
}
