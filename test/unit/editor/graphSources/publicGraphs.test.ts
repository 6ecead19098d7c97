/**
 * Each public graph as a skeleton of its facts: its nodes are given, imported and defined as in its repository, at
 * their lines, in files that are otherwise empty. `npm run bench nodeSources` looks at the repositories themselves.
 */

import { deepEqual, ok } from "node:assert/strict";
import { join } from "node:path/posix";

import { findSource } from "../../../../src/editor/graphSources/findSource.ts";
import { type PublicNode, publicNodes } from "../../../support/publicGraphs.ts";

/** The lines of the files of a graph, by their paths. */
type Files = ReadonlyMap<string, Map<number, string>>;

const root = "/p";

/** What is written at the line of a node. */
function definitionOf({ graph, node, given, imported, shape }: PublicNode): string {
  const name = imported === "" ? given : imported;
  const written: Readonly<Record<string, string>> = {
    def: `def ${name}(state): return state`,
    "async def": `async def ${name}(state): return state`,
    value: `${name} = made_elsewhere()`,
    function: `export function ${name}(state) { return state; }`,
    "async function": `export async function ${name}(state) { return state; }`,
    const: `export const ${name} = async (state) => state;`,
    compiled: `export const ${name} = other.compile();`,
    inline: `builder.addNode("${node}", async (state) => state);`,
  };
  const { [shape]: text } = written;
  const made = graph.endsWith(".py")
    ? `builder.add_node("${node}", ToolNode([]))`
    : `builder.addNode("${node}", new ToolNode([]));`;
  return text ?? made;
}

/** The skeleton of one graph. */
function skeletonOf(nodes: readonly PublicNode[]): Files {
  const [{ graph, export: exported }] = nodes as readonly [PublicNode];
  const isPython = graph.endsWith(".py");
  const files = new Map([[graph, new Map<number, string>()]]);
  for (const one of nodes) {
    const file = one.definition === "" ? graph : one.definition;
    const lines = files.get(file) ?? new Map<number, string>();
    files.set(file, lines);
    lines.set(one.line, definitionOf(one));
  }
  const lines = files.get(graph)!;
  let last = Math.max(1, ...lines.keys());
  const add = (text: string): void => void lines.set((last += 1), text);
  lines.set(1, isPython ? "builder = StateGraph(State)" : "const builder = new StateGraph(State);");
  for (const { given, module, imported } of nodes) {
    if (module === "") continue;
    const what = imported === "" ? given : `${imported} as ${given}`;
    add(isPython ? `from ${module} import ${what}` : `import { ${what} } from "${module}";`);
  }
  for (const { node, named, given } of nodes) {
    if (given === "") continue;
    const name = named === "yes" ? `"${node}", ` : "";
    add(isPython ? `builder.add_node(${name}${given})` : `builder.addNode(${name}${given});`);
  }
  add(isPython ? `${exported} = builder.compile()` : `export const ${exported} = builder.compile();`);
  return files;
}

function textOf(lines: ReadonlyMap<number, string>): string {
  return Array.from({ length: Math.max(...lines.keys()) }, (_, index) => lines.get(index + 1) ?? "").join(
    "\n",
  );
}

describe("The nodes of graphs that others published", () => {
  const graphs = Map.groupBy(publicNodes(), ({ repository, graph, export: exported }) =>
    [repository, graph, exported].join(" "),
  );

  it("are of at least 30 graphs", () => ok(graphs.size >= 30, String(graphs.size)));

  for (const [name, nodes] of graphs)
    it(`have their lines found: ${name}`, async () => {
      const texts = new Map(
        [...skeletonOf(nodes)].map(([path, lines]) => [join(root, path), textOf(lines)] as const),
      );
      const read = (path: string) => Promise.resolve(texts.get(path));
      for (const { project, graph, export: exported, node, definition, line } of nodes) {
        const address = { path: join(root, graph), exported, root: join(root, project) };
        const { isCertain, locations } = await findSource(address, { node, within: [] }, read);
        const found = locations.map(({ path, from }) => {
          return `${path}:${String((texts.get(path) ?? "").slice(0, from).split("\n").length)}`;
        });
        const expected = `${join(root, definition === "" ? graph : definition)}:${String(line)}`;
        deepEqual([isCertain, found], [true, [expected]], node);
      }
    });
});
