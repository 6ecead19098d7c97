/** Facts about graphs that others published: which nodes they have, how these are given, and at which line each is written. */

import { readFileSync } from "node:fs";
import { join } from "node:path";

/** One node; paths are those of its repository. */
export interface PublicNode {
  readonly repository: string;
  readonly commit: string;
  /** The folder of its `langgraph.json`, "" for the repository itself. */
  readonly project: string;
  readonly graph: string;
  readonly export: string;
  readonly node: string;
  /** "no" where the node is called as the function that it is given. */
  readonly named: "yes" | "no";
  /** The name of what it is given; "" where that is written in place. */
  readonly given: string;
  /** From where that is imported, and by which name if by another one; "" where it is not imported. */
  readonly module: string;
  readonly imported: string;
  /** The file in which it is written, "" for the graph's own. */
  readonly definition: string;
  readonly line: number;
  readonly shape: string;
}

/** The table of facts, taken from the repositories by a plain search for each name, and read by a person where that found several. */
export function publicNodes(): readonly PublicNode[] {
  const file = join(import.meta.dirname, "../fixtures/publicGraphs.tsv");
  const [head = "", ...lines] = readFileSync(file, "utf8").trimEnd().split("\n");
  const names = head.split("\t");
  return lines.map((line) => {
    const cells = line.split("\t");
    const row = Object.fromEntries(names.map((name, index) => [name, cells[index] ?? ""]));
    return { ...(row as unknown as PublicNode), line: Number(row["line"]) };
  });
}
