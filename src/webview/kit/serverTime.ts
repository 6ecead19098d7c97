/** What the clock of the panel's server says: all that the page shows has its times. */

import type { PanelState } from "../../run/panel/messages.ts";

let ahead = 0;

/** The host told how far that clock is ahead. */
export function setServerTime({ clockAhead = 0 }: Pick<PanelState, "clockAhead">): void {
  ahead = clockAhead;
}

/** Epoch milliseconds. */
export function serverNow(): number {
  return Date.now() + ahead;
}
