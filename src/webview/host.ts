/** The page's only door: typed messages to and from the extension host, and the little state VS Code keeps. */

import type { FromWebview, ToWebview } from "../run/panel/messages.ts";
import { isKnownMessage } from "./knownMessage.ts";

interface VsCodeApi {
  postMessage(message: unknown): void;
  getState(): unknown;
  setState(state: unknown): void;
}

declare function acquireVsCodeApi(): VsCodeApi;

const api = acquireVsCodeApi();
const known: Readonly<Record<ToWebview["type"], true>> = {
  snapshot: true,
  patch: true,
  state: true,
  rawPage: true,
  refused: true,
  accepted: true,
  focusComposer: true,
  focusLastMessage: true,
};

/** Sends a wish to the host. */
export function post(wish: FromWebview): void {
  api.postMessage(wish);
}

/** Calls `listener` with every message of the host that this page knows, until the returned function is called. */
export function receive(listener: (message: ToWebview) => void): () => void {
  const onMessage = (event: MessageEvent<unknown>) => {
    if (isKnownMessage<ToWebview>(known, event.data)) listener(event.data);
  };
  window.addEventListener("message", onMessage);
  return () => window.removeEventListener("message", onMessage);
}

/** What this page remembered before it was hidden or moved. */
export function loadState(): unknown {
  return api.getState();
}

/** Remembers `state` for as long as the panel's tab exists. */
export function saveState(state: unknown): void {
  api.setState(state);
}
