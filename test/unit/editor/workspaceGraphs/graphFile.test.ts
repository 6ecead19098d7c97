import { strict as assert } from "node:assert";
import { cp, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { oddLines } from "../../../../src/editor/workspaceGraphs/envFile.ts";
import { exportedByPython, exportedByScript } from "../../../../src/editor/workspaceGraphs/exports.ts";
import { readGraphFile } from "../../../../src/editor/workspaceGraphs/graphFile.ts";
import { checkGraphFile } from "../../../../src/editor/workspaceGraphs/graphFileCheck.ts";

const project = join(import.meta.dirname, "../../../support/graphProject");

describe("A graph file", () => {
  it("names its graphs with source and export, also where they have a description", () => {
    const { graphs, runtime, env, problems } = readGraphFile(
      `{ "graphs": { "a": "./a.mts:graph", "b": { "path": "./b.ts:default", "description": "B" } }, "env": ".env" }`,
    );
    assert.deepEqual(
      graphs.map(({ name, file, exported }) => [name, file, exported]),
      [
        ["a", "./a.mts", "graph"],
        ["b", "./b.ts", "default"],
      ],
    );
    assert.deepEqual([runtime, env?.file, problems], ["node", ".env", []]);
  });

  it("is Python's when a graph is a Python file or module", () => {
    const runtimeOf = (source: string) => readGraphFile(`{ "graphs": { "a": "${source}" } }`).runtime;
    assert.deepEqual(["./a.py:graph", "my_agent.graph:make", "./a.ts:graph"].map(runtimeOf), [
      "python",
      "python",
      "node",
    ]);
  });

  for (const [text, message, covered] of [
    ["", /empty/, ""],
    ['{ "graphs": ', /not JSON/, ""],
    ["[]", /object/, "["],
    ['{ "graphs": 7 }', /“graphs” is missing/, "7"],
    ['{ "graphs": {} }', /no graph/, "{}"],
    ['{ "graphs": { "a": "x" } }', /“a” needs a file and an export/, '"x"'],
    ['{ "graphs": { "a": null } }', /“a” needs/, "null"],
    ['{ "graphs": { "a": "./a.ts:" } }', /“a” needs/, '"./a.ts:"'],
  ] as const) {
    it(`that is ${text === "" ? "empty" : text} says what is wrong, and where`, () => {
      const { graphs, problems } = readGraphFile(text);
      assert.deepEqual([graphs, problems.length], [[], 1]);
      const { span, message: said } = problems[0]!;
      assert.match(said, message);
      assert.equal(text.slice(span.offset, span.offset + span.length), covered);
    });
  }

  it("is checked against its folder: sources, exports and the env file", async () => {
    const folder = await mkdtemp(join(tmpdir(), "graph-file-"));
    try {
      await cp(project, folder, { recursive: true, filter: (path) => !path.includes("node_modules") });
      const path = join(folder, "langgraph.json");
      const text = JSON.stringify({
        graphs: {
          fine: "./graphs/planner.mts:graph",
          renamed: "./graphs/planner.mts:grahp",
          gone: "./graphs/gone.mts:graph",
        },
        env: ".env",
      });
      const said = async () => (await checkGraphFile(path, text)).problems.map(({ message }) => message);
      assert.deepEqual(await said(), [
        "./graphs/planner.mts has no export “grahp”.",
        "The file ./graphs/gone.mts of the graph “gone” does not exist.",
        "The env file .env does not exist.",
      ]);
      await writeFile(join(folder, ".env"), "A=1\nsecret-value\n");
      const { env } = await checkGraphFile(path, text);
      assert.deepEqual(env?.odd, [{ line: 1, message: "This line is no NAME=value, and is ignored." }]);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
});

describe("An export", () => {
  const scripts: readonly (readonly [string, string])[] = [
    ["export const graph = 1", "yes"],
    ["export  async function graph() {}", "yes"],
    ["const a = 1; export { a as graph }", "yes"],
    ["export * as graph from './a'", "yes"],
    ["export const graphs = 1", "no"],
    ["// export const graph = 1", "no"],
    ['const text = "// no comment"; export const graph = text', "yes"],
    ["const graph = 1", "no"],
    ["export * from './a'", "unknown"],
    ["module.exports = { graph }", "unknown"],
    ["export const { graph } = make()", "unknown"],
    ["export type { graph } from './a'", "yes"],
  ];
  for (const [source, answer] of scripts)
    it(`"graph" of ${source}: ${answer}`, () => assert.equal(exportedByScript(source, "graph"), answer));

  const modules: readonly (readonly [string, string])[] = [
    ["graph = build()", "yes"],
    ["graph: Graph = build()", "yes"],
    ["async def graph():\n  pass", "yes"],
    ["  graph = build()", "unknown"],
    ["from a import graph", "unknown"],
    ["from a import *", "unknown"],
    ["# graph = 1", "no"],
    ["graphs = 1", "no"],
  ];
  for (const [source, answer] of modules)
    it(`"graph" of the Python ${JSON.stringify(source)}: ${answer}`, () =>
      assert.equal(exportedByPython(source, "graph"), answer));

  it("as default is found", () => {
    assert.equal(exportedByScript("export default graph", "default"), "yes");
    assert.equal(exportedByScript("export { graph as default }", "default"), "yes");
    assert.equal(exportedByScript("export const graph = 1", "default"), "no");
  });
});

describe("An env file", () => {
  it("is read like the command line does: comments, exports, quotes over several lines", () => {
    const text = `# c\n\nA=1\nexport B = two # c\nC: three\nD="one\ntwo"\nE='a\\'b'\nF=\n`;
    assert.deepEqual(oddLines(text), []);
  });

  it("has odd lines told by their number, and never by their value", () => {
    const odd = oddLines('A=1\r\nsk-secret-1\r\nB C=2\r\nD="sk-secret-2\r\n');
    assert.deepEqual(
      odd.map(({ line }) => line),
      [1, 2, 3],
    );
    assert.doesNotMatch(JSON.stringify(odd), /secret/);
  });
});
