import { hasText, isList, isObject } from "../shape.ts";

/** One page of any list of the control plane. */
export interface Resources<T> {
  readonly resources: readonly T[];
  /** Where to go on, if the server says so. */
  readonly offset?: unknown;
}

/** Whether an answer is a page whose items have ids. */
export function isResources(value: unknown): boolean {
  if (!isObject(value)) return false;
  const { resources } = value;
  return isList(resources) && Array.isArray(resources) && resources.every(hasText("id"));
}

/** The next page's offset, undefined after the last one: a page that is not full. */
export function offsetAfter<T>(page: Resources<T>, offset: number, limit: number): number | undefined {
  const counted = offset + page.resources.length;
  if (page.resources.length < limit) return undefined;
  return typeof page.offset === "number" && page.offset > counted ? page.offset : counted;
}
