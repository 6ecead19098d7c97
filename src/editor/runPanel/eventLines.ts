/** Received events as text to take away: one JSON object per line. */

import type { RunSession } from "../../run/session.ts";

const atOnce = 1000;

/** The events that contain the text, all when it is empty; credentials are masked as in the list. */
export function eventLines(session: Pick<RunSession, "search">, search: string): string {
  const lines: string[] = [];
  for (let offset = 0; ; offset += atOnce) {
    const { total, events } = session.search(search, offset, atOnce);
    for (const { id, event, data, at } of events) {
      lines.push(JSON.stringify({ at: new Date(at).toISOString(), id, event, data: parsed(data) }));
    }
    if (events.length === 0 || offset + atOnce >= total) return lines.map((line) => `${line}\n`).join("");
  }
}

function parsed(data: string): unknown {
  try {
    return JSON.parse(data) as unknown;
  } catch {
    return data;
  }
}
