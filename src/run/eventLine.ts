/** A received event as text to take away. */

import { readJson } from "./jsonText.ts";
import type { RawEvent } from "./messages.ts";

/** One line of JSONL; data that is JSON stays as it came, digit by digit. */
export function eventLine({ at, id, event, data }: RawEvent): string {
  const head = { at: new Date(at).toISOString(), ...(id === undefined ? {} : { id }), event };
  // Line breaks in JSON stand between its parts only.
  const value = "value" in readJson(data) ? data.replace(/[\r\n]+/g, " ") : JSON.stringify(data);
  return `${JSON.stringify(head).slice(0, -1)},"data":${value}}`;
}
