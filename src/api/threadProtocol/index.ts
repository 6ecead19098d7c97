/** A chat backend that speaks the streaming protocol under `/api/threads`; what it does not support is answered by undefined. */

import { saysUnsupported } from "../capabilities.ts";
import { ApiError } from "../errors.ts";
import type { Json, JsonObject, ThreadState } from "../agentServer/wire.ts";
import { type CallOptions, type EventStream, type Http, type HttpRequest, path } from "../http.ts";
import { isList, parseJson } from "../shape.ts";
import { isRecord, readEvents } from "./event.ts";
import { CHANNELS, type ChatThread, type CommandResult, ProtocolError, type ProtocolEvent } from "./wire.ts";

/** Where in a thread's history to go on. */
export interface HistoryPage {
  readonly limit: number;
  /** Only checkpoints before this one. */
  readonly before?: string | undefined;
}

const root = "/api/threads";

/**
 * The client of one backend. Each method throws an ApiError when the request fails, and a ProtocolError when the backend
 * answers an error with the status 200.
 */
export class ThreadProtocol {
  readonly #http: Http;

  constructor(http: Http) {
    this.#http = http;
  }

  /** The checkpointed state; undefined for a thread that the backend does not know. */
  async state(threadId: string, { signal }: CallOptions = {}): Promise<ThreadState | undefined> {
    const request = { method: "GET", path: path`/api/threads/${threadId}/state`, signal } as const;
    try {
      return await this.#json<ThreadState>({ ...request, accept: isState });
    } catch (error) {
      if (isStatus(error, 404)) return undefined;
      throw error;
    }
  }

  /** Makes sure that the thread has a state: reads it, and where there is none begins with no messages. */
  async bootstrap(threadId: string, options: CallOptions = {}): Promise<ThreadState> {
    const known = await this.state(threadId, options);
    if (known !== undefined) return known;
    return this.#json({
      method: "POST",
      path: path`/api/threads/${threadId}/state`,
      body: { values: { messages: [] } },
      signal: options.signal,
      accept: isState,
    });
  }

  /** The threads that the backend knows, newest first; undefined when it has no list, which it is asked for only once. */
  async list({ signal }: CallOptions = {}): Promise<readonly ChatThread[] | undefined> {
    return this.#http.capabilities.tryAsk("list", () =>
      this.#json<readonly ChatThread[]>({ method: "GET", path: root, signal, accept: isThreadList }),
    );
  }

  /** Deletes a thread with its checkpoints; false when the backend can't. Throws an ApiError "notFound" when it is gone. */
  async delete(threadId: string, options: CallOptions = {}): Promise<boolean> {
    const { signal } = options;
    const request = { method: "DELETE", path: path`/api/threads/${threadId}`, signal } as const;
    return (await this.#supported("delete", threadId, options, () => this.#done(request))) !== undefined;
  }

  /** One page of a thread's states, newest first; undefined when the backend keeps no history. Throws an ApiError "notFound" when the thread is gone. */
  async history(
    threadId: string,
    page: HistoryPage,
    options: CallOptions = {},
  ): Promise<readonly ThreadState[] | undefined> {
    return this.#supported("history", threadId, options, () =>
      this.#json<readonly ThreadState[]>({
        method: "POST",
        path: path`/api/threads/${threadId}/history`,
        body: page,
        signal: options.signal,
        idempotent: true,
        reads: true,
        accept: isList,
      }),
    );
  }

  /** Sends a command, once; throws a ProtocolError when the backend refuses it, although its HTTP status is 200. */
  async command(
    threadId: string,
    method: string,
    params: JsonObject,
    { signal }: CallOptions = {},
  ): Promise<CommandResult> {
    const id = ++commands;
    const answer = await this.#http.json<JsonObject | undefined>({
      method: "POST",
      path: path`/api/threads/${threadId}/commands`,
      body: { id, method, params },
      signal,
      accept: (value) => value === undefined || isRecord(value),
    });
    return readAnswer(answer);
  }

  /** Asks to stop a run; false when the backend has no way to, or does not know the run, which may be over by now. */
  async cancel(threadId: string, runId: string, options: CallOptions = {}): Promise<boolean> {
    const request = {
      method: "POST",
      path: path`/api/threads/${threadId}/runs/${runId}/cancel`,
      signal: options.signal,
    } as const;
    try {
      return await this.#done(request);
    } catch (error) {
      if (!saysUnsupported(error)) throw error;
      await this.#exists(threadId, options);
      return false;
    }
  }

  /**
   * A thread's events, those that the backend still has and then live ones, until the loop is left; one array per
   * chunk. `since` leaves out events up to that sequence number.
   */
  async stream(
    threadId: string,
    { signal, since }: CallOptions & { readonly since?: number | undefined } = {},
  ): Promise<AsyncIterable<readonly ProtocolEvent[]>> {
    const body = { channels: CHANNELS, ...(since === undefined || since < 0 ? {} : { since }) };
    const request = { method: "POST", body, signal, reads: true } as const;
    const open = (end: string): Promise<EventStream> =>
      this.#http.stream({ ...request, path: `${path`/api/threads/${threadId}/`}${end}` });
    const { capabilities } = this.#http;
    if (capabilities.isUnsupported(plainStream)) return readEvents((await open("stream/events")).events);
    try {
      return readEvents((await open("stream")).events);
    } catch (error) {
      if (!saysUnsupported(error)) throw error;
      // Agent servers use another path. Where that is unknown, too, the thread itself is unknown.
      const { events } = await open("stream/events");
      capabilities.setUnsupported(plainStream, error);
      return readEvents(events);
    }
  }

  /** Backends answer errors with 200, too: they are recognized by their shape. */
  async #json<T>(request: HttpRequest & { readonly accept: (value: unknown) => boolean }): Promise<T> {
    const accept = (value: unknown): boolean => request.accept(value) || isRefusal(value);
    const answer = await this.#http.json<T>({ ...request, accept });
    if (!request.accept(answer)) throw refusal(answer, request);
    return answer;
  }

  /** For an answer of which only an error counts; most have no body. */
  async #done(request: HttpRequest): Promise<true> {
    const answer = parseJson((await this.#http.reply(request)).text);
    if (isRefusal(answer)) throw refusal(answer, request);
    return true;
  }

  /** Undefined when the endpoint is missing; throws "notFound" for a thread that is itself unknown. */
  async #supported<T>(
    capability: string,
    threadId: string,
    options: CallOptions,
    ask: () => Promise<T>,
  ): Promise<T | undefined> {
    return this.#http.capabilities.tryAsk(capability, ask, () => this.#exists(threadId, options));
  }

  async #exists(threadId: string, options: CallOptions): Promise<void> {
    if ((await this.state(threadId, options)) !== undefined) return;
    const url = path`/api/threads/${threadId}`;
    throw new ApiError("notFound", { method: "GET", url, status: 404, detail: "the thread is not known" });
  }
}

