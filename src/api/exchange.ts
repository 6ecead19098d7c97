/** One HTTP request and its answer: redirects, error answers, the record for the log, and a body that is an event stream. */

import { createParser } from "eventsource-parser";
import type { Dispatcher } from "undici";
import { errorOfReply, requestIdOf } from "./errorBody.ts";
import { ApiError, maskUrl } from "./errors.ts";
import { errorOfFailure, SseError } from "./networkFailure.ts";
import { clockBounds, type ClockBounds } from "./serverClocks.ts";
import { withoutSecrets } from "./withoutSecrets.ts";

/** One request and what came of it; holds nothing that authorizes. */
export interface Exchange {
  readonly method: string;
  /** Without query values. */
  readonly url: string;
  readonly status?: number | undefined;
  /** Until the answer's head arrived, or the request failed. */
  readonly ms: number;
  readonly requestId?: string | undefined;
  readonly error?: string | undefined;
  /** Whether it was to change something on the server. */
  readonly changes?: boolean | undefined;
  /** What a 2xx answer tells of the server's clock. */
  readonly clock?: ClockBounds | undefined;
}

/** Header fields by lower-case name; repeated ones are joined. */
export type Headers = Readonly<Record<string, string>>;

/** A request as it goes on the wire. */
export interface Outgoing {
  readonly method: Dispatcher.HttpMethod & string;
  readonly url: URL;
  readonly headers: Headers;
  readonly body?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly headersTimeoutMs: number;
}

/** A 2xx answer whose body is still to be read. */
export interface Answer {
  readonly url: URL;
  readonly status: number;
  readonly headers: Headers;
  readonly body: Dispatcher.ResponseData["body"];
  /** The first of a body that is only wanted as evidence, without what authorized the request. */
  readonly evidence: () => Promise<string>;
}

/** One event; `event` is "message" when the server named none. */
export interface SseEvent {
  readonly id?: string;
  readonly event: string;
  readonly data: string;
}

const mostRedirects = 5;
const evidenceMs = 5000;
const evidenceBytes = 64 * 1024;

/** Sends the request once and resolves with a 2xx answer; anything else is an ApiError. */
export async function exchange(
  dispatcher: Dispatcher,
  outgoing: Outgoing,
  report: ((exchange: Exchange) => void) | undefined,
): Promise<Answer> {
  const [started, sentAt] = [performance.now(), Date.now()];
  const { method, url, signal } = outgoing;
  // Aborted while its headers were built: it is not sent, and not reported.
  if (signal?.aborted === true) throw errorOfFailure(signal.reason, { method, url: url.href, signal });
  const record = (rest: Partial<Exchange>) =>
    report?.({ method, url: maskUrl(url.href), ms: performance.now() - started, ...rest });
  try {
    const answer = await follow(dispatcher, outgoing);
    const clock = clockBounds(answer.headers, { sentAt, receivedAt: Date.now() });
    record({ status: answer.status, requestId: requestIdOf(answer.headers), clock });
    return answer;
  } catch (cause) {
    const error = errorOfFailure(cause, { method, url: url.href, signal });
    record({ status: error.status, requestId: error.requestId, error: error.kind });
    throw error;
  }
}

/**
 * The most bytes that are parsed at once: objects made of a chunk of 64 kB live just long enough for the garbage
 * collector to promote them.
 */
const largestPiece = 16 * 1024;
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

async function follow(dispatcher: Dispatcher, outgoing: Outgoing): Promise<Answer> {
  let url = outgoing.url;
  for (let hops = 0; ; hops++) {
    const data = await dispatcher.request({
      origin: url.origin,
      path: url.pathname + url.search,
      method: outgoing.method,
      headers: outgoing.headers,
      body: outgoing.body ?? null,
      signal: outgoing.signal ?? null,
      headersTimeout: outgoing.headersTimeoutMs,
      bodyTimeout: 0,
    });
    const { body, statusCode: status } = data;
    const evidence = async () => withoutSecrets(await startOf(body), outgoing.headers);
    const answer = { url, status, headers: flat(data.headers), body, evidence };
    if (answer.status >= 200 && answer.status < 300) return answer;
    const target = redirection(answer);
    const facts = { method: outgoing.method, url: url.href, status: answer.status };
    if (target === undefined) {
      throw errorOfReply({ ...facts, headers: answer.headers, text: await evidence() });
    }
    await startOf(body);
    const safe = outgoing.method === "GET" || outgoing.method === "HEAD";
    if (!safe || target.origin !== url.origin || hops === mostRedirects) {
      throw new ApiError("redirected", { ...facts, detail: `redirected to ${maskUrl(target.href)}` });
    }
    url = target;
  }
}

/** The first of a body, however long it is or takes. */
async function startOf(body: Answer["body"]): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  const timer = setTimeout(() => body.destroy(), evidenceMs);
  try {
    for await (const chunk of body as AsyncIterable<Uint8Array>) {
      chunks.push(chunk);
      size += chunk.length;
      if (size >= evidenceBytes) break;
    }
  } catch {
    // What arrived before the body broke is evidence enough.
  } finally {
    clearTimeout(timer);
  }
  return Buffer.concat(chunks).toString();
}

function redirection({ status, headers, url }: Answer): URL | undefined {
  const { location } = headers;
  if (![301, 302, 303, 307, 308].includes(status) || location === undefined) return undefined;
  return URL.parse(location, url.href) ?? undefined;
}

function flat(headers: Dispatcher.ResponseData["headers"]): Headers {
  const entries = Object.entries(headers).filter(
    (entry): entry is [string, string | string[]] => entry[1] !== undefined,
  );
  return Object.fromEntries(
    entries.map(([name, value]) => [name, Array.isArray(value) ? value.join(", ") : value]),
  );
}
