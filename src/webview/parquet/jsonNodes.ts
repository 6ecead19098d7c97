/** A JSON value as the lines of a tree: only what is unfolded, and of long lists only a part at a time. */

import type { Json } from "../../run/panel/messages.ts";
import { plural } from "../kit/measures.ts";

/** One line of the tree. */
export interface JsonNode {
  /** The way from the root, as JSON Pointer; of a line that shows more, of what it belongs to and `#more`. */
  readonly id: string;
  readonly parent: string | undefined;
  /** Counts from 1. */
  readonly level: number;
  readonly name: string;
  /** The value on one line, or how much is inside. */
  readonly text: string;
  readonly kind: "object" | "list" | "string" | "number" | "word" | "more";
  /** Undefined when there is nothing to unfold. */
  readonly open: boolean | undefined;
}

/** How many members of an object or list are shown until more are asked for. */
const portion = 200;

/** The lines from the top; `open` has the unfolded ids, `portions` how often more was asked for. */
export function jsonNodes(
  value: Json,
  open: ReadonlySet<string>,
  portions: ReadonlyMap<string, number>,
): readonly JsonNode[] {
  const nodes: JsonNode[] = [];
  const visit = (
    child: Json | undefined,
    id: string,
    name: string,
    parent: string | undefined,
    level: number,
  ): void => {
    const inner = membersOf(child);
    const isOpen = inner.length === 0 ? undefined : open.has(id);
    nodes.push({ id, parent, level, name, open: isOpen, ...wordsOf(child, inner.length) });
    if (isOpen !== true) return;
    const shown = portion * (1 + (portions.get(id) ?? 0));
    for (const [key, member] of inner.slice(0, shown)) {
      visit(member, `${id}/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`, key, id, level + 1);
    }
    const left = inner.length - shown;
    if (left <= 0) return;
    const text = `Show ${String(Math.min(left, portion))} more of ${String(left)}`;
    nodes.push({
      id: `${id}#more`,
      parent: id,
      level: level + 1,
      name: "",
      text,
      kind: "more",
      open: undefined,
    });
  };
  visit(value, "", "", undefined, 1);
  return nodes;
}

function membersOf(value: Json | undefined): readonly (readonly [string, Json | undefined])[] {
  return typeof value === "object" && value !== null ? Object.entries(value) : [];
}

function wordsOf(value: Json | undefined, inside: number): Pick<JsonNode, "text" | "kind"> {
  if (typeof value === "string") return { kind: "string", text: value };
  if (typeof value === "number") return { kind: "number", text: String(value) };
  if (typeof value !== "object" || value === null) return { kind: "word", text: String(value) };
  if (Array.isArray(value)) return { kind: "list", text: `[${plural(inside, "item")}]` };
  return { kind: "object", text: `{${plural(inside, "member")}}` };
}
