/** Server-sent events: bytes in, events out. */

import { createParser } from "eventsource-parser";

/** One event; `event` is "message" when the server named none. */
export interface SseEvent {
  readonly id?: string;
  readonly event: string;
  readonly data: string;
}

/** The bytes are no event stream; the message is the first line that is none, or what was too large. */
export class SseError extends Error {
  override readonly name = "SseError";
}

/**
 * Bytes that are read at once: what a chunk of 64 kB makes of itself would live just long enough for the collector to
 * take it for something that stays.
 */
const largestPiece = 8 * 1024;
const largestEvent = 256 * 1024 * 1024;

/**
 * Parses a stream of bytes, however it is cut into chunks; one array per piece that completed events.
 * An event without its blank line at the end of the stream is dropped, as the standard says.
 * Throws SseError after the last event when lines were seen that can't be fields of any version.
 */
export async function* parseEvents(chunks: AsyncIterable<Uint8Array>): AsyncIterable<readonly SseEvent[]> {
  const decoder = new TextDecoder();
  let batch: SseEvent[] = [];
  let malformed: string | undefined;
  const parser = createParser({
    maxBufferSize: largestEvent,
    onEvent: ({ id, event = "message", data }) =>
      batch.push(id === undefined ? { event, data } : { id, event, data }),
    onError: (error) => {
      if (error.type === "max-buffer-size-exceeded") throw new SseError(error.message);
      if (error.type === "unknown-field" && !/^[\w-]+$/.test(error.field ?? "")) malformed ??= error.line;
    },
  });
  for await (const chunk of chunks) {
    for (let at = 0; at < chunk.length; at += largestPiece) {
      parser.feed(decoder.decode(chunk.subarray(at, at + largestPiece), { stream: true }));
      if (batch.length === 0) continue;
      const complete = batch;
      batch = [];
      yield complete;
    }
  }
  if (malformed !== undefined) throw new SseError(malformed.slice(0, 200));
}
