/** Rows of a comparison in words. */

import type { ComparedRow } from "../../run/compare/comparison.ts";
import { duration } from "../kit/measures.ts";
import { unreported } from "../timeline/figures.ts";

/** Tells rows apart. */
export function keyOf({ left, right }: ComparedRow): string {
  return `${left?.id ?? ""} ${right?.id ?? ""}`;
}

/** The node's name, or what stands in a node's place. */
export function nameOf({ kind, name }: ComparedRow): string {
  if (kind === "input") return "Input";
  if (kind === "answer") return "Answer";
  return name === "" ? "a step without a name" : name;
}

/** "messages, state", or which side has it alone; empty where both did the same or may still. */
export function differenceText({ left, right, differs, isDifferent }: ComparedRow): string {
  if (!isDifferent) return "";
  if (left === undefined) return "only right";
  return right === undefined ? "only left" : differs.join(", ");
}

/** How long something took. */
export function timeText({
  tookMs,
  isOn,
}: {
  readonly tookMs: number | undefined;
  readonly isOn: boolean;
}): string {
  if (isOn) return "running";
  return tookMs === undefined ? unreported : duration(tookMs);
}
