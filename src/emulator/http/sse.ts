import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import type { LogReader } from "../runtime/logReader.ts";

const usualHeartbeatMs = 15_000;

/** How a stream is sent. */
export interface StreamOptions {
  /** Gives each frame another form; an empty one is left out. */
  readonly view?: (frame: string) => string;
  /** Called if the client disconnected before the end. */
  readonly onClose?: () => void;
  /** After so many milliseconds of silence a comment is sent. */
  readonly heartbeatMs?: number;
}

/**
 * Sends a run's stream to a client as server-sent events, at the client's pace, with a comment now and then while
 * nothing happens.
 */
export function sendEvents(
  response: ServerResponse,
  headers: Record<string, string>,
  reader: LogReader,
  options: StreamOptions = {},
): Response {
  response.writeHead(200, {
    "content-type": "text/event-stream",
    "cache-control": "no-cache, no-transform",
    "x-accel-buffering": "no",
    ...headers,
  });
  response.flushHeaders();
  void pump(response, reader, options).catch((error: unknown) => {
    console.error("A stream was given up:", error);
    response.destroy();
  });
  whenClosed(response, () => {
    reader.leave();
    if (!response.writableFinished) options.onClose?.();
  });
  return RESPONSE_ALREADY_SENT;
}

/** Calls back when the connection is over, also when that happened before anything was answered. */
export function whenClosed(response: ServerResponse, callback: () => void): void {
  if (response.closed) setImmediate(callback);
  else response.once("close", callback);
}

async function pump(response: ServerResponse, reader: LogReader, options: StreamOptions): Promise<void> {
  const { view, heartbeatMs = usualHeartbeatMs } = options;
  const heartbeat = setInterval(() => {
    if (!response.writableNeedDrain) response.write(": heartbeat\n\n");
  }, heartbeatMs);
  try {
    for (;;) {
      const frames = await reader.take();
      if (frames === undefined) break;
      heartbeat.refresh();
      const wanted = view === undefined ? frames : viewed(frames, view);
      if (wanted.length === 0 || response.destroyed) continue;
      if (!response.write(wanted)) await drained(response);
    }
    if (reader.isCut) response.destroy();
    else response.end();
  } finally {
    clearInterval(heartbeat);
    reader.leave();
  }
}

function viewed(frames: Buffer, view: (frame: string) => string): string {
  return frames
    .toString()
    .split(/(?<=\n\n)/)
    .map(view)
    .join("");
}

async function drained(response: ServerResponse): Promise<void> {
  if (response.destroyed) return;
  const stop = new AbortController();
  const options = { signal: stop.signal };
  await Promise.race([once(response, "drain", options), once(response, "close", options)]).finally(() => {
    stop.abort();
  });
}
