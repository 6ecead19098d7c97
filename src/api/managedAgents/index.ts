/** A client of the managed-agents API (docs/interface.md, "Managed-agents API"). */

import { runStream, type RunStream } from "../agentServer/index.ts";
import type { Json, JsonObject } from "../agentServer/wire.ts";
import { type CallOptions, type Http, type HttpRequest, path } from "../http.ts";
import { Agents } from "./agents.ts";
import { AuthSessions } from "./authSessions.ts";
import { hasId, idOf } from "./page.ts";
import { ManagedThreads } from "./threads.ts";
import { ToolServers } from "./toolServers.ts";
import type { ManagedRun, ManagedRunCreate, ManagedRunFields, ThreadAndRunCreate } from "./wire.ts";

/** Everything that managed agents offer; each call throws an ApiError when it fails. */
export class ManagedAgents {
  readonly agents: Agents;
  readonly threads: ManagedThreads;
  readonly runs: ManagedRuns;
  readonly toolServers: ToolServers;
  readonly authSessions: AuthSessions;

  /** `http` is based at the API's own root, see `managedAgentsUrl`. */
  constructor(http: Http) {
    this.agents = new Agents(http);
    this.threads = new ManagedThreads(http);
    this.runs = new ManagedRuns(http);
    this.toolServers = new ToolServers(http);
    this.authSessions = new AuthSessions(http);
  }
}

/** The real product has another name for the API's root than the specification. */
export type ManagedAgentsDialect = "standard" | "langsmith";

/** The API's root below a platform's main host. */
export function managedAgentsUrl(platformUrl: string, dialect?: ManagedAgentsDialect): string {
  return platformUrl.replace(/\/+$/, "") + managedAgentsPath(dialect);
}

/** The same without the host. */
export function managedAgentsPath(dialect: ManagedAgentsDialect = "standard"): string {
  return `/v1/${dialect === "langsmith" ? "deepagents" : "managed"}`;
}

/** The answer to what a thread waits for. */
interface ManagedResume extends ManagedRunFields {
  readonly agent_id: string;
  readonly resume: Json;
}

/** A resumed run's input must have a message, though it says nothing. */
const nothingSaid = { messages: [{ role: "system", content: "" }] };

/**
 * The runs of the managed agents of one platform, in their own dialect (`agent_id`, `input.messages`, `command.resume`); none is
 * ever started twice. Each call throws an ApiError when it fails.
 */
export class ManagedRuns {
  readonly #http: Http;

  constructor(http: Http) {
    this.#http = http;
  }

  /** Makes a thread and starts a run on it in the background, or neither. */
  async createWithThread(body: ThreadAndRunCreate, { signal }: CallOptions = {}): Promise<ManagedRun> {
    return this.#started({ method: "POST", path: "/threads/runs", body, signal });
  }

  /** Starts a run in the background. */
  async create(threadId: string, body: ManagedRunCreate, { signal }: CallOptions = {}): Promise<ManagedRun> {
    return this.#started({ method: "POST", path: path`/threads/${threadId}/runs`, body, signal });
  }

  /** Starts a run and streams its events. */
  async stream(threadId: string, body: ManagedRunCreate, { signal }: CallOptions = {}): Promise<RunStream> {
    const request = { method: "POST", path: path`/threads/${threadId}/runs/stream`, body, signal } as const;
    return runStream(await this.#http.stream(request));
  }

  /** Answers an interrupt by a new run on the same thread, and streams that. */
  async resume(threadId: string, body: ManagedResume, options: CallOptions = {}): Promise<RunStream> {
    const { resume, ...fields } = body;
    return this.stream(threadId, { ...fields, input: nothingSaid, command: { resume } }, options);
  }

  async #started(request: HttpRequest): Promise<ManagedRun> {
    const run = await this.#http.json<JsonObject>({ ...request, accept: hasId("run_id", "id") });
    return { ...run, run_id: idOf(run, "run_id", "id") };
  }
}
