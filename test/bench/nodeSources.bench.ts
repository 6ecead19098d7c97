/**
 * Where the nodes of public graphs are written, found in their repositories as they are. Name a folder in PUBLIC_GRAPHS
 * that has them as OWNER+NAME, at the commits of test/fixtures/publicGraphs.tsv.
 */

import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join, relative } from "node:path";

import { findSource, type SourceLocation } from "../../src/editor/graphSources/findSource.ts";
import { type PublicNode, publicNodes } from "../support/publicGraphs.ts";
import { report } from "./report.ts";

const { PUBLIC_GRAPHS: folder } = process.env;
const read = (path: string): Promise<string | undefined> => readFile(path, "utf8").catch(() => undefined);

/** "right" where the one location is the expected one, "several" where that is offered with others, else "unknown" or "wrong". */
async function verdictOf(
  root: string,
  { project, graph, export: exported, node, definition, line }: PublicNode,
) {
  const address = { path: join(root, graph), exported, root: join(root, project) };
  const { isCertain, locations } = await findSource(address, { node, within: [] }, read);
  const locationText = async ({ path, from }: SourceLocation): Promise<string> => {
    const before = ((await read(path)) ?? "").slice(0, from);
    return `${relative(root, path)}:${String(before.split("\n").length)}`;
  };
  const found = await Promise.all(locations.map(locationText));
  if (found.length === 0) return "unknown";
  if (!found.includes(`${definition === "" ? graph : definition}:${String(line)}`)) return "wrong";
  return isCertain ? "right" : "several";
}

async function measure(within: string): Promise<void> {
  const counts = { right: 0, several: 0, unknown: 0, wrong: 0, missing: 0 };
  const graphs = new Set<string>();
  for (const one of publicNodes()) {
    const root = join(within, one.repository.replace("/", "+"));
    const verdict = existsSync(join(root, one.graph)) ? await verdictOf(root, one) : "missing";
    counts[verdict] += 1;
    if (verdict !== "missing") graphs.add(`${one.repository} ${one.graph} ${one.export}`);
    if (verdict === "wrong") console.log(`wrong: ${one.repository} ${one.graph} ${one.node}`);
  }
  report("Nodes of public graphs, and where they are written", [{ graphs: graphs.size, ...counts }]);
  if (counts.wrong > 0) process.exitCode = 1;
}

if (folder === undefined)
  console.log("\nNodes of public graphs: not looked at, as PUBLIC_GRAPHS names no folder.");
else await measure(folder);
