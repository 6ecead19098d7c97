/** Requests to one server: authorization, deadlines, repetition, and one kind of error for everything. */

import type { Dispatcher } from "undici";
import { Capabilities } from "./capabilities.ts";
import { detailIn } from "./errorBody.ts";
import { ApiError, maskUrl } from "./errors.ts";
import {
  type Answer,
  exchange,
  type Exchange,
  type Headers,
  parseEvents,
  type SseEvent,
} from "./exchange.ts";
import { errorOfFailure } from "./networkFailure.ts";
import { sleep } from "./poll.ts";
import { growingPause, isTransient } from "./retry.ts";
import { deadlineOf, untilReleased, type HeldUntil } from "./heldServer.ts";
import { parseJson, wholeOf } from "./wholeAnswer.ts";
import type { Turns } from "./turns.ts";

export type { Exchange, Headers } from "./exchange.ts";

/** One server and how to reach it. */
export interface HttpOptions {
  /** Absolute http(s) URL; may carry a path prefix. */
  readonly baseUrl: string;
  readonly dispatcher?: Dispatcher | undefined;
  /** Authorization headers, read anew for each request; sent to no other origin than baseUrl's. */
  readonly headers?: (() => Promise<Headers>) | undefined;
  /** Deadline of a REST call with all its repetitions; 60 s unless given. */
  readonly timeoutMs?: number | undefined;
  /** Called once for each request that was really made, when its answer's head or its failure is known. */
  readonly onExchange?: ((exchange: Exchange) => void) | undefined;
  /** What is known of the server from earlier clients. */
  readonly capabilities?: Capabilities | undefined;
  /** Waited for before each call; it takes no turn, and no time of the call's deadline. */
  readonly heldUntil?: HeldUntil | undefined;
  /** Bounds how many requests are on their way at once; streams and calls without a deadline do not count. */
  readonly turns?: Turns | undefined;
  /** Asked before each call that changes something on the server: what it throws is thrown by the call, which then sends nothing. */
  readonly admit?: ((change: Change) => Promise<void>) | undefined;
}

/** A call that changes something on the server, before it is sent. */
export interface Change {
  readonly method: HttpRequest["method"];
  /** Without query values. */
  readonly url: string;
}

/** What every call of every client takes. */
export interface CallOptions {
  /** Gives the call up. */
  readonly signal?: AbortSignal | undefined;
}

/** Query parameters; undefined ones are left out. */
export type Query = Readonly<Record<string, string | number | boolean | undefined>>;

/** One call, with what makes it special. */
export interface HttpRequest {
  readonly method: "GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Below baseUrl, starting with "/"; built with the tag `path`. */
  readonly path: string;
  readonly query?: Query | undefined;
  /** Sent as JSON. */
  readonly body?: unknown;
  readonly headers?: Headers | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Whether the call may be repeated after a failure; by default GET, HEAD, PUT and DELETE. */
  readonly idempotent?: boolean | undefined;
  /** Whether the call leaves the server as it is, as a search by POST does; by default GET and HEAD do. */
  readonly reads?: boolean | undefined;
  /** 0 for none. */
  readonly timeoutMs?: number | undefined;
  /** What the parsed JSON must satisfy; otherwise the answer is "malformed". */
  readonly accept?: ((value: unknown) => boolean) | undefined;
  /** The most that is read of the answer, in MB; 64 unless given. More is "answerTooLarge". */
  readonly mostMb?: number | undefined;
}

/** A whole 2xx answer. */
export interface HttpReply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** An open event stream. */
export interface EventStream {
  readonly status: number;
  readonly headers: Headers;
  /** One array per chunk of the socket: what arrived together. Leaving the loop ends the request. */
  readonly events: AsyncIterable<readonly SseEvent[]>;
}

type EndOfTurn = () => void;

const restDeadlineMs = 60_000;
const mostMb = 64;
const streamHeadersMs = 300_000;
const mostRepetitions = 3;
const pauses = { firstMs: 400, mostMs: Infinity, random: () => Math.random() };
const longestRetryAfterMs = 30_000;

/** Template tag for request paths: percent-encodes each segment and refuses "", "." and "..". */
export function path(strings: TemplateStringsArray, ...segments: readonly (string | number)[]): string {
  return strings.reduce((built, text, index) => {
    const segment = String(segments[index - 1]);
    if (segment === "" || segment === "." || segment === "..") {
      throw new RangeError(`“${segment}” can't be part of the path ${strings.join("{}")}`);
    }
    return built + encodeURIComponent(segment) + text;
  });
}

/** A client of one base URL; every failure is an ApiError. */
export class Http {
  readonly #options: HttpOptions;
  readonly #base: URL;
  /** What the server was found not to support. */
  readonly capabilities: Capabilities;

  constructor(options: HttpOptions) {
    this.#options = options;
    this.capabilities = options.capabilities ?? new Capabilities();
    this.#base = new URL(options.baseUrl);
  }

  get baseUrl(): string {
    return this.#options.baseUrl;
  }

  /** The answer's JSON; undefined for an empty body. */
  async json<T>(request: HttpRequest): Promise<T> {
    const { status, text } = await this.reply(request);
    const facts = { method: request.method, url: this.#url(request).href, status };
    const value = parseJson(text, facts);
    if (request.accept?.(value) === false) {
      throw new ApiError("malformed", { ...facts, detail: "answered with JSON of an unexpected shape" });
    }
    return value as T;
  }

  /** Status, headers and whole body of a 2xx answer. */
  async reply(request: HttpRequest): Promise<HttpReply> {
    await this.#admitted(request);
    const timeoutMs = request.timeoutMs ?? this.#options.timeoutMs ?? restDeadlineMs;
    // Waiting for the first turn does not count against the deadline.
    let turn: EndOfTurn | undefined = await this.#turn(request, timeoutMs, request.signal);
    const deadline = timeoutMs > 0 ? deadlineOf(timeoutMs, this.#options.heldUntil) : undefined;
    return this.#repeat(request, deadline, async (signal) => {
      turn ??= await this.#turn(request, timeoutMs, signal);
      try {
        return await this.#whole(request, signal);
      } finally {
        turn();
        turn = undefined;
      }
    });
  }

