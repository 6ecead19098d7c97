/** The streaming protocol's own JavaScript client, from the pinned folder: the part of it that the tests use. */

import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import { foreignClient } from "../../support/foreign.ts";
import type { Json } from "./client.ts";

type Options = Readonly<Record<string, unknown>>;

/** An event as it came over the wire. */
export interface ProtocolEvent {
  readonly event_id: string;
  readonly seq: number;
  readonly method: string;
  readonly params: { readonly namespace: readonly string[]; readonly node?: string; readonly data: Json };
}

/** A message while it streams; awaited, its text is whole. */
export interface StreamedMessage {
  readonly namespace: readonly string[];
  readonly text: AsyncIterable<string> & PromiseLike<string>;
  readonly usage: PromiseLike<Json | undefined>;
  readonly toolCalls: PromiseLike<readonly Json[]>;
}

/** A subagent that the client found by itself. */
export interface Subagent {
  readonly name: string;
  readonly callId: string;
  readonly namespace: readonly string[];
  readonly taskInput: Promise<string>;
  readonly output: Promise<Json>;
  readonly messages: AsyncIterable<StreamedMessage>;
  readonly toolCalls: AsyncIterable<{ readonly name: string; readonly output: Promise<unknown> }>;
}

/** A client's hold on one thread. */
export interface ThreadStream {
  readonly threadId: string;
  readonly interrupted: boolean;
  readonly interrupts: readonly { interruptId: string; payload: Json; namespace: readonly string[] }[];
  readonly run: { start(params: Options): Promise<{ readonly run_id: string }> };
  readonly input: { respond(params: Options): Promise<void> };
  readonly agent: { getTree(): Promise<{ readonly tree: Json }> };
  readonly state: {
    get(params: Options): Promise<{ readonly values: Json; readonly checkpoint: Json }>;
    listCheckpoints(params: Options): Promise<{ readonly checkpoints: readonly Json[] }>;
    fork(params: Options): Promise<{ readonly run_id: string; readonly thread_id: string }>;
  };
  readonly messages: AsyncIterable<StreamedMessage>;
  readonly subagents: AsyncIterable<Subagent>;
  readonly output: Promise<Json>;
  subscribe(filter: Options): Promise<AsyncIterable<ProtocolEvent>>;
  close(): Promise<void>;
}

/** The client's HTTP transport. */
export interface HttpAdapter {
  getState(): Promise<Json | null>;
}

interface Sdk {
  readonly Client: new (options: Options) => {
    readonly threads: { stream(threadId: string, options: Options): ThreadStream };
  };
  readonly HttpAgentServerAdapter: new (options: Options) => HttpAdapter;
}

/** Opens a thread with the client's default transport, or with another. */
export async function openThread(
  apiUrl: string,
  apiKey: string,
  assistantId: string,
  options: { readonly threadId?: string; readonly transport?: HttpAdapter } = {},
): Promise<ThreadStream> {
  const { Client } = await loadSdk();
  const client = new Client({
    apiUrl,
    apiKey,
    defaultHeaders: foreignClient,
    callerOptions: { maxRetries: 0 },
  });
  const { threadId = crypto.randomUUID(), transport } = options;
  const more = transport === undefined ? { reconnectDelayMs: () => 10 } : { transport };
  return client.threads.stream(threadId, { assistantId, ...more });
}

/** The transport for a chat backend that serves `/api/threads` below an address. */
export async function chatAdapter(
  apiUrl: string,
  apiKey: string,
  threadId: string,
  stream = "stream",
): Promise<HttpAdapter> {
  const { HttpAgentServerAdapter } = await loadSdk();
  const at = (path: string) => `/api/threads/${threadId}/${path}`;
  return new HttpAgentServerAdapter({
    apiUrl,
    threadId,
    defaultHeaders: { "x-api-key": apiKey, ...foreignClient },
    paths: { commands: at("commands"), stream: at(stream), state: at("state") },
  });
}

async function loadSdk(): Promise<Sdk> {
  const peer = createRequire(new URL("../langgraph/package.json", import.meta.url));
  return (await import(pathToFileURL(peer.resolve("@langchain/langgraph-sdk")).href)) as Sdk;
}
