/** A client of one agent server (spec "the service"). */

import { Assistants } from "./assistants.ts";
import { Runs } from "./runs.ts";
import { isObject } from "../shape.ts";
import { Threads } from "./threads.ts";
import type { CallOptions, Http } from "../http.ts";
import type { ServerInfo } from "./wire.ts";

export type { RunStream } from "./runs.ts";

/** Everything that one agent server offers; each failure is an ApiError. */
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
