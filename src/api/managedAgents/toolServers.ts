/** Tool servers (MCP) that a platform knows, and the tools that they offer. */

import { hasText, isList, isObject } from "../shape.ts";
import type { JsonObject } from "../agentServer/wire.ts";
import { type CallOptions, type Http, path } from "../http.ts";

/** How the platform proves itself to a tool server: by fixed headers, or by a token of the user's. */
export type ToolServerAuth = "headers" | "oauth" | (string & {});
/** Whose OAuth client gets the tokens: one that is shared, or one that is registered for the tool server. */
export type OAuthMode = "legacy_shared_provider" | "per_user_dynamic_client" | (string & {});

/** One header that a tool server gets with each request; its value is a secret. */
export interface ToolServerHeader {
  readonly key: string;
  readonly value: string;
}

/** A registered tool server; members that are not named here are kept as they came. */
export interface ToolServer {
  readonly id: string;
  readonly name: string;
  readonly url: string;
  readonly auth_type?: ToolServerAuth;
  readonly oauth_provider_id?: string | null;
  readonly oauth_mode?: OAuthMode | null;
  /** Names alone: values never leave this file. Absent for callers who may not use the server. */
  readonly headers?: readonly Pick<ToolServerHeader, "key">[];
  readonly can_invoke?: boolean;
  readonly created_at?: string;
  readonly updated_at?: string;
}

/** What registers a tool server. */
export interface ToolServerCreate {
  readonly name: string;
  readonly url: string;
  readonly auth_type?: ToolServerAuth;
  readonly headers?: readonly ToolServerHeader[];
  readonly oauth_mode?: OAuthMode;
  readonly oauth_provider_id?: string;
}

/** What changes a tool server: what is left out stays, headers are replaced as a whole, the name stays for ever. */
export type ToolServerUpdate = Partial<Omit<ToolServerCreate, "name">>;

/** A tool as its server describes it; every member but the name may be missing. */
export interface Tool {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly inputSchema?: JsonObject;
  readonly annotations?: ToolAnnotations;
}

/** What a tool says of itself; nothing makes it keep its word. */
export interface ToolAnnotations {
  readonly title?: string;
  readonly readOnlyHint?: boolean;
  readonly destructiveHint?: boolean;
  readonly idempotentHint?: boolean;
  readonly openWorldHint?: boolean;
}

/** The tools of one server, and when it was asked for them. */
export interface ToolList {
  readonly tools: readonly Tool[];
  readonly cached?: boolean;
  readonly fetched_at?: string;
}

/** How to ask for tools. */
export interface ToolListOptions extends CallOptions {
  readonly providerId?: string | undefined;
  /** Ask the server itself, though the platform may remember. */
  readonly force?: boolean | undefined;
}

interface WireServer extends Omit<ToolServer, "headers"> {
  readonly headers?: readonly ToolServerHeader[] | null;
}

const isServer = (value: unknown): boolean =>
  hasText("id")(value) && areHeaders((value as Partial<WireServer>).headers ?? []);
const areHeaders = (value: unknown): boolean => Array.isArray(value) && value.every(hasText("key"));

/** The tool servers of one platform; each call throws an ApiError when it fails. */
export class ToolServers {
  readonly #http: Http;

  constructor(http: Http) {
    this.#http = http;
  }

  /** All of them, from a bare array or an object around it. */
  async list({ signal }: CallOptions = {}): Promise<readonly ToolServer[]> {
    const accept = (value: unknown) => serversIn(value) !== undefined;
    const request = { method: "GET", path: "/mcp-servers", signal, accept } as const;
    return (serversIn(await this.#http.json<unknown>(request)) ?? []).map(withoutValues);
  }

  async get(id: string, { signal }: CallOptions = {}): Promise<ToolServer> {
    return withoutValues(await this.#read(id, signal));
  }

  /** Throws a "conflict" when the URL is registered already. */
  async create(body: ToolServerCreate, { signal }: CallOptions = {}): Promise<ToolServer> {
    const request = { method: "POST", path: "/mcp-servers", body, signal, accept: isServer } as const;
    return withoutValues(await this.#http.json<WireServer>(request));
  }

  async update(id: string, body: ToolServerUpdate, { signal }: CallOptions = {}): Promise<ToolServer> {
    const request = { method: "PATCH", path: path`/mcp-servers/${id}`, body, signal } as const;
    return withoutValues(await this.#http.json<WireServer>({ ...request, accept: isServer }));
  }

  /** Gives some headers other values or takes them away (undefined); the others stay as the platform has them. */
  async changeHeaders(
    id: string,
    changes: ReadonlyMap<string, string | undefined>,
    options: CallOptions = {},
  ): Promise<ToolServer> {
    const { headers } = await this.#read(id, options.signal);
    const changed = new Map([...changes].map(([key, value]) => [key.toLowerCase(), { key, value }]));
    const kept = (headers ?? []).filter(({ key }) => !changed.has(key.toLowerCase()));
    const given = [...changed.values()].flatMap(({ key, value }) =>
      value === undefined ? [] : [{ key, value }],
    );
    return this.update(id, { headers: [...kept, ...given] }, options);
  }

  /** Fine also when it is gone. */
  async delete(id: string, { signal }: CallOptions = {}): Promise<void> {
    await this.#http.reply({ method: "DELETE", path: path`/mcp-servers/${id}`, signal });
  }

  /** Registers a client at the tool server's authorization server, once; answers the provider's id. */
  async registerProvider(id: string, { signal }: CallOptions = {}): Promise<string> {
    const where = path`/mcp-servers/${id}/oauth-provider`;
    const accept = hasText("oauth_provider_id");
    const request = { method: "POST", path: where, body: {}, signal, accept } as const;
    return (await this.#http.json<{ readonly oauth_provider_id: string }>(request)).oauth_provider_id;
  }

  /** What the server at the URL offers. A server that gives nothing is asked once, not again and again. */
  async tools(url: string, { providerId, force, signal }: ToolListOptions = {}): Promise<ToolList> {
    const query = { url, oauth_provider_id: providerId, force_refresh: force === true ? true : undefined };
    const accept = (value: unknown) => toolsIn(value) !== undefined;
    const request = { method: "GET", path: "/mcp/tools", query, signal, accept, idempotent: false } as const;
    const answer = await this.#http.json<unknown>(request);
    return { ...(isObject(answer) ? answer : {}), tools: toolsIn(answer) ?? [] };
  }

  #read(id: string, signal: AbortSignal | undefined): Promise<WireServer> {
    const request = { method: "GET", path: path`/mcp-servers/${id}`, signal, accept: isServer } as const;
    return this.#http.json<WireServer>(request);
  }
}

function withoutValues({ headers, ...server }: WireServer): ToolServer {
  return headers === undefined || headers === null
    ? server
    : { ...server, headers: headers.map(({ key }) => ({ key })) };
}

function serversIn(value: unknown): readonly WireServer[] | undefined {
  const list = isObject(value) ? (value["servers"] ?? value["items"]) : value;
  return isList(list) && (list as unknown[]).every(isServer) ? (list as readonly WireServer[]) : undefined;
}

function toolsIn(value: unknown): readonly Tool[] | undefined {
  const list = isObject(value) ? value["tools"] : value;
  return isList(list) && (list as unknown[]).every(hasText("name")) ? (list as readonly Tool[]) : undefined;
}
