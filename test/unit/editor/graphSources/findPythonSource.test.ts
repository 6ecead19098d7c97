import { strict as assert } from "node:assert";

import { type Wanted } from "../../../../src/editor/graphSources/findSource.ts";
import { type Files, found, inTeam, marked, plan, py } from "./markedSources.ts";

/** One location, and certainly that. */
const certain: readonly (readonly [shape: string, files: Files, wanted?: Wanted])[] = [
  [
    "a function",
    py(
      "async def plan(s): # here",
      "    return s",
      "builder = StateGraph(S)",
      "builder.add_node('plan', plan)",
      "graph = builder.compile()",
    ),
  ],
  [
    "the function alone",
    py(
      "def plan(s): # here",
      "    return s",
      "builder = StateGraph(S, config_schema=C)",
      "builder.add_node(plan)",
      "graph: Any = builder.compile(name='x')",
    ),
  ],
  [
    "a chain",
    py(
      "def plan(s): # here",
      "    return s",
      "graph = (",
      "    StateGraph(S)",
      "    # first",
      "    .add_node(plan)",
      "    .add_edge('__start__', 'plan')",
      "    .compile()",
      ")",
    ),
  ],
  [
    "by keywords",
    py(
      "def think(s): ... # here",
      "b = StateGraph(S)",
      "b.add_node(node='plan', action=think)",
      "graph = b.compile()",
    ),
  ],
  ["a lambda", py("b = StateGraph(S)", "b.add_node('plan', lambda s: s) # here", "graph = b.compile()")],
  [
    "a sequence",
    py("def plan(s): ... # here", "graph = StateGraph(S).add_sequence([plan, ('b', c)]).compile()"),
  ],
  [
    "a part of a function",
    py(
      "def think(s, m): ... # here",
      "b = StateGraph(S)",
      "b.add_node('plan', functools.partial(think, m=1))",
      "graph = b.compile()",
    ),
  ],
  [
    "a name in a constant",
    py(
      "PLAN = 'plan'",
      "def think(s): ... # here",
      "b = StateGraph(S)",
      "b.add_node(PLAN, think)",
      "graph = b.compile()",
    ),
  ],
  [
    "a name in an enum",
    py(
      "class N(Enum):",
      "    PLAN = 'plan'",
      "def think(s): ... # here",
      "b = StateGraph(S)",
      "b.add_node(N.PLAN.value, think)",
      "graph = b.compile()",
    ),
  ],
  [
    "a method",
    py(
      "class Agent:",
      "    def __init__(self):",
      "        self.b = StateGraph(S)",
      "        self.b.add_node('plan', self.plan)",
      "    def plan(self, s): # here",
      "        return s",
      "    def build(self):",
      "        return self.b.compile()",
      "agent = Agent()",
      "graph = agent.build()",
    ),
  ],
  [
    "a name that is bound again",
    py(
      "def plan(s): # here",
      "    return s",
      "graph = StateGraph(S)",
      "graph.add_node(plan)",
      "graph = graph.compile()",
    ),
  ],
  [
    "a factory",
    py(
      "async def graph(config):",
      "    def plan(s): # here",
      "        return s",
      "    async with tools() as t:",
      "        b = StateGraph(S)",
      "        b.add_node(plan)",
      "        yield b.compile()",
    ),
  ],
  [
    "another file",
    {
      "my_agent/agent.py":
        "from my_agent.utils.nodes import plan\nb = StateGraph(S)\nb.add_node(plan)\ngraph = b.compile()",
      "my_agent/utils/nodes.py": "def plan(s): # here\n    return s",
    },
  ],
  [
    "a file beside it",
    {
      "src/agent/graph.py":
        "from .nodes import (\n  act,\n  think as plan,\n)\nb = StateGraph(S)\nb.add_node('plan', plan)\ngraph = b.compile()",
      "src/agent/nodes.py": "def think(s): # here\n    return s",
    },
  ],
  [
    "a module's function",
    {
      "agent/graph.py":
        "from agent import nodes\nb = StateGraph(S)\nb.add_node('plan', nodes.plan)\ngraph = b.compile()",
      "agent/nodes.py": "def plan(s): # here\n    return s",
    },
  ],
  [
    "a subgraph",
    py(
      "def plan(s): ... # here",
      "t = StateGraph(S)",
      "t.add_node(plan)",
      "team = t.compile()",
      "b = StateGraph(S)",
      "b.add_node('team', team)",
      "graph = b.compile()",
    ),
    inTeam,
  ],
  [
    "tools",
    py("tools = [x]", "b = StateGraph(S)", "b.add_node(ToolNode(tools)) # here", "graph = b.compile()"),
    { node: "tools", within: [] },
  ],
  [
    "an entry point",
    py("@entrypoint(checkpointer=m)", "def graph(s): # here", "    return 1"),
    { node: "graph", within: [] },
  ],
  [
    "a task",
    py(
      "@task",
      "def plan(s): # here",
      "    return 1",
      "@entrypoint()",
      "def graph(s):",
      "    return plan(s).result()",
    ),
  ],
  ["a tool", py("@tool", "def plan(s): # here", "    return 1"), { tool: "plan" }],
  [
    "a tool by its name",
    py("@tool('plan')", "async def think(s): # here", "    return 1", "def plan(): ..."),
    { tool: "plan" },
  ],
];

describe("The source of a node in Python", () => {
  for (const [shape, files, wanted = plan] of certain)
    it(`is found for ${shape}`, async () => {
      assert.deepEqual(await found(files, wanted), { isCertain: true, lines: marked(files) });
    });
});
