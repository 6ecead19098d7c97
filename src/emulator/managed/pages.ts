import type { SQLInputValue } from "node:sqlite";
import type { Row, Store } from "../store/store.ts";
import * as z from "zod";
import { HttpError } from "../kit/httpError.ts";
import { parseJson } from "../kit/json.ts";

/** What a listing can be sorted by. */
export const sortKeys = ["created_at", "updated_at", "name"] as const;

/** Which page of a listing is wanted. */
export interface PageQuery {
  /** `agents`, or the id of the agent whose threads are listed. */
  readonly owner: string;
  readonly sort_by: (typeof sortKeys)[number];
  readonly sort_order: "asc" | "desc";
  readonly page_size: number;
  readonly cursor?: string | undefined;
  /** What else the cursor is bound to, such as filters. */
  readonly listing: string;
  /** The tables that hold the items as they are; each row belongs to one place. */
  readonly from: string;
  /** The only items that can be on the page, when they are few: then nothing else is looked at. */
  readonly among?: readonly string[] | undefined;
  /** A condition on the items and on `place` (as it was), with its parameters. */
  readonly where: readonly [sql: string, ...parameters: SQLInputValue[]];
}

/** One page, and where the next one begins. */
export interface Page {
  readonly ids: readonly string[];
  readonly next_cursor: string | null;
}

/**
 * One page of the agents or of an agent's threads. A cursor remembers the order as it was for the first page
 * (places are kept by version for a day), so that what is made or changed meanwhile moves nothing: no item is
 * skipped, none comes twice.
 */
export function readPage(store: Store, query: PageQuery): Page {
  const listing = JSON.stringify([query.owner, query.sort_by, query.sort_order, query.listing]);
  const cursor = query.cursor === undefined ? undefined : readCursor(listing, query.cursor);
  const version = cursor?.version ?? newestVersion(store);
  const [order, after] = query.sort_order === "asc" ? ["ASC", ">"] : ["DESC", "<"];
  const key = `place.${sortKeys.find((name) => name === query.sort_by) ?? "updated_at"}`;
  const [where, ...parameters] = query.where;
  const { among } = query;
  const rows = store.all(
    `SELECT ${key} AS place_key, place.item_id AS id
     FROM managed_places AS place ${among === undefined ? "" : "INDEXED BY managed_places_by_item"}
       JOIN ${query.from}
     WHERE ${among === undefined ? "" : "place.item_id IN (SELECT value FROM json_each(?)) AND"} place.owner = ? AND place.seq <= ? AND (place.until IS NULL OR place.until > ?) AND ${where}
       ${cursor === undefined ? "" : `AND (${key}, place.item_id) ${after} (?, ?)`}
     ORDER BY ${key} ${order}, place.item_id ${order} LIMIT ?`,
    ...(among === undefined ? [] : [JSON.stringify(among)]),
    query.owner,
    version,
    version,
    ...parameters,
    ...(cursor === undefined ? [] : [cursor.key, cursor.id]),
    query.page_size + 1,
  );
  const page = rows.slice(0, query.page_size);
  const last = page.at(-1);
  const more = rows.length > page.length && last !== undefined;
  return { ids: page.map(idOf), next_cursor: more ? writeCursor(listing, placeOf(last, version)) : null };
}

function newestVersion(store: Store): number {
  return Number(store.get("SELECT coalesce(max(seq), 0) AS seq FROM managed_places")?.seq);
}

function placeOf(row: Row, version: number): Parameters<typeof writeCursor>[1] {
  return { version, key: String(row.place_key), id: idOf(row) };
}

function idOf(row: Row): string {
  return String(row.id);
}

/** Where a listing goes on: in the order as it was at `version`, after the item that stood at `key`. */
interface Cursor {
  readonly version: number;
  readonly key: string;
  readonly id: string;
}

const content = z.tuple([z.string(), z.int().min(0), z.string(), z.string()]);

/** The cursor as clients get it. `listing` says what is listed and how, so that it is good for nothing else. */
function writeCursor(listing: string, { version, key, id }: Cursor): string {
  return Buffer.from(JSON.stringify([listing, version, key, id])).toString("base64url");
}

/** The cursor that a client gives back. Throws 400 when it was not made for this listing. */
function readCursor(listing: string, text: string): Cursor {
  const parsed = content.safeParse(parseJson(Buffer.from(text, "base64url").toString("utf8")));
  if (!parsed.success)
    throw new HttpError(400, "The cursor is not one that was given out.", "invalid_cursor");
  const [madeFor, version, key, id] = parsed.data;
  if (madeFor !== listing) {
    const detail = "The cursor belongs to a listing with other parameters.";
    throw new HttpError(400, detail, "invalid_cursor");
  }
  return { version, key, id };
}
