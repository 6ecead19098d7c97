/** The table page's only door to the extension host, and the little state that the editor keeps for it. */

import type { FromTable, ToTable } from "../../table/messages.ts";
import { isKnownMessage } from "../knownMessage.ts";
import type { Place } from "./geometry.ts";

declare function acquireVsCodeApi(): {
  postMessage(message: FromTable): void;
  getState(): unknown;
  setState(state: Place): void;
};

const api = acquireVsCodeApi();
const known: Readonly<Record<ToTable["type"], true>> = {
  table: true,
  failed: true,
  cells: true,
  cell: true,
  cellFailed: true,
};

/** Sends a wish to the host. */
export function post(wish: FromTable): void {
  api.postMessage(wish);
}

/** Calls `listener` with every message of the host that this page knows. */
export function receive(listener: (message: ToTable) => void): void {
  window.addEventListener("message", ({ data }: MessageEvent<unknown>) => {
    if (isKnownMessage<ToTable>(known, data)) listener(data);
  });
}

/** Remembers the place for as long as the tab exists. */
export function savePlace(place: Place): void {
  api.setState(place);
}

/** The place that was remembered before the page was hidden or moved. */
export function loadPlace(): Place | undefined {
  const state = api.getState();
  if (typeof state !== "object" || state === null || !("row" in state) || !("column" in state))
    return undefined;
  const { row, column } = state;
  return typeof row === "number" && typeof column === "number" ? { row, column } : undefined;
}
