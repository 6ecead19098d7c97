/** The platform's own JavaScript client, loaded from the pinned folder, and the part of it that the tests use. */

import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import { foreignClient } from "../../support/foreign.ts";

export interface SdkEvent {
  readonly id?: string;
  readonly event: string;
  readonly data: Json;
}

/** A JSON value that a test looks into. */
export interface Json {
  readonly [key: string]: Json;
  readonly [index: number]: Json;
}

type Options = Readonly<Record<string, unknown>>;

export interface SdkClient {
  readonly assistants: {
    search(query?: Options): Promise<Json[]>;
    get(id: string): Promise<Json>;
    getGraph(id: string, options?: Options): Promise<Json>;
    getSchemas(id: string): Promise<Json>;
    count(query?: Options): Promise<number>;
  };
  readonly threads: {
    create(payload?: Options): Promise<Json>;
    get(id: string): Promise<Json>;
    update(id: string, payload: Options): Promise<Json>;
    delete(id: string): Promise<void>;
    copy(id: string): Promise<Json>;
    search(query?: Options): Promise<Json[]>;
    count(query?: Options): Promise<number>;
    getState(id: string, checkpoint?: unknown, options?: Options): Promise<Json>;
    updateState(id: string, options: Options): Promise<{ readonly checkpoint: Json }>;
    getHistory(id: string, options?: Options): Promise<Json[]>;
  };
  readonly runs: {
    create(threadId: string | null, assistantId: string, payload?: Options): Promise<Json>;
    stream(threadId: string | null, assistantId: string, payload?: Options): AsyncGenerator<SdkEvent>;
    wait(threadId: string | null, assistantId: string, payload?: Options): Promise<Json>;
    join(threadId: string, runId: string): Promise<Json>;
    joinStream(threadId: string, runId: string, options?: Options): AsyncGenerator<SdkEvent>;
    list(threadId: string, options?: Options): Promise<Json[]>;
    get(threadId: string, runId: string): Promise<Json>;
    cancel(threadId: string, runId: string, wait?: boolean, action?: string): Promise<void>;
    delete(threadId: string, runId: string): Promise<void>;
  };
}

/** A client of an agent server; it does not repeat requests by itself. */
export async function sdkClient(apiUrl: string, apiKey: string): Promise<SdkClient> {
  const peer = createRequire(new URL("../langgraph/package.json", import.meta.url));
  const { href } = pathToFileURL(peer.resolve("@langchain/langgraph-sdk"));
  const { Client } = (await import(href)) as { Client: new (options: Options) => SdkClient };
  return new Client({ apiUrl, apiKey, defaultHeaders: foreignClient, callerOptions: { maxRetries: 0 } });
}

/** The platform's own client of everything but agent servers. */
export interface PlatformSdkClient {
  listProjects(): AsyncIterable<{ readonly id: string; readonly name: string }>;
}

/** A client of the main address; it finds what it lists below `/sessions`. */
export async function platformSdkClient(apiUrl: string, apiKey: string): Promise<PlatformSdkClient> {
  const peer = createRequire(new URL("../langgraph/package.json", import.meta.url));
  const { href } = pathToFileURL(peer.resolve("langsmith"));
  const { Client } = (await import(href)) as { Client: new (options: Options) => PlatformSdkClient };
  const fetchOptions = { headers: foreignClient };
  return new Client({ apiUrl, apiKey, fetchOptions, callerOptions: { maxRetries: 0 } });
}
