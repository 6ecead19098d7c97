import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startServer } from "../../src/emulator/server.ts";
import type { Ready, RunningServer } from "../../src/emulator/server.ts";

/** An answer with its body read. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly body: Shape;
}

/** A JSON value that a test looks into. */
export interface Shape {
  readonly [key: string]: Shape;
  readonly [index: number]: Shape;
}

/** One server-sent event. */
export interface ServerEvent {
  readonly id: number;
  readonly event: string;
  readonly data: Shape;
}

/** A Local Platform on a free port, and the requests that tests send to it. */
export class LocalPlatform {
  readonly ready: Ready;
  readonly directory: string;
  #server: RunningServer | undefined;

  constructor(ready: Ready, directory: string, server?: RunningServer) {
    this.ready = ready;
    this.directory = directory;
    this.#server = server;
  }

  /** Starts one in this process. */
  static async start(directory?: string): Promise<LocalPlatform> {
    const data = directory ?? (await temporaryDirectory());
    const server = await startServer({ port: 0, directory: data, apiKey: "test-key" });
    return new LocalPlatform(server.ready, data, server);
  }

  async stop(): Promise<void> {
    const server = this.#server;
    this.#server = undefined;
    await server?.close();
  }

  async remove(): Promise<void> {
    await this.stop();
    await rm(this.directory, { recursive: true, force: true });
  }

  /** A request to the agent server of the sample deployment, or to the whole URL given. */
  async send(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Answer> {
    const response = await this.fetch(method, path, body, headers);
    const text = await response.text();
    let parsed: unknown = text;
    try {
      parsed = JSON.parse(text);
    } catch {
      // Not every answer is JSON.
    }
    return { status: response.status, headers: response.headers, text, body: parsed as Shape };
  }

  async fetch(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
    signal?: AbortSignal,
  ): Promise<Response> {
    const url = path.startsWith("http") ? path : this.ready.deploymentUrl + path;
    return await fetch(url, {
      method,
      headers: { "x-api-key": this.ready.apiKey, "content-type": "application/json", ...headers },
      ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
      ...(signal === undefined ? {} : { signal }),
    });
  }

  async thread(metadata: Record<string, unknown> = {}): Promise<string> {
    return text((await this.send("POST", "/threads", { metadata })).body.thread_id);
  }

  /** Streams a run to its end. */
  async stream(threadId: string, run: Record<string, unknown>): Promise<ServerEvent[]> {
    const response = await this.fetch("POST", `/threads/${threadId}/runs/stream`, fast(run));
    return await collect(events(response));
  }

  /** Creates a run in the background. */
  async run(threadId: string, run: Record<string, unknown>): Promise<string> {
    const answer = await this.send("POST", `/threads/${threadId}/runs`, fast(run));
    if (answer.status !== 200) throw new Error(`${answer.status} ${answer.text}`);
    return text(answer.body.run_id);
  }

  async join(threadId: string, runId: string): Promise<Shape> {
    return (await this.send("GET", `/threads/${threadId}/runs/${runId}/join`)).body;
  }

  async state(threadId: string): Promise<Shape> {
    return (await this.send("GET", `/threads/${threadId}/state`)).body;
  }

  async runStatus(threadId: string, runId: string): Promise<unknown> {
    const answer = await this.send("GET", `/threads/${threadId}/runs/${runId}`);
    return answer.status === 200 ? answer.body.status : answer.status;
  }
}

/** A run whose agent streams without delay, unless it says otherwise. */
export function fast(run: Record<string, unknown>): Record<string, unknown> {
  return { config: { configurable: { token_delay_ms: 0 } }, ...run };
}

/** A run whose agent takes a few milliseconds per token, so that something can happen meanwhile. */
export function slowly(run: Record<string, unknown>, delay = 5): Record<string, unknown> {
  return { config: { configurable: { token_delay_ms: delay } }, ...run };
}

/** The input of one human message. */
export function say(content: string): { readonly messages: readonly unknown[] } {
  return { messages: [{ role: "user", content }] };
}

/** The events of a stream, as they come. */
export async function* events(response: Response): AsyncGenerator<ServerEvent> {
  if (!response.ok || response.body === null) throw new Error(`${response.status} ${await response.text()}`);
  let rest = "";
  for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
    const frames = (rest + chunk).split("\n\n");
    rest = frames.pop() ?? "";
    for (const frame of frames) if (!frame.startsWith(":")) yield parseFrame(frame);
  }
}

/** All that a stream has to say. */
export async function collect<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const collected: Item[] = [];
  for await (const item of items) collected.push(item);
  return collected;
}

/** Whether a part of an answer is just this value. */
export function is(value: unknown, expected: string | number): boolean {
  return value === expected;
}

/** A string out of an answer. */
export function text(value: unknown): string {
  if (typeof value !== "string") throw new Error(`Expected a string, not ${JSON.stringify(value)}`);
  return value;
}

/** A list out of an answer. */
export function list(value: unknown): Shape[] {
  if (!Array.isArray(value)) throw new Error(`Expected a list, not ${JSON.stringify(value)}`);
  return value as Shape[];
}

/** An empty directory for one platform's data. */
export async function temporaryDirectory(): Promise<string> {
  return await mkdtemp(join(tmpdir(), "local-platform-"));
}

function parseFrame(frame: string): ServerEvent {
  const fields = new Map<string, string>();
  for (const line of frame.split("\n")) {
    const colon = line.indexOf(": ");
    fields.set(line.slice(0, colon), line.slice(colon + 2));
  }
  return {
    id: Number(fields.get("id")),
    event: fields.get("event") ?? "",
    data: JSON.parse(fields.get("data") ?? "null") as Shape,
  };
}
