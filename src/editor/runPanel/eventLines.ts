/** Received events as text to take away: one JSON object per line. */

import { eventLine } from "../../run/raw/eventLine.ts";
import type { RunSession } from "../../run/session/session.ts";

const atOnce = 1000;

/** The events that contain the text, all when it is empty; credentials are masked as in the list. */
export function eventLines(session: Pick<RunSession, "search">, search: string): string {
  const lines: string[] = [];
  for (let offset = 0; ; offset += atOnce) {
    const { total, events } = session.search(search, offset, atOnce);
    for (const event of events) lines.push(`${eventLine(event)}\n`);
    if (events.length === 0 || offset + atOnce >= total) return lines.join("");
  }
}
