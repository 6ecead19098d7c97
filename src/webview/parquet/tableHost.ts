/** The table page's only door to the extension host, and the little state that the editor keeps for it. */

import type { FromTable, ToTable } from "../../table/messages.ts";
import { isKnownMessage } from "../knownMessage.ts";
import type { TableMemory } from "./tableStore.ts";

declare function acquireVsCodeApi(): {
  postMessage(message: FromTable): void;
  getState(): unknown;
  setState(state: TableMemory): void;
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

/** Remembers what a person made of the table for as long as the tab exists. */
export function remember(memory: TableMemory): void {
  api.setState(memory);
}

/** What was remembered before the page was hidden, moved or reloaded. */
export function remembered(): TableMemory | undefined {
  return api.getState() as TableMemory | undefined;
}
