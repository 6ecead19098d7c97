import type { Context } from "hono";
import type { Env } from "../../http/env.ts";
import type { JsonObject } from "../../kit/json.ts";

/** Which page of a search was asked for, and which members of its items. */
interface PageOrder {
  readonly offset?: number | null | undefined;
  readonly select?: readonly string[] | null | undefined;
}

/** Answers with a page of a search; its headers hold how many items there are and where the next page begins. */
export function sendPage(
  c: Context<Env>,
  items: readonly JsonObject[],
  { offset, select }: PageOrder,
  total: number,
): Response {
  const next = (offset ?? 0) + items.length;
  c.header("x-pagination-total", String(total));
  if (next < total) c.header("x-pagination-next", String(next));
  if (!select) return c.json(items);
  const selected = (item: JsonObject) => Object.entries(item).filter(([name]) => select.includes(name));
  return c.json(items.map((item) => Object.fromEntries(selected(item))));
}
