/** A graph's drawing as SVG: its parts, which the page draws, too, and the whole as a file of its own. */

import type { NodeMark } from "../../run/panel/graphMarks.ts";
import { count, duration } from "../kit/measures.ts";
import { visibleText } from "../kit/visibleText.ts";
import type { Drawing, PlacedEdge, PlacedNode, Point } from "./layout.ts";

/** A line that bends softly at each of its points. */
export function pathOf([first, ...rest]: readonly Point[]): string {
  const last = rest.at(-1);
  if (first === undefined || last === undefined) return "";
  const bends = rest.slice(0, -1).map((point, index) => {
    const next = rest[index + 1] ?? last;
    const isLast = index === rest.length - 2;
    const end = isLast ? next : { x: (point.x + next.x) / 2, y: (point.y + next.y) / 2 };
    return `Q${numbers(point)} ${numbers(end)}`;
  });
  return `M${numbers(first)} ${bends.length > 0 ? bends.join(" ") : `L${numbers(last)}`}`;
}

function numbers({ x, y }: Point): string {
  return `${x.toFixed(1)},${y.toFixed(1)}`;
}

/** How a node stands, how often and how long it ran: "error · 2× · 1.2 s"; "" for one that did not run. */
export function factsOf(mark: NodeMark | undefined): string {
  if (mark === undefined) return "";
  const { status, times, ms } = mark;
  return [
    status === "done" ? undefined : status,
    times > 1 ? `${count(times)}×` : undefined,
    ms === undefined ? undefined : duration(ms),
  ]
    .filter((fact) => fact !== undefined)
    .join(" · ");
}

/** Whether both ends of a way ran, or are where the graph begins or ends. */
export function isTaken({ source, target }: PlacedEdge, marks: ReadonlyMap<string, NodeMark>): boolean {
  return marks.size > 0 && [source, target].every((end) => end.endsWith("__") || marks.has(end));
}

const [paper, ink, quiet, good, busy, bad, warning] = [
  ...["#ffffff", "#1f2328", "#59636e", "#1a7f37", "#0969da", "#cf222e", "#9a6700"],
] as const;

/** The lines of a node's box, as in the page: by colour, width and dashes. */
const boxes: Readonly<Record<NodeMark["status"] | "idle", readonly [string, number, string?]>> = {
  idle: [quiet, 1],
  done: [good, 2],
  running: [busy, 3, "6 3"],
  error: [bad, 3],
  stopped: [warning, 2],
  interrupted: [warning, 2],
  waiting: [warning, 2],
};

/** The whole drawing on white paper, in colours of its own; it needs no script, style or font from elsewhere. */
export function svgOf(
  { nodes, edges, width, height }: Drawing,
  marks: ReadonlyMap<string, NodeMark>,
): string {
  const [w, h] = [Math.ceil(width), Math.ceil(height)];
  const arrow = `<marker id="arrow" viewBox="0 0 8 8" refX="7" refY="4" markerUnits="userSpaceOnUse" markerWidth="9" markerHeight="9" orient="auto"><path d="M0,0.5 L7,4 L0,7.5" fill="none" stroke="${quiet}"/></marker>`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${w}" height="${h}" viewBox="0 0 ${w} ${h}" font-family="system-ui, sans-serif" font-size="13" text-anchor="middle">`,
    `<defs>${arrow}</defs>`,
    `<rect width="${w}" height="${h}" fill="${paper}"/>`,
    ...edges.map((edge) => wayText(edge, isTaken(edge, marks))),
    ...nodes.map((node) => boxText(node, marks.get(node.id))),
    "</svg>\n",
  ].join("\n");
}

function wayText({ points, conditional }: PlacedEdge, ran: boolean): string {
  const dashes = conditional ? ' stroke-dasharray="4 3"' : "";
  return `<path d="${pathOf(points)}" fill="none" stroke="${quiet}" stroke-width="${ran ? 2 : 1}"${dashes} marker-end="url(#arrow)"/>`;
}

function boxText({ id, x, y, width, height, label, isEnd }: PlacedNode, mark: NodeMark | undefined): string {
  const [colour, line, dashes] = boxes[isEnd ? "idle" : (mark?.status ?? "idle")];
  const facts = isEnd ? "" : factsOf(mark);
  const at = `x="${(x - width / 2).toFixed(1)}" y="${(y - height / 2).toFixed(1)}" width="${width.toFixed(1)}" height="${height}"`;
  const words = (text: string, down: number, fill: string, size = ""): string =>
    `<text x="${x.toFixed(1)}" y="${(y + down).toFixed(1)}" fill="${fill}"${size}>${escaped(text)}</text>`;
  return [
    "<g>",
    ...(isEnd ? [] : [`<title>${escaped(id)}</title>`]),
    `<rect ${at} rx="${isEnd ? 12 : 4}" fill="${paper}" stroke="${colour}" stroke-width="${line}"${dashes === undefined ? "" : ` stroke-dasharray="${dashes}"`}/>`,
    words(label, facts === "" ? 4 : -4, isEnd ? quiet : ink, isEnd ? ' font-size="11"' : ""),
    ...(facts === "" ? [] : [words(facts, 13, quiet, ' font-size="11"')]),
    "</g>",
  ].join("");
}

/** Agents name their nodes: what XML can't have becomes visible, and what it reads as markup is escaped. */
function escaped(text: string): string {
  return visibleText(text.toWellFormed())
    .replace(/[\ufffe\uffff]/g, "\ufffd")
    .replace(/[&<>"']/g, (character) => `&#${String(character.charCodeAt(0))};`);
}
