/** A client of one agent server (docs/interface.md, "Agent server"): its assistants, and the runs of its threads. */

import { unwrapMessage } from "../errorBody.ts";
import { ApiError } from "../errors.ts";
import type { SseEvent } from "../exchange.ts";
import { type CallOptions, type EventStream, type Http, path } from "../http.ts";
import { hasText, isList, isObject } from "../shape.ts";
import { Assistants } from "./assistants.ts";
import { type Connect, Threads } from "./threads.ts";
import type { Json, Run, RunCreate, RunStatus, ServerInfo } from "./wire.ts";

/** Everything that one agent server offers; each call throws an ApiError when it fails. */
export class AgentServer {
  readonly threads: Threads;
  readonly runs: Runs;
  readonly assistants: Assistants;
  readonly #http: Connect;

  /** A function is called for each request, so that key and address may change. */
  constructor(http: Http | Connect) {
    this.#http = typeof http === "function" ? http : () => Promise.resolve(http);
    this.threads = new Threads(this.#http);
    this.runs = new Runs(this.#http);
    this.assistants = new Assistants(this.#http);
  }

  /** Resolves when the server is up and accepts the key. */
  async ok({ signal }: CallOptions = {}): Promise<void> {
    const accept = (value: unknown) => isObject(value) && value["ok"] === true;
    await (await this.#http()).json({ method: "GET", path: "/ok", signal, accept });
  }

  async info({ signal }: CallOptions = {}): Promise<ServerInfo> {
    return (await this.#http()).json({ method: "GET", path: "/info", signal, accept: isObject });
  }

  /**
   * Whether the server keeps the events of resumable runs until its process ends, as the JavaScript development
   * server and the Local Platform do. Others drop them after a while.
   */
  async keepsEvents(options: CallOptions = {}): Promise<boolean> {
    const { context, langgraph_js_version: version } = await this.info(options);
    return version !== undefined || context === "local-platform";
  }
}

/** A run's events as they arrive. */
export interface RunStream {
  /** From the Content-Location header; else the first `metadata` event says it. */
  readonly runId: string | undefined;
  /** One array per chunk of the socket. Ends when the server closes; leaving the loop leaves the run alone. */
  readonly events: AsyncIterable<readonly SseEvent[]>;
}

/** Which page of a thread's runs; the server's default page is 10 runs long. */
export interface RunListOptions extends CallOptions {
  readonly limit?: number | undefined;
  readonly offset?: number | undefined;
  readonly status?: RunStatus | undefined;
}

/** How to stop a run; `interrupt` keeps what it did so far. */
export interface CancelOptions extends CallOptions {
  readonly action?: "interrupt" | "rollback" | undefined;
  /** Answer only when the run has stopped. */
  readonly wait?: boolean | undefined;
}

/** The runs of one agent server's threads; each call throws an ApiError when it fails. */
export class Runs {
  readonly #http: Connect;

  constructor(http: Connect) {
    this.#http = http;
  }

  async create(threadId: string, body: RunCreate, { signal }: CallOptions = {}): Promise<Run> {
    const request = {
      method: "POST",
      path: path`/threads/${threadId}/runs`,
      body: resumable(body),
      signal,
    } as const;
    const http = await this.#http();
    return this.#started(threadId, signal, http.json<Run>({ ...request, accept: hasText("run_id") }));
  }

  /** Starts a run and streams its events. Streams are resumable unless the body says otherwise. */
  async stream(threadId: string, body: RunCreate, { signal }: CallOptions = {}): Promise<RunStream> {
    const request = {
      method: "POST",
      path: path`/threads/${threadId}/runs/stream`,
      body: resumable(body),
      signal,
    } as const;
    const http = await this.#http();
    return runStream(await this.#started(threadId, signal, http.stream(request)));
  }

  /** Streams a run again: events after `lastEventId`, all with "-1", only new ones when absent. */
  async rejoin(
    threadId: string,
    runId: string,
    { lastEventId, signal }: CallOptions & { readonly lastEventId?: string | undefined } = {},
  ): Promise<RunStream> {
    const headers = lastEventId === undefined ? {} : { "last-event-id": lastEventId };
    const stream = await (
      await this.#http()
    ).stream({
      method: "GET",
      path: path`/threads/${threadId}/runs/${runId}/stream`,
      headers,
      signal,
    });
    return { ...runStream(stream), runId };
  }

  /**
   * Waits for the run's end, however long, and resolves with the thread's values. Throws an ApiError "runFailed" for a
   * failed run, "notFound" for one that is gone. Only tests ask for it; it is here because the specification has it.
   */
  async join(threadId: string, runId: string, { signal }: CallOptions = {}): Promise<Json> {
    const http = await this.#http();
    const request = { method: "GET", path: path`/threads/${threadId}/runs/${runId}/join`, signal } as const;
    const value = await http.json<Json | undefined>({ ...request, timeoutMs: 0 });
    if (isObject(value) && "__error__" in value) {
      const detail = unwrapMessage(value["__error__"]) ?? "the run failed";
      const kind = detail === "Run not found" ? "notFound" : "runFailed";
      const url = http.baseUrl.replace(/\/+$/, "") + request.path;
      throw new ApiError(kind, { method: request.method, url, status: 200, detail });
    }
    return value ?? null;
  }

  async get(threadId: string, runId: string, { signal }: CallOptions = {}): Promise<Run> {
    return (await this.#http()).json({
      method: "GET",
      path: path`/threads/${threadId}/runs/${runId}`,
      signal,
      accept: hasText("status"),
    });
  }

  /** One page, in the server's order: some list the oldest first. */
  async list(threadId: string, options: RunListOptions = {}): Promise<readonly Run[]> {
    const { signal, limit, offset, status } = options;
    const query = { limit, offset, status };
    return (await this.#http()).json({
      method: "GET",
      path: path`/threads/${threadId}/runs`,
      query,
      signal,
      accept: isList,
    });
  }

  /** Stops a run; the server may answer before it has stopped. */
  async cancel(threadId: string, runId: string, options: CancelOptions = {}): Promise<void> {
    const { action, wait, signal } = options;
    // A server takes the text "false" for true, so a false `wait` is not sent.
    const query = { action, wait: wait === true ? true : undefined };
    await (
      await this.#http()
    ).reply({
      method: "POST",
      path: path`/threads/${threadId}/runs/${runId}/cancel`,
      query,
      signal,
    });
  }

  /** A server says "already running" of a thread that does not exist, too: ask before believing it. */
  async #started<T>(threadId: string, signal: AbortSignal | undefined, call: Promise<T>): Promise<T> {
    try {
      return await call;
    } catch (error) {
      if (error instanceof ApiError && error.status === 422 && error.kind === "conflict") {
        await (await this.#http()).reply({ method: "GET", path: path`/threads/${threadId}`, signal });
      }
      throw error;
    }
  }
}

function resumable(body: RunCreate): RunCreate {
  return { stream_resumable: true, ...body };
}

/** The events of a run, and its id if the headers have it. */
export function runStream({ headers, events }: EventStream): RunStream {
  return { runId: /\/runs\/([^/?#]+)/.exec(headers["content-location"] ?? "")?.[1], events };
}
