/** Finds where a node or a tool of a graph is written, and which nodes are written in a file. */

import { type GraphRoot, Graphs, nameOf, type NodeEntry } from "./graphs.ts";
import type { Expression, Source } from "./source.ts";
import { type ReadSources, type ReadText, Sources } from "./sources.ts";

/** A graph as `langgraph.json` names it: the file with its path, and its export. */
export interface GraphAddress {
  readonly path: string;
  readonly exported: string;
  /** The project's folder: nothing is read outside of it. */
  readonly root: string;
}

/** What is looked for: a node in the subgraphs around it, the outer one first, or a tool. */
export type Wanted =
  | { readonly node: string; readonly within: readonly string[] }
  | { readonly tool: string };

/** A location of a file, as an offset of its text. */
export interface SourceLocation {
  readonly path: string;
  readonly from: number;
  readonly to: number;
  /** Only where it is used is known: what stands there comes from elsewhere, which an editor may know. */
  readonly isUse: boolean;
  /** Where the first thing stands that a function does, in scripts. */
  readonly body?: number | undefined;
}

/** A node whose location is certain. */
export interface LocatedNode {
  /** Its name, after the names of the nodes whose subgraphs it is in, the outer one first. */
  readonly path: readonly string[];
  readonly location: SourceLocation;
}

/** Subgraphs may run each other. */
const deepest = 6;

/** Locations where it may be; certain when there is one, and it is that. */
export interface FoundSource {
  readonly isCertain: boolean;
  readonly locations: readonly SourceLocation[];
}

/** Looks for it; no locations where nobody can tell. Never throws but for what `read` throws. */
export async function findSource(graph: GraphAddress, wanted: Wanted, read: ReadText): Promise<FoundSource> {
  const sources = await Sources.read(graph.path, graph.root, read);
  const main = sources.of(graph.path);
  if (main === undefined) return { isCertain: false, locations: [] };
  if ("tool" in wanted) return toolIn(sources, wanted.tool);
  const graphs = new Graphs(sources);
  let roots = graphs.rootsNamed(main, graph.exported);
  for (const name of wanted.within) {
    const entries = roots.flatMap((root) => graphs.entriesOf(root)).filter((entry) => entry.name === name);
    roots = entries.flatMap((entry) => graphs.rootsWithin(entry.source, entry.value));
  }
  const found = nodeIn(graphs, roots, wanted.node);
  if (found.locations.length > 0) return found;
  const possible = graphs.everyEntry.filter(({ name }) => name === wanted.node || name === undefined);
  return { isCertain: false, locations: distinct(possible.map((entry) => locationOf(graphs, entry))) };
}

/** All nodes of a graph whose location is certain, those of its subgraphs, too. Never throws but for what `read` throws. */
export async function locatedNodes(
  graph: GraphAddress,
  read: ReadText,
  before?: ReadSources,
): Promise<readonly LocatedNode[]> {
  const sources = await Sources.read(graph.path, graph.root, read, before);
  const main = sources.of(graph.path);
  if (main === undefined) return [];
  const graphs = new Graphs(sources);
  const located: LocatedNode[] = [];
  const walk = (roots: readonly GraphRoot[], within: readonly string[]): void => {
    const entries = roots.flatMap((root) => graphs.entriesOf(root));
    for (const name of new Set(entries.flatMap((entry) => entry.name ?? []))) {
      const [path, { isCertain, locations }] = [[...within, name], nodeIn(graphs, roots, name)];
      const [location] = locations;
      if (!isCertain || location === undefined) continue;
      located.push({ path, location });
      const [own] = entries.filter((entry) => entry.name === name);
      if (own !== undefined && path.length < deepest) walk(graphs.rootsWithin(own.source, own.value), path);
    }
  };
  walk(graphs.rootsNamed(main, graph.exported), []);
  return located;
}

/** Where the node of that name was added to one of the graphs. */
function nodeIn(graphs: Graphs, roots: readonly GraphRoot[], node: string): FoundSource {
  const made = roots.filter(({ kind }) => kind === "made");
  const named = roots.flatMap((root) => graphs.entriesOf(root)).filter(({ name }) => name === node);
  const locations = distinct([
    ...named.map((entry) => locationOf(graphs, entry)),
    ...made.map(({ source, from, to }) => ({ path: source.path, from, to, isUse: false })),
  ]);
  return { isCertain: locations.length === 1 && roots.length === 1, locations };
}

function locationOf(graphs: Graphs, { source, value }: NodeEntry): SourceLocation {
  const { source: where, at, value: ran, isOutside = false } = graphs.locate(source, value);
  const body = ran?.kind === "function" ? ran.body : undefined;
  return { path: where.path, from: at.from, to: at.to, isUse: isOutside, body };
}

/** A tool is what is made one by that name, or else a function of that name. */
function toolIn(sources: Sources, tool: string): FoundSource {
  const graphs = new Graphs(sources);
  const made = sources.all.flatMap((source) => [
    ...source.calls.flatMap((call) => {
      if (!/tool|from_?function/i.test(nameOf(call) ?? "") || !isNamed(graphs, source, call.args, tool))
        return [];
      const named = source.declarations.find(({ value }) => value === call);
      return [locationIn(source, named ?? call)];
    }),
    ...source.declarations.flatMap((declaration) => {
      const { name, decorators = [] } = declaration;
      const isTool = decorators.some((one) => {
        const given =
          one.kind === "call" ? one.args.find(({ value }) => value.kind === "text")?.value : undefined;
        return nameOf(one) === "tool" && (given?.kind === "text" ? given.text : name) === tool;
      });
      return isTool ? [locationIn(source, declaration)] : [];
    }),
  ]);
  const locations = distinct(made);
  if (locations.length > 0) return { isCertain: locations.length === 1, locations };
  const functions = sources.all.flatMap((source) =>
    source.declarations
      .filter(({ name, value }) => name === tool && value?.kind === "function")
      .map((declaration) => locationIn(source, declaration)),
  );
  return { isCertain: false, locations: distinct(functions) };
}

function isNamed(
  graphs: Graphs,
  source: Source,
  args: readonly { readonly name?: string; readonly value: Expression }[],
  tool: string,
): boolean {
  return args.some(({ name, value }) => {
    if (value.kind !== "fields") return name === "name" && graphs.textOf(source, value) === tool;
    return value.fields.some(
      (field) => graphs.textOf(source, field.key) === "name" && graphs.textOf(source, field.value) === tool,
    );
  });
}

function locationIn(
  { path }: Source,
  { from, to }: { readonly from: number; readonly to: number },
): SourceLocation {
  return { path, from, to, isUse: false };
}

function distinct(locations: readonly SourceLocation[]): readonly SourceLocation[] {
  return locations.filter(
    (location, index) =>
      locations.findIndex((other) => other.path === location.path && other.from === location.from) === index,
  );
}
