import { strict as assert } from "node:assert";

import { findSource, type Wanted } from "../../../../src/editor/graphSources/findSource.ts";
import { type Files, found, inTeam, marked, plan, py, start, ts } from "./markedSources.ts";

/** One location, and certainly that. */
const certain: readonly (readonly [shape: string, files: Files, wanted?: Wanted])[] = [
  [
    "a named function",
    ts("async function plan(s) {} // here", `export ${start}.addNode("plan", plan).compile();`),
  ],
  [
    "a constant function",
    ts("const plan = async (s: S): Promise<S> => s; // here", `export ${start}.addNode('plan', plan)`),
  ],
  [
    "a function in place",
    ts(`export ${start}`, "  .addNode(", "    `plan`,", "    async (s) => s, // here", "  ).compile();"),
  ],
  [
    "a call of its own",
    ts(
      "function other() {}",
      `${start};`,
      `graph.addNode("x", other);`,
      `graph.addNode("plan", (s) => s); // here`,
      "export { graph };",
    ),
  ],
  [
    "fields",
    ts(
      "const act = 1;",
      `export ${start}.addNode({`,
      "  act,",
      "  plan: async () => {}, // here",
      "}).compile()",
    ),
  ],
  ["short fields", ts("function plan() {} // here", `export ${start}.addNode({ plan })`)],
  ["pairs", ts("function plan() {} // here", `export ${start}.addSequence([["plan", plan], ["b", c]])`)],
  [
    "a builder that others are named after",
    ts(
      "function plan() {} // here",
      "const a = new StateGraph<S>(S);",
      `const b = a.addNode("plan", plan);`,
      "b.addEdge(START, 'plan');",
      "const graph = (a as any).compile()!;",
      "export default graph;",
    ),
  ],
  [
    "a function that makes the graph",
    ts(
      "export async function graph(config) {",
      "  const plan = () => 1; // here",
      `  const b = new StateGraph(S).addNode("plan", plan);`,
      "  return b.compile();",
      "}",
    ),
  ],
  [
    "a name in a constant",
    ts(
      "enum Nodes { Plan = 'plan' }",
      "function think() {} // here",
      `export ${start}.addNode(Nodes.Plan, think)`,
    ),
  ],
  [
    "a name in an object",
    ts(
      "const N = { A: 'plan' } as const;",
      "function think() {} // here",
      `export ${start}.addNode(N.A, think)`,
    ),
  ],
  [
    "a method",
    ts(
      "class Agent {",
      "  async plan(s) {} // here",
      "}",
      "const agent = new Agent();",
      `export ${start}.addNode("plan", agent.plan.bind(agent))`,
    ),
  ],
  [
    "a method of its own class",
    ts(
      "class Agent {",
      "  plan = (s) => s; // here",
      "  build() {",
      `    return new StateGraph(S).addNode("plan", this.plan).compile();`,
      "  }",
      "}",
      "const agent = new Agent();",
      "export const graph = agent.build();",
    ),
  ],
  [
    "a builder kept by a class",
    ts(
      "class Agent {",
      "  constructor() {",
      "    this.b = new StateGraph(S);",
      `    this.b.addNode("plan", (s) => s); // here`,
      "  }",
      "  get() { return this.b.compile(); }",
      "}",
      "export const graph = new Agent().get();",
    ),
  ],
  [
    "what a package makes",
    ts("const tools = new ToolNode([]);", `export ${start}`, `  .addNode("plan", new ToolNode([])) // here`),
  ],
  [
    "a made agent",
    ts(
      `import { createReactAgent } from "@langchain/langgraph/prebuilt";`,
      "export const graph = createReactAgent({ llm }); // here",
    ),
  ],
  [
    "an entry point",
    ts("export const graph = entrypoint({ name: 'plan' }, async (s) => { // here", "  return 1;", "});"),
  ],
  [
    "a task",
    ts(
      "const t = task('plan', async (s) => 1); // here",
      "export const graph = entrypoint('main', async (s) => t(s));",
    ),
  ],
  [
    "one of two graphs",
    ts(
      "const a = () => 1; // here",
      "const b = () => 2;",
      `export ${start}.addNode("plan", a).compile();`,
      `export const other = new StateGraph(S).addNode("plan", b).compile();`,
    ),
  ],
  [
    "another file",
    {
      "graph.ts": `import { think as plan } from "./nodes/think.js";\nexport ${start}.addNode("plan", plan)`,
      "nodes/think.ts": "\nexport async function think() {} // here",
    },
  ],
  [
    "a file that passes it on",
    {
      "graph.ts": `import { plan } from "./nodes";\nexport ${start}.addNode("plan", plan)`,
      "nodes/index.ts": `export * from "./plan.js";`,
      "nodes/plan.ts": "const plan = () => 1; // here\nexport { plan };",
    },
  ],
  [
    "a whole module",
    {
      "graph.ts": `import * as nodes from "@/nodes";\nexport ${start}.addNode("plan", nodes.plan)`,
      "src/nodes.ts": "export const plan = () => 1; // here",
    },
  ],
  [
    "a graph of another file",
    {
      "graph.ts": `export { workflow as graph } from "./flow.ts";`,
      "flow.ts": `export const workflow = new StateGraph(S).addNode("plan", () => 1); // here`,
    },
  ],
  [
    "a subgraph",
    ts(
      "const p = () => 1; // here",
      `const team = new StateGraph(S).addNode("plan", p).compile();`,
      "const q = () => 2;",
      `export ${start}.addNode("plan", q).addNode("team", team)`,
    ),
    inTeam,
  ],
  [
    "a subgraph that a node runs",
    ts(
      "const p = () => 1; // here",
      `const team = new StateGraph(S).addNode("plan", p).compile();`,
      "async function act(s) {",
      "  return await team.invoke(s);",
      "}",
      `export ${start}.addNode("team", act)`,
    ),
    inTeam,
  ],
  [
    "a tool",
    ts("const t = tool(async () => 1, { name: 'plan', schema }); // here", `export ${start}`),
    { tool: "plan" },
  ],
];

