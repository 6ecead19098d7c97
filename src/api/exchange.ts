/** One HTTP request and its answer's head: redirects, error answers, and the record for the log. */

import type { Dispatcher } from "undici";
import { errorOfReply, requestIdOf } from "./errorBody.ts";
import { ApiError, maskUrl } from "./errors.ts";
import { errorOfFailure } from "./networkFailure.ts";

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

const mostRedirects = 5;
const evidenceMs = 5000;
const evidenceBytes = 64 * 1024;

/** Sends the request once and resolves with a 2xx answer; anything else is an ApiError. */
export async function exchange(
  dispatcher: Dispatcher,
  outgoing: Outgoing,
  report: ((exchange: Exchange) => void) | undefined,
): Promise<Answer> {
  const started = performance.now();
  const { method, url } = outgoing;
  const record = (rest: Partial<Exchange>) =>
    report?.({ method, url: maskUrl(url.href), ms: Math.round(performance.now() - started), ...rest });
  try {
    const answer = await follow(dispatcher, outgoing);
    record({ status: answer.status, requestId: requestIdOf(answer.headers) });
    return answer;
  } catch (cause) {
    const error = errorOfFailure(cause, { method, url: url.href, signal: outgoing.signal });
    record({ status: error.status, requestId: error.requestId, error: error.kind });
    throw error;
  }
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
    const evidence = async () => redact(await startOf(body), outgoing.headers);
    const answer = { url, status, headers: flat(data.headers), body, evidence };
    if (answer.status >= 200 && answer.status < 300) return answer;
    const target = redirection(answer);
    const facts = { method: outgoing.method, url: url.href, status: answer.status };
    if (target === undefined) {
      throw errorOfReply({ ...facts, headers: answer.headers, text: await evidence() });
    }
    await body.dump();
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

const openHeaders = new Set(["accept", "content-type", "user-agent", "last-event-id"]);

/** Some servers repeat a refused key in their answer, with or without the scheme before it. */
function redact(text: string, headers: Headers): string {
  const secrets = Object.entries(headers)
    .filter(([name]) => !openHeaders.has(name.toLowerCase()))
    .flatMap(([, value]) => [value, value.replace(/^\S+ /, "")])
    .filter((value) => value.length >= 8);
  return secrets.reduce((clean, value) => clean.replaceAll(value, "***"), text);
}

function flat(headers: Dispatcher.ResponseData["headers"]): Headers {
  const entries = Object.entries(headers).filter(
    (entry): entry is [string, string | string[]] => entry[1] !== undefined,
  );
  return Object.fromEntries(
    entries.map(([name, value]) => [name, Array.isArray(value) ? value.join(", ") : value]),
  );
}
