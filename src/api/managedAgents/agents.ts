/** Managed agents themselves: listed, made, read, changed, copied, checked, deleted. */

import { isObject } from "../shape.ts";
import { type CallOptions, type Http, path } from "../http.ts";
import { cursorPages } from "../pagination.ts";
import { hasId, isPage, type Page, readPage } from "./page.ts";
import type {
  Agent,
  AgentClone,
  AgentCreate,
  AgentHealth,
  AgentQuery,
  AgentSummary,
  AgentUpdate,
} from "./wire.ts";

/** How an agent is answered; its file tree comes only when asked for. */
export interface AgentOptions extends CallOptions {
  readonly includeFiles?: boolean | undefined;
}

/** A health check asks each tool server in turn, and they may be slow. */
const healthDeadlineMs = 120_000;

/** The agents of one platform; each call throws an ApiError when it fails. */
export class Agents {
  readonly #http: Http;

  constructor(http: Http) {
    this.#http = http;
  }

  /** One page; the last has no cursor. */
  async page(query: AgentQuery = {}, { signal }: CallOptions = {}): Promise<Page<AgentSummary>> {
    const request = { method: "GET", path: "/agents", query: { ...query }, signal, accept: isPage } as const;
    return readPage(await this.#http.json<unknown>(request), (item) => item as unknown as AgentSummary);
  }

  /** All matches, page by page as they are consumed. */
  list(query: Omit<AgentQuery, "cursor"> = {}, options: CallOptions = {}): AsyncIterable<AgentSummary> {
    return cursorPages(`${this.#http.baseUrl}/agents`, (cursor) => this.page({ ...query, cursor }, options));
  }

  /** All or nothing. Throws an ApiError "conflict" when the workspace may have no more agents. */
  async create(body: AgentCreate, options: AgentOptions = {}): Promise<Agent> {
    return this.#answered("POST", "/agents", options, body);
  }

  async get(agentId: string, options: AgentOptions = {}): Promise<Agent> {
    return this.#answered("GET", path`/agents/${agentId}`, options);
  }

  /** What is left out stays; any change of the file tree makes a new revision. */
  async update(agentId: string, body: AgentUpdate, options: AgentOptions = {}): Promise<Agent> {
    return this.#answered("PATCH", path`/agents/${agentId}`, options, body);
  }

  /** Fine also when it is gone; its threads stay, but can't run any more. */
  async delete(agentId: string, { signal }: CallOptions = {}): Promise<void> {
    await this.#http.reply({ method: "DELETE", path: path`/agents/${agentId}`, signal });
  }

  /** Copies model, backend and file tree; sharing and metadata start fresh. */
  async clone(agentId: string, body: AgentClone = {}, options: AgentOptions = {}): Promise<Agent> {
    return this.#answered("POST", path`/agents/${agentId}/clone`, options, body);
  }

  /** Asks the platform to reach each of the agent's tool servers. */
  async health(agentId: string, { signal }: CallOptions = {}): Promise<AgentHealth> {
    const timeoutMs = healthDeadlineMs;
    const request = { method: "GET", path: path`/agents/${agentId}/health`, signal, timeoutMs } as const;
    return this.#http.json({ ...request, accept: isObject });
  }

  async #answered(
    method: "GET" | "POST" | "PATCH",
    where: string,
    { includeFiles, signal }: AgentOptions,
    body?: object,
  ): Promise<Agent> {
    const query = { include_files: includeFiles === true ? true : undefined };
    const headers = body === undefined ? {} : { "x-user-timezone": timeZone() };
    return this.#http.json({ method, path: where, query, headers, body, signal, accept: hasId("id") });
  }
}

function timeZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone;
}
