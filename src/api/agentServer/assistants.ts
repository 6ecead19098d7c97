/** Assistants of an agent server: the graphs that it can run. */

import { isList } from "../shape.ts";
import type { CallOptions, Http } from "../http.ts";
import type { Assistant } from "./wire.ts";

/** Which assistants; 100 at most unless told otherwise. */
export interface AssistantSearch {
  readonly graph_id?: string;
  readonly name?: string;
  readonly limit?: number;
  readonly offset?: number;
}

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
}
