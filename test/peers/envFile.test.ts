import { strict as assert } from "node:assert";
import { createRequire } from "node:module";
import { join } from "node:path";
import { oddLines } from "../../src/editor/workspaceGraphs/envFile.ts";
import { Random } from "../support/random.ts";
import { installPeer } from "./install.ts";

/** What files are put together of. */
const pieces = [
  ...["A", "B_1", "=", "=", ":", ": ", " ", "\t", '"', "'", "`", "#", "\\", "x", "y=z", "é"],
  ...["export ", "export", "\uFEFF", "$", "-", ".", "\\n", '\\"'],
];

describe("The env file of a workspace's graphs", () => {
  let parse: (text: Buffer) => Readonly<Record<string, string>>;

  before(async function () {
    this.timeout(300_000);
    await installPeer();
    const home = join(import.meta.dirname, "langgraph/node_modules/@langchain/langgraph-cli/package.json");
    ({ parse } = createRequire(home)("dotenv") as { readonly parse: typeof parse });
  });

  const names = (text: string): readonly string[] => Object.keys(parse(Buffer.from(text)));
  const ignored = (text: string): readonly number[] =>
    oddLines(text)
      .filter(({ message }) => message.includes("is ignored"))
      .map(({ line }) => line);

  it("has exactly those lines marked that the command line ignores", () => {
    const lines = ["A=1", "export B=2", "D=a=b==", "E=", "F: 1", 'G="x"', "H-1.b = y # z"];
    const wrong = ["I", "J:1", "=x", '"K"=1', "export L", "M N=1", "é=1"];
    for (const [begin, end] of [
      ["", "\n"],
      ["\uFEFF", "\r\n"],
      ["", "\r"],
    ] as const) {
      const text = begin + [...lines, ...wrong, ""].join(end);
      assert.deepEqual(names(text), ["A", "B", "D", "E", "F", "G", "H-1.b"]);
      assert.deepEqual(
        ignored(text),
        wrong.map((_, index) => lines.length + index),
      );
    }
  });

  it("has each single line of 50,000 told right, whatever stands in it", () => {
    const random = new Random(17);
    for (let tried = 0; tried < 50_000; tried += 1) {
      const line = Array.from({ length: 1 + random.below(9) }, () => random.pick(pieces)).join("");
      const isEmpty = line.trim() === "" || line.trim().startsWith("#");
      const isIgnored = !isEmpty && names(line).length === 0;
      assert.equal(ignored(line).length > 0, isIgnored, JSON.stringify(line));
    }
  });

  it("never has a value of it said", () => {
    const text = 'A=sk-secret-1\nsk-secret-2\nB C=sk-secret-3\nD="sk-secret-4\nE: sk-secret-5\nF:sk-secret-6';
    assert.doesNotMatch(JSON.stringify(oddLines(text)), /secret/);
  });
});
