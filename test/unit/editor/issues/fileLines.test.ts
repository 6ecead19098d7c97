import { deepEqual, equal } from "node:assert/strict";
import { mkdtemp, open, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type FileLine, fileLines } from "../../../../src/editor/issues/fileLines.ts";

/** As much as is read at once. */
const block = 256 * 1024;

describe("The lines of a file", () => {
  let directory: string;

  beforeEach(async () => (directory = await mkdtemp(join(tmpdir(), "file-lines-"))));
  afterEach(() => rm(directory, { recursive: true }));

  const linesOf = async (content: string, from = 0, most = 1024 * 1024): Promise<readonly FileLine[]> => {
    const path = join(directory, "file");
    await writeFile(path, content);
    const file = await open(path, "r");
    try {
      const lines: FileLine[] = [];
      for await (const some of fileLines(file, from, most)) lines.push(...some);
      return lines;
    } finally {
      await file.close();
    }
  };

  it("are counted in bytes with their breaks, and one that is being written is none yet", async () => {
    deepEqual(await linesOf("one\n\nzwölf\nhalf"), [
      { text: "one", bytes: 4 },
      { text: "", bytes: 1 },
      { text: "zwölf", bytes: 7 },
    ]);
    deepEqual(await linesOf(""), []);
  });

  it("are read from a place on", async () => {
    deepEqual(await linesOf("one\ntwo\n", 4), [{ text: "two", bytes: 4 }]);
    deepEqual(await linesOf("one\n", 4), []);
  });

  it("are whole where a block ends within a line, or within a character", async () => {
    const long = `${"a".repeat(block - 1)}ö${"b".repeat(block)}`;
    deepEqual(await linesOf(`${long}\nlast\n`), [
      { text: long, bytes: 2 * block + 2 },
      { text: "last", bytes: 5 },
    ]);
    const exact = "c".repeat(block - 1);
    deepEqual(await linesOf(`${exact}\nlast\n`), [
      { text: exact, bytes: block },
      { text: "last", bytes: 5 },
    ]);
  });

  it("are passed over where they are too long, each by itself and with all its bytes", async () => {
    deepEqual(await linesOf("12345\n123456\n1\n", 0, 5), [
      { text: "12345", bytes: 6 },
      { text: undefined, bytes: 7 },
      { text: "1", bytes: 2 },
    ]);
    const [long, last] = await linesOf(`${"x".repeat(3 * block)}\nlast\n`, 0, block);
    deepEqual(long, { text: undefined, bytes: 3 * block + 1 });
    equal(last?.text, "last");
  });
});
