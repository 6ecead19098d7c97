/** One page of a listing, in whichever of the forms that servers use: an object with a cursor, or a bare array. */

import { isList, isObject } from "../shape.ts";
import type { JsonObject } from "../agentServer/wire.ts";

/** One page; `next_cursor` is null or absent on the last (docs/interface.md, "Agents page"). */
export interface Page<T> {
  readonly items: readonly T[];
  readonly next_cursor: string | null;
}

const names = ["items", "threads", "agents", "results"];

/** Whether `readPage` can read it. */
export function isPage(value: unknown): boolean {
  return isList(value) || (isObject(value) && names.some((name) => isList(value[name])));
}

/** The page that `isPage` accepted, each item made by `item`. */
export function readPage<T>(value: unknown, item: (wire: JsonObject) => T): Page<T> {
  if (Array.isArray(value)) return { items: (value as JsonObject[]).map(item), next_cursor: null };
  const page = value as Readonly<Record<string, unknown>>;
  const list = names.map((name) => page[name]).find(isList) as readonly JsonObject[];
  const cursor = page["next_cursor"];
  return { items: list.map(item), next_cursor: typeof cursor === "string" && cursor !== "" ? cursor : null };
}

/** Whether the object has a text under one of the names, as what servers call by two names does. */
export function hasId(...ids: readonly string[]): (value: unknown) => boolean {
  return (value) => isObject(value) && ids.some((id) => typeof value[id] === "string");
}

/** The id under the first of the names that holds one; `hasId` accepted the object. */
export function idOf(wire: JsonObject, ...ids: readonly string[]): string {
  return ids.map((id) => wire[id]).find((id) => typeof id === "string") ?? "";
}
