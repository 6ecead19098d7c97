/** A page's only channel: typed messages to and from the extension host, and the little state that the editor keeps. */

import { useLayoutEffect, useState } from "preact/hooks";

import type { Focus } from "../../run/panel/focus.ts";
import type { FromWebview, ToWebview } from "../../run/panel/messages.ts";

interface HostApi {
  postMessage(message: unknown): void;
  getState(): unknown;
  /** Keeps `state` for as long as the page's tab exists. */
  setState(state: unknown): void;
}

declare function acquireVsCodeApi(): HostApi;

let api: HostApi | undefined;
const known: Readonly<Record<ToWebview["type"], true>> = {
  snapshot: true,
  patch: true,
  state: true,
  agent: true,
  graph: true,
  files: true,
  rawPage: true,
  refused: true,
  accepted: true,
  focusComposer: true,
  fill: true,
  askInput: true,
  follow: true,
  goTo: true,
  search: true,
  timeline: true,
  showGraph: true,
};

/** What puts the focus somewhere: the host is told that it arrived. */
const confirmed: Readonly<Record<Focus["type"], true>> = {
  focusComposer: true,
  fill: true,
  askInput: true,
  goTo: true,
  search: true,
  timeline: true,
  showGraph: true,
};

/** The editor's API for a page, which can be acquired only once. */
export function hostApi(): HostApi {
  api ??= acquireVsCodeApi();
  return api;
}

/** Calls `listener` with every message of a known type, until the returned function is called; others are ignored. */
export function receiveKnown<Message extends { readonly type: string }>(
  types: Readonly<Record<Message["type"], true>>,
  listener: (message: Message) => void,
): () => void {
  const onMessage = ({ data }: MessageEvent<unknown>): void => {
    if (isOneOf(types, data)) listener(data);
  };
  window.addEventListener("message", onMessage);
  return () => window.removeEventListener("message", onMessage);
}

/** Sends a request of the run panel's page to the host. */
export function post(request: FromWebview): void {
  hostApi().postMessage(request);
}

/** Calls `listener` with every message of the run panel's host, until the returned function is called. */
export function receive(listener: (message: ToWebview) => void): () => void {
  return receiveKnown(known, listener);
}

/** Tells the host what arrived, from now on: it sends again what a page got that is gone. */
export function confirmArrivals(): void {
  receiveKnown<Focus>(confirmed, () => post({ type: "arrived" }));
}

/** Receives while the component is on the page; `inputs` are the values that the listener uses. */
export function useReceived(listener: (message: ToWebview) => void, inputs: readonly unknown[]): void {
  useLayoutEffect(() => receive(listener), inputs);
}

/**
 * Whether a request about `subject` was sent and is unanswered, and how to note that it was: the host answers with
 * another value of the subject, or refuses. It keeps a second click from sending twice.
 */
export function useSent(subject: object, request: FromWebview["type"]): readonly [boolean, () => void] {
  const [sent, setSent] = useState<object>();
  useReceived(
    (message) => {
      if (message.type === "refused" && message.request === request) setSent(undefined);
    },
    [request],
  );
  return [sent === subject, () => setSent(subject)];
}

function isOneOf<Message extends { readonly type: string }>(
  types: Readonly<Record<Message["type"], true>>,
  data: unknown,
): data is Message {
  return (
    typeof data === "object" &&
    data !== null &&
    "type" in data &&
    typeof data.type === "string" &&
    Object.hasOwn(types, data.type)
  );
}
