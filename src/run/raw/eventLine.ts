/** A received event as text to take away. */

import { parseJson } from "../json/json.ts";
import type { RawEvent } from "../panel/messages.ts";

/** One line of JSONL; data that is JSON stays as it came, digit by digit. */
export function eventLine({ at, id, event, data }: RawEvent): string {
  const head = { at: new Date(at).toISOString(), ...(id === undefined ? {} : { id }), event };
  // Line breaks in JSON stand between its parts only.
  const value = parseJson(data) === undefined ? JSON.stringify(data) : data.replace(/[\r\n]+/g, " ");
  return `${JSON.stringify(head).slice(0, -1)},"data":${value}}`;
}