/** Several or none: nothing is opened unasked. */
const uncertain: readonly (readonly [shape: string, files: Files, wanted?: Wanted])[] = [
  [
    "one of two values",
    ts(
      "const f = () => 1; // here",
      "const a = new StateGraph(S).addNode('plan', f);",
      "const b = new StateGraph(S);",
      "export const graph = dev ? a : b;",
    ),
  ],
  [
    "a graph that a parameter is",
    ts("function fill(b) {", "  b.addNode('plan', () => 1); // here", "}", "export const graph = load();"),
  ],
  [
    "a name that only a run tells",
    ts(
      "const b = new StateGraph(S);",
      "for (const n of names) b.addNode(n, () => 1); // here",
      "export const graph = b.compile();",
    ),
  ],
  [
    "a subgraph that is not known",
    ts("const p = () => 1; // here", `export ${start}.addNode("plan", p).addNode("team", load())`),
    inTeam,
  ],
  [
    "Python: a loop",
    py(
      "b = StateGraph(S)",
      "for n, f in nodes:",
      "    b.add_node(n, lambda s: s) # here",
      "graph = b.compile()",
    ),
  ],
  [
    "a function that may be the tool",
    py("def plan(s): # here", "    return 1", "graph = create_react_agent(m, tools=[plan])"),
    { tool: "plan" },
  ],
  ["a node that nobody added", ts(`export ${start}.addNode("other", f)`)],
  ["no source at all", ts("")],
  ["a name that is made of itself", py("b = b.made()", "graph = b.compile()")],
  ["a broken source", ts("export const graph = new StateGraph(S.addNode('plan', ((( // here")],
];

describe("The source of a node", () => {
  for (const [shape, files, wanted = plan] of certain)
    it(`is found for ${shape}`, async () => {
      const exported = shape.startsWith("a builder that others") ? "default" : "graph";
      assert.deepEqual(await found(files, wanted, exported), { isCertain: true, lines: marked(files) });
    });

  for (const [shape, files, wanted = plan] of uncertain)
    it(`is only offered, or not known, for ${shape}`, async () => {
      assert.deepEqual(await found(files, wanted), { isCertain: false, lines: marked(files) });
    });

  it("is where it is used for what comes from a package, as an editor may know more", async () => {
    const files = ts(`import { plan } from "nodes";`, `export ${start}`, `  .addNode("plan", plan)`);
    assert.deepEqual(await found(files, plan), { isCertain: true, lines: ["graph.ts:3 (its use)"] });
  });

  it("is not looked for outside of the project, nor in sources without end", async () => {
    const asked: string[] = [];
    const read = (path: string) => {
      asked.push(path);
      return Promise.resolve(`import "./${asked.length}.ts"; import "../../etc/passwd.ts";`);
    };
    await findSource({ path: "/p/graph.ts", exported: "graph", root: "/p" }, plan, read);
    assert.ok(asked.length < 200, `${asked.length} files were read`);
    assert.ok(asked.every((path) => path.startsWith("/p/")));
  });
});
