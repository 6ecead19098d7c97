import { strict as assert } from "node:assert";

import { locatedNodes } from "../../../../src/editor/graphSources/findSource.ts";
import { type Files, start, ts } from "./markedSources.ts";

describe("The nodes that are written in sources", () => {
  const placed = async (files: Files) => {
    const read = (file: string) => Promise.resolve(files[file.slice(3)]);
    const nodes = await locatedNodes({ path: "/p/graph.ts", exported: "graph", root: "/p" }, read);
    return nodes.map(({ path, location }) => {
      const text = files[location.path.slice(3)]!;
      return [
        path.join(":"),
        text.slice(location.from, location.to),
        location.body && text.slice(location.body).split("\n")[0],
      ];
    });
  };

  it("are all that are certain, those of subgraphs, too, each with the first thing that it does", async () => {
    const files = {
      ...ts(
        `import { team } from "./team.ts";`,
        "async function plan(s) {",
        "  // Thinks first.",
        "  const steps = 1;",
        "}",
        `${start}.addNode("plan", plan).addNode("team", team)`,
        `  .addNode("short", (s) => s.x)`,
        "  .addNode({ field(s) { return 2; }, empty() {} });",
        "export { graph };",
      ),
      "team.ts": [
        "const write = () => {",
        "  return 3;",
        "};",
        `export const team = new StateGraph(S).addNode("write", write).compile();`,
      ].join("\n"),
    };
    assert.deepEqual(await placed(files), [
      ["field", "field", "return 2; }, empty() {} });"],
      ["empty", "empty", undefined],
      ["short", "(s) => s.x", "s.x)"],
      ["team", "team", undefined],
      ["team:write", "write", "return 3;"],
      ["plan", "plan", "const steps = 1;"],
    ]);
  });

  it("are none that may be elsewhere, too", async () => {
    const twice = `export ${start}.addNode("plan", (s) => s).addNode("plan", (s) => 2).addNode("one", () => 1)`;
    assert.deepEqual(await placed(ts(twice)), [["one", "() => 1", "1)"]]);
    const either = "export const graph = a ? new StateGraph(S).addNode('x', () => 1) : new StateGraph(S);";
    assert.deepEqual(await placed(ts(either)), []);
    assert.deepEqual(await placed({}), []);
  });

  it("end where subgraphs run each other", async () => {
    const nodes = await placed(
      ts(`const graph = new StateGraph(S).addNode("again", (s) => graph.invoke(s));`, "export { graph };"),
    );
    assert.equal(nodes.length, 6);
  });
});
