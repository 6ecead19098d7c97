/** Received events as text to take away. */

import { parseJson } from "../json/json.ts";
import type { RawEvent } from "../panel/messages.ts";
import type { RawPage } from "./rawEvents.ts";

/** How many are read at once. */
const atOnce = 1000;

/** A list of events that can be searched, page by page. */
interface SearchableEvents {
  search(text: string, offset: number, limit: number): RawPage;
}

/** One line of JSONL; data that is JSON stays as it came, digit by digit. */
export function eventLine({ at, id, event, data }: RawEvent): string {
  const head = { at: new Date(at).toISOString(), ...(id === undefined ? {} : { id }), event };
  // Line breaks in JSON stand between its parts only.
  const value = parseJson(data) === undefined ? JSON.stringify(data) : data.replace(/[\r\n]+/g, " ");
  return `${JSON.stringify(head).slice(0, -1)},"data":${value}}`;
}

/** The events that contain the text, all when it is empty, one JSON object per line; credentials are masked as in the list. */
export function eventLines(list: SearchableEvents, search: string): string {
  const lines: string[] = [];
  for (let offset = 0; ; offset += atOnce) {
    const { total, events } = list.search(search, offset, atOnce);
    for (const event of events) lines.push(`${eventLine(event)}\n`);
    if (events.length === 0 || offset + atOnce >= total) return lines.join("");
  }
}
