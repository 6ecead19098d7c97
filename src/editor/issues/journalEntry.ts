/** What stands in the journal of received events, a JSON object on each line; a line of another shape is no entry. */

import { isEnvelope, type Envelope } from "../../api/issueWebhooks/event.ts";
import { isObject } from "../../api/shape.ts";
import { parseJson } from "../../run/json/json.ts";

/** One line of the file. */
export type JournalEntry =
  | EventEntry
  /** Rows that a person has read. */
  | { readonly kind: "read"; readonly at: string; readonly rows: readonly string[] }
  /** Rows that a person took out. */
  | { readonly kind: "removed"; readonly at: string; readonly rows: readonly string[] }
  /** While it was wanted that some window listens, none did; ISO. */
  | { readonly kind: "gap"; readonly from: string; readonly to: string }
  /** Ids of events that were forgotten, and are still not to be taken twice. */
  | { readonly kind: "seen"; readonly ids: readonly string[] };

/** A delivery as it was received. */
export interface EventEntry {
  readonly kind: "event";
  /** When it arrived, ISO. */
  readonly at: string;
  readonly subscription: string;
  readonly event: Envelope;
}

/** The entry of a line; undefined for one that is torn, of another shape, or nested too deep. */
export function entryOf(line: string): JournalEntry | undefined {
  const value: unknown = parseJson(line);
  return isEntry(value) ? value : undefined;
}

/** The entry as a line, its break included. */
export function lineOf(entry: JournalEntry): string {
  return `${JSON.stringify(entry)}\n`;
}

/** Texts in groups that are short enough for a line each. */
export function inLines(texts: readonly string[]): readonly (readonly string[])[] {
  const groups: string[][] = [];
  let left = 0;
  for (const text of texts) {
    left -= text.length;
    const group = left < 0 ? undefined : groups.at(-1);
    if (group === undefined) {
      left = mostCharacters - text.length;
      groups.push([text]);
    } else group.push(text);
  }
  return groups;
}

const mostCharacters = 256 * 1024;

function isEntry(value: unknown): value is JournalEntry {
  if (!isObject(value)) return false;
  switch (value["kind"]) {
    case "event":
      return isTime(value["at"]) && typeof value["subscription"] === "string" && isEnvelope(value["event"]);
    case "read":
    case "removed":
      return isTime(value["at"]) && isTexts(value["rows"]);
    case "gap":
      return isTime(value["from"]) && isTime(value["to"]);
    case "seen":
      return isTexts(value["ids"]);
    default:
      // A later version of the extension wrote it.
      return false;
  }
}

function isTime(value: unknown): boolean {
  return typeof value === "string" && !Number.isNaN(Date.parse(value));
}

function isTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every((item) => typeof item === "string");
}
