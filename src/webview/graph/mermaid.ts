/** A graph as a Mermaid flowchart, as Markdown files and wikis draw it. */

import type { NodeMark } from "../../run/panel/graphMarks.ts";
import type { AssistantGraph } from "../../run/panel/messages.ts";
import { visibleText } from "../kit/visibleText.ts";
import { isEndNode, nodeIds } from "./layout.ts";
import { factsOf } from "./svg.ts";

/** How the boxes of nodes are drawn, by how the nodes stand. */
const styles: Readonly<Record<NodeMark["status"], string>> = {
  done: "stroke:#1a7f37,stroke-width:2px",
  running: "stroke:#0969da,stroke-width:3px,stroke-dasharray:6 3",
  error: "stroke:#cf222e,stroke-width:3px",
  stopped: "stroke:#9a6700,stroke-width:2px",
  interrupted: "stroke:#9a6700,stroke-width:2px",
  waiting: "stroke:#9a6700,stroke-width:2px",
};

/** The flowchart's text, from top to bottom; ways that are taken under a condition are dotted. */
export function mermaidOf(graph: AssistantGraph, marks: ReadonlyMap<string, NodeMark>): string {
  const ids = nodeIds(graph);
  // Some words can't be the name of a node in a flowchart, "end" for one.
  const names = new Map(ids.map((id, index) => [id, `n${String(index)}`]));
  const name = (id: string): string => names.get(id) ?? "";
  const ran = ids.filter((id) => !isEndNode(id) && marks.has(id));
  const statuses = new Set(ran.flatMap((id) => marks.get(id)?.status ?? []));
  const ways = graph.edges.map(
    ({ source, target, conditional = false }) =>
      `  ${name(source)} ${conditional ? "-.->" : "-->"} ${name(target)}`,
  );
  return [
    "flowchart TD",
    ...ids.map((id) => `  ${name(id)}${boxOf(id, marks.get(id))}`),
    ...new Set(ways),
    ...[...statuses].map((status) => `  classDef ${status} ${styles[status]}`),
    ...ran.map((id) => `  class ${name(id)} ${marks.get(id)?.status ?? ""}`),
    "",
  ].join("\n");
}

function boxOf(id: string, mark: NodeMark | undefined): string {
  if (isEndNode(id)) return `(["${escaped(id.endsWith("__start__") ? "start" : "end")}"])`;
  const facts = factsOf(mark);
  return `["${escaped(id)}${facts === "" ? "" : `<br/>${facts}`}"]`;
}

/** Every character that Mermaid, Markdown or HTML may read as more than itself is written by its number. */
function escaped(text: string): string {
  return visibleText(text.toWellFormed()).replace(
    /[^\p{L}\p{N} ._]/gu,
    (character) => `#${String(character.codePointAt(0))};`,
  );
}
