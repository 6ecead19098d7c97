/** JSON as text of bounded length, without writing all of a large value first. */

import type { Json } from "../../api/agentServer/wire.ts";
import { isList, isObject } from "./json.ts";

const deepest = 12;
const cut = '"…"';

/** How much is shown of a value that may be of any size. */
const longestShown = 4000;

/** The value as JSON text; what does not fit is left out, and "…" stands in its place. */
export function preview(value: Json, longest = longestShown): string {
  return write(value, { left: longest }, 0);
}

function write(value: Json, room: { left: number }, depth: number): string {
  if (room.left <= 0) return cut;
  if (typeof value === "string") {
    const text = value.length <= room.left ? value : `${value.slice(0, Math.max(room.left, 0))}…`;
    return take(JSON.stringify(text), room);
  }
  if (!isObject(value) && !isList(value)) return take(JSON.stringify(value), room);
  const [open, close] = isList(value) ? "[]" : "{}";
  if (depth === deepest) return cut;
  const parts: string[] = [];
  for (const [key, member] of Object.entries(value)) {
    if (member === undefined) continue;
    if (room.left <= 0) {
      parts.push(isList(value) ? cut : `${cut}:${cut}`);
      break;
    }
    const name = isList(value) ? "" : take(`${JSON.stringify(key)}:`, room);
    parts.push(name + write(member, room, depth + 1));
  }
  return take(open ?? "", room) + parts.join(",") + (close ?? "");
}

function take(text: string, room: { left: number }): string {
  room.left -= text.length;
  return text;
}

/** About how long a value is as JSON text; Infinity when it is nested deeper than `levels`. */
export function sizeOf(value: unknown, levels: number): number {
  if (typeof value === "string") return value.length + 2;
  if (typeof value !== "object" || value === null) return 5;
  if (levels === 0) return Infinity;
  let size = 2;
  for (const [key, member] of Object.entries(value)) {
    size += key.length + 4 + sizeOf(member, levels - 1);
    if (size === Infinity) return size;
  }
  return size;
}