/** The name of the capability to stream by the path that the specification has. */
const plainStream = "stream";

/** How many commands were sent by this window: each has a number of its own. */
let commands = 0;

function isStatus(error: unknown, status: number): boolean {
  return error instanceof ApiError && error.status === status;
}

/** Servers may answer with no body at all; camel case is read, too. */
function readAnswer(answer: JsonObject | undefined): CommandResult {
  if (answer?.["type"] === "error") throw protocolError(answer);
  const result: Json | undefined = answer?.["result"];
  if (!isRecord(result)) return {};
  const runId = result["run_id"] ?? result["runId"];
  return typeof runId === "string" ? { ...result, run_id: runId } : {};
}

function isRefusal(value: unknown): value is JsonObject {
  return isRecord(value) && typeof value["error"] === "string";
}

/** An error code for something missing becomes the ApiError that its status would have become. */
function refusal(answer: unknown, { method, path: url }: HttpRequest): Error {
  const error = protocolError(isRecord(answer) ? answer : {});
  const facts = { method, url, detail: error.message };
  if (error.code === "not_found") return new ApiError("notFound", { ...facts, status: 404 });
  if (error.code === "not_supported") return new ApiError("unsupported", { ...facts, status: 501 });
  return error;
}

function protocolError({ error, message }: JsonObject): ProtocolError {
  const code = typeof error === "string" ? error : "unknown_error";
  return new ProtocolError(code, typeof message === "string" && message !== "" ? message : code);
}

function isState(value: unknown): boolean {
  return isRecord(value) && "values" in value;
}

function isThreadList(value: unknown): boolean {
  return Array.isArray(value) && value.every((one) => isRecord(one) && typeof one["id"] === "string");
}