  /** Opens an event stream, which may then be silent for as long as it likes. */
  async stream(request: HttpRequest): Promise<EventStream> {
    await this.#admitted(request);
    const answer = await this.#repeat(request, undefined, (signal) =>
      this.#send(request, "text/event-stream", signal, request.timeoutMs ?? streamHeadersMs),
    );
    const { status, headers } = answer;
    const type = headers["content-type"] ?? "";
    if (!type.includes("text/event-stream")) {
      const said = detailIn(await answer.evidence());
      const detail = `answered with ${type || "no content type"}, not with an event stream`;
      throw new ApiError("notJson", {
        method: request.method,
        url: answer.url.href,
        status,
        detail: said === undefined ? detail : `${detail}: ${said}`,
      });
    }
    return { status, headers, events: eventsOf(answer, request) };
  }

  async #whole(request: HttpRequest, signal: AbortSignal | undefined): Promise<HttpReply> {
    const answer = await this.#send(request, "application/json", signal, 0);
    try {
      const text = await wholeOf(answer, request.method, request.mostMb ?? mostMb);
      return { status: answer.status, headers: answer.headers, text };
    } catch (error) {
      throw errorOfFailure(error, { method: request.method, url: answer.url.href, answered: true, signal });
    }
  }

  /** May ask a person, and may wait for a paused server: neither takes a turn or time of the deadline. */
  async #admitted(request: HttpRequest): Promise<void> {
    const { admit, heldUntil } = this.#options;
    const { method, signal } = request;
    const url = this.#url(request).href;
    if (!isRead(request)) await admit?.({ method, url: maskUrl(url) });
    await untilReleased(heldUntil, { method, url, signal });
  }

  /** What ends the request's turn; a call that may last as long as it likes has none. */
  async #turn(request: HttpRequest, timeoutMs: number, signal: AbortSignal | undefined): Promise<EndOfTurn> {
    const { turns } = this.#options;
    if (turns === undefined || timeoutMs === 0) return () => undefined;
    try {
      return await turns.take(this.#base.origin, signal);
    } catch (error) {
      throw errorOfFailure(error, { method: request.method, url: this.#url(request).href, signal });
    }
  }

  async #send(
    request: HttpRequest,
    accept: string,
    signal: AbortSignal | undefined,
    headersTimeoutMs: number,
  ): Promise<Answer> {
    const dispatcher = this.#options.dispatcher ?? (await import("./undici.ts")).getGlobalDispatcher();
    const body = request.body === undefined ? undefined : JSON.stringify(request.body);
    const headers = {
      accept,
      "user-agent": "agent-operations",
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      ...(await this.#options.headers?.()),
      ...request.headers,
    };
    const url = this.#url(request);
    const outgoing = { method: request.method, url, headers, body, signal, headersTimeoutMs };
    const { onExchange } = this.#options;
    return exchange(dispatcher, outgoing, (made) => onExchange?.({ ...made, changes: !isRead(request) }));
  }

  #url(request: HttpRequest): URL {
    const url = new URL(this.#base.origin + this.#base.pathname.replace(/\/+$/, "") + request.path);
    for (const [name, value] of Object.entries(request.query ?? {})) {
      if (value !== undefined) url.searchParams.append(name, String(value));
    }
    return url;
  }

  /** Idempotent calls are tried again after transient failures; nothing else ever is. */
  async #repeat<R>(
    request: HttpRequest,
    deadline: AbortSignal | undefined,
    attempt: (signal: AbortSignal | undefined) => Promise<R>,
  ): Promise<R> {
    const signals = [request.signal, deadline].filter((signal) => signal !== undefined);
    const signal = signals.length < 2 ? signals[0] : AbortSignal.any(signals);
    const idempotent = request.idempotent ?? ["GET", "HEAD", "PUT", "DELETE"].includes(request.method);
    for (let repetition = 0; ; repetition++) {
      try {
        return await attempt(signal);
      } catch (error) {
        if (
          !(error instanceof ApiError) ||
          !idempotent ||
          repetition === mostRepetitions ||
          !isWorthRepeating(error)
        )
          throw error;
        const waitMs = error.retryAfterMs ?? growingPause(repetition, pauses);
        if (waitMs > longestRetryAfterMs) throw error;
        await sleep(waitMs, signal).catch(() => {
          throw request.signal?.aborted === true
            ? errorOfFailure(request.signal.reason, {
                method: request.method,
                url: error.url,
                signal: request.signal,
              })
            : error;
        });
      }
    }
  }
}

function isRead({ method, reads = method === "GET" || method === "HEAD" }: HttpRequest): boolean {
  return reads;
}

/** A timeout without an answer and a failing proxy are not worth it: they last longer than a call may take. */
function isWorthRepeating(error: ApiError): boolean {
  const timedOut = error.kind === "timeout" && error.status === undefined;
  return isTransient(error) && !timedOut && error.kind !== "proxy";
}

async function* eventsOf(
  answer: Answer,
  { method, signal }: HttpRequest,
): AsyncIterable<readonly SseEvent[]> {
  try {
    yield* parseEvents(answer.body);
  } catch (error) {
    throw errorOfFailure(error, { method, url: answer.url.href, answered: true, signal });
  }
}
