/** A thread's states page by page from the newest to the oldest: each is a whole one, so a page holds as many as fit. */

import type { ThreadState } from "../../api/agentServer/wire.ts";
import { mostNested } from "../json/json.ts";
import { sizeOf } from "../json/preview.ts";

/** In characters of JSON. */
export const pageLength = 2_000_000;
/** However small they are. */
export const mostOnPage = 50;
/** In characters of JSON: of very many small pages, each takes its time. */
const leastCost = 600_000;

/** Some states, the newest first. */
export interface StatePage {
  readonly states: readonly ThreadState[];
  /** In characters of JSON. */
  readonly length: number;
  /** Where older ones are to be read from; undefined when there are none. */
  readonly next: string | undefined;
}

/** Reads at most `limit` states that are older than a checkpoint. */
export type ReadStates = (limit: number, before: string) => Promise<readonly ThreadState[]>;

/** The states before a checkpoint; `stateLength` is how long one is likely to be. */
export async function* pagesBefore(
  checkpointId: string,
  stateLength: number,
  read: ReadStates,
): AsyncIterable<StatePage> {
  let before = checkpointId;
  let expected = Math.max(1, stateLength);
  for (;;) {
    const limit = Math.max(1, Math.min(mostOnPage, Math.floor(pageLength / expected)));
    const states = await read(limit, before);
    const oldest = states.map(checkpointIn).findLast((id) => id !== undefined);
    const next = oldest === before || states.length < limit ? undefined : oldest;
    const length = states.reduce((sum, state) => sum + lengthOf(state), 0);
    yield { states, length, next };
    if (next === undefined) return;
    before = next;
    expected = Math.max(1, length / states.length);
  }
}

/** What a page of that length takes of how much is read at once. */
export function costOf(length: number): number {
  return Math.max(length, leastCost);
}

/** How long a state is, in characters of JSON of its values. */
export function lengthOf({ values }: ThreadState): number {
  const length = sizeOf(values, mostNested);
  return Number.isFinite(length) ? length : pageLength;
}

/** The id of a state's checkpoint; undefined for a state that has none. */
export function checkpointIn(state: ThreadState): string | undefined {
  const id: unknown = state.checkpoint?.checkpoint_id;
  return typeof id === "string" && id !== "" ? id : undefined;
}
