import * as z from "zod";
import { HttpError } from "../kit/httpError.ts";

/** Where a listing goes on: in the order as it was at `version`, after the item that stood at `key`. */
export interface Cursor {
  readonly version: number;
  readonly key: string;
  readonly id: string;
}

const content = z.tuple([z.string(), z.int().min(0), z.string(), z.string()]);

/** The cursor as clients get it. `listing` says what is listed and how, so that it is good for nothing else. */
export function writeCursor(listing: string, { version, key, id }: Cursor): string {
  return Buffer.from(JSON.stringify([listing, version, key, id])).toString("base64url");
}

/** The cursor that a client gives back. Throws 400 when it was not made for this listing. */
export function readCursor(listing: string, text: string): Cursor {
  const parsed = content.safeParse(parse(Buffer.from(text, "base64url").toString("utf8")));
  if (!parsed.success)
    throw new HttpError(400, "The cursor is not one that was given out.", "invalid_cursor");
  const [madeFor, version, key, id] = parsed.data;
  if (madeFor !== listing) {
    const detail = "The cursor belongs to a listing with other parameters.";
    throw new HttpError(400, detail, "invalid_cursor");
  }
  return { version, key, id };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
