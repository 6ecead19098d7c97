/** A client of one agent server (docs/interface.md, "Agent server"). */

import { Runs } from "./runs.ts";
import { isList, isObject } from "../shape.ts";
import { Threads } from "./threads.ts";
import type { CallOptions, Http } from "../http.ts";
import type { Assistant, ServerInfo } from "./wire.ts";

/** Everything that one agent server offers; each call throws an ApiError when it fails. */
export class AgentServer {
  readonly threads: Threads;
  readonly runs: Runs;
  readonly assistants: Assistants;
  readonly #http: Http;

  constructor(http: Http) {
    this.#http = http;
    this.threads = new Threads(http);
    this.runs = new Runs(http);
    this.assistants = new Assistants(http);
  }

  /** Resolves when the server is up and accepts the key. */
  async ok({ signal }: CallOptions = {}): Promise<void> {
    const accept = (value: unknown) => isObject(value) && value["ok"] === true;
    await this.#http.json({ method: "GET", path: "/ok", signal, accept });
  }

  async info({ signal }: CallOptions = {}): Promise<ServerInfo> {
    return this.#http.json({ method: "GET", path: "/info", signal, accept: isObject });
  }
}

/** Which assistants; 100 at most by default. */
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
