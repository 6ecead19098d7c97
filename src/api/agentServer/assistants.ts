/** Assistants of an agent server: the graphs it can run, and what they look like. */

import { path } from "../http.ts";
import type { Http } from "../http.ts";
import { hasText, isList, isObject } from "./shape.ts";
import type { CallOptions } from "./threads.ts";
import type { Assistant, GraphDrawing, GraphSchemas } from "./wire.ts";

/** Which assistants; 100 at most unless told otherwise. */
export interface AssistantSearch {
  readonly graph_id?: string;
  readonly name?: string;
  readonly limit?: number;
  readonly offset?: number;
}

/** Servers compile a graph's types on the first call, for up to 20 s. */
const schemasDeadlineMs = 120_000;

/** The assistants of one agent server. */
export class Assistants {
  readonly #http: Http;

  constructor(http: Http) {
    this.#http = http;
  }

  async search(query: AssistantSearch = {}, { signal }: CallOptions = {}): Promise<readonly Assistant[]> {
    const body = { limit: 100, ...query };
    return this.#http.json({
      method: "POST",
      path: "/assistants/search",
      body,
      signal,
      idempotent: true,
      accept: isList,
    });
  }

  async get(assistantId: string, { signal }: CallOptions = {}): Promise<Assistant> {
    const accept = hasText("assistant_id");
    return this.#http.json({ method: "GET", path: path`/assistants/${assistantId}`, signal, accept });
  }

  /** The graph's nodes and edges; `xray` opens subgraphs. */
  async graph(
    assistantId: string,
    options: CallOptions & { readonly xray?: boolean | undefined } = {},
  ): Promise<GraphDrawing> {
    const { signal, xray } = options;
    return this.#http.json({
      method: "GET",
      path: path`/assistants/${assistantId}/graph`,
      query: { xray },
      signal,
      accept: isObject,
    });
  }

  /** The graph's JSON Schemas; the first call for a graph is slow. */
  async schemas(assistantId: string, { signal }: CallOptions = {}): Promise<GraphSchemas> {
    const timeoutMs = schemasDeadlineMs;
    return this.#http.json({
      method: "GET",
      path: path`/assistants/${assistantId}/schemas`,
      signal,
      timeoutMs,
      accept: isObject,
    });
  }
}
