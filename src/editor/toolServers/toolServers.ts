/** Tool servers: which a platform has, whether it may use them, what tools they offer, and which of these are picked. */

import * as vscode from "vscode";
import { ApiError, unlessGone } from "../../api/errors.ts";
import type { ManagedAgents } from "../../api/managedAgents/index.ts";
import type {
  Tool,
  ToolServer,
  ToolServerCreate,
  ToolServerUpdate,
} from "../../api/managedAgents/toolServers.ts";
import { agentsUsing } from "../agents/agentFacts.ts";
import { ConnectionError } from "../connections/connectionSettings.ts";
import type { Platforms } from "../connections/platforms.ts";
import { type AuthAttempts, toolServerKey, type ToolServerRef } from "./authAttempts.ts";
import type { Grant } from "./authState.ts";

/** A tool server as its platform described it. */
export interface ToolServerFacts extends ToolServerRef {
  readonly server: ToolServer;
  readonly grant: Grant;
}

/** One tool of one tool server. */
export interface ToolRef extends ToolServerRef {
  readonly serverName: string;
  readonly serverUrl: string;
  readonly tool: Tool;
}

/** What changed, and so what whoever shows it asks for again. */
export type ToolServersChange =
  /** The platform's list is to be read again, and this server's tools with it. */
  | { readonly kind: "servers"; readonly server: ToolServerRef }
  /** The server's tools are to be read again. */
  | { readonly kind: "tools"; readonly server: ToolServerRef }
  /** Other tools are picked than before. */
  | { readonly kind: "picks" };

interface Needs {
  readonly authAttempts: Pick<AuthAttempts, "of" | "onDidChange">;
  readonly platforms: Pick<Platforms, "controlPlaneHttp" | "managedAgents">;
}

/** The most agents that are read at once. */
const atOnce = 6;

/** Reads, registers and changes tool servers, and says what changed. */
export class ToolServers implements vscode.Disposable {
  readonly #services: Needs;
  readonly #known = new Map<string, ToolServerFacts>();
  readonly #picked = new Map<string, ToolRef>();
  /** The servers that are asked themselves next time, though the platform may remember their tools. */
  readonly #askedAgain = new Set<string>();
  readonly #changed = new vscode.EventEmitter<ToolServersChange>();
  readonly onDidChange = this.#changed.event;
  readonly #subscription: vscode.Disposable;

  constructor(services: Needs) {
    this.#services = services;
    this.#subscription = services.authAttempts.onDidChange((server) => this.#serversChanged(server));
  }

  /** A tool server as it was listed last. */
  get(server: ToolServerRef): ToolServerFacts | undefined {
    return this.#known.get(toolServerKey(server));
  }

  /** The tools that a person picked, in the order in which they were checked. */
  get picked(): readonly ToolRef[] {
    return [...this.#picked.values()];
  }

  isPicked(tool: ToolRef): boolean {
    return this.#picked.has(toolKey(tool));
  }

  /** Picks tools, or puts them back. */
  pick(changes: readonly (readonly [tool: ToolRef, picked: boolean])[]): void {
    for (const [tool, picked] of changes) {
      if (picked) this.#picked.set(toolKey(tool), tool);
      else this.#picked.delete(toolKey(tool));
    }
    if (changes.length > 0) this.#changed.fire({ kind: "picks" });
  }

  clearPicks(): void {
    this.pick(this.picked.map((tool) => [tool, false]));
  }

  /** Lists a platform's tool servers; throws what the platform answers. */
  async load(connectionId: string, signal: AbortSignal): Promise<readonly ToolServerFacts[]> {
    const { toolServers } = await this.#client(connectionId);
    const servers = await toolServers.list({ signal });
    const listed = await Promise.all(
      servers.map(async (server): Promise<ToolServerFacts> => {
        const grant = await this.#grant(connectionId, server, signal);
        return { connectionId, toolServerId: server.id, server, grant };
      }),
    );
    for (const [key, known] of this.#known) if (known.connectionId === connectionId) this.#known.delete(key);
    for (const facts of listed) this.#known.set(toolServerKey(facts), facts);
    const gone = this.picked.filter(
      (tool) => tool.connectionId === connectionId && !this.#known.has(toolServerKey(tool)),
    );
    this.pick(gone.map((tool) => [tool, false]));
    return listed;
  }

  /** The tools that a server offers, as the platform remembers them; throws what the platform or the server answers. */
  async tools({ server, ...ref }: ToolServerFacts, signal: AbortSignal): Promise<readonly Tool[]> {
    const { toolServers } = await this.#client(ref.connectionId);
    const force = this.#askedAgain.delete(toolServerKey(ref));
    const options = { providerId: server.oauth_provider_id ?? undefined, force, signal };
    return (await toolServers.tools(server.url, options)).tools;
  }

  /** Asks a server itself for its tools, though the platform may remember them. */
  askAgain(server: ToolServerRef): void {
    this.#askedAgain.add(toolServerKey(server));
    this.#changed.fire({ kind: "tools", server });
  }

  /** The names of the agents that use a server. Rejects when one can't be read: whether it does is not known then. */
  async usedBy(
    { connectionId, server }: Pick<ToolServerFacts, "connectionId" | "server">,
    signal: AbortSignal,
  ) {
    const { agents } = await this.#client(connectionId);
    const ids: string[] = [];
    for await (const { id } of agents.list({ page_size: 100 }, { signal })) ids.push(id);
    const names: string[] = [];
    for (let start = 0; start < ids.length; start += atOnce) {
      const some = ids.slice(start, start + atOnce).map((id) => agents.get(id, { signal }).catch(unlessGone));
      const found = (await Promise.all(some)).flatMap((agent) => agent ?? []);
      names.push(...agentsUsing(server.url, found));
    }
    return names;
  }

  /** Registers a tool server. */
  async create(connectionId: string, body: ToolServerCreate): Promise<ToolServer> {
    const { toolServers } = await this.#client(connectionId);
    const server = await toolServers.create(body);
    this.#serversChanged({ connectionId, toolServerId: server.id });
    return server;
  }

  async update(server: ToolServerRef, update: ToolServerUpdate): Promise<void> {
    const { toolServers } = await this.#client(server.connectionId);
    await toolServers.update(server.toolServerId, update);
    this.#serversChanged(server);
  }

  /** Sets headers, or takes away those with the value undefined; the others stay as the platform has them. */
  async changeHeaders(server: ToolServerRef, change: ReadonlyMap<string, string | undefined>): Promise<void> {
    const { toolServers } = await this.#client(server.connectionId);
    await toolServers.changeHeaders(server.toolServerId, change);
    this.#serversChanged(server);
  }

  /** Registers a client at the server's authorization server; gives the provider's id. */
  async registerProvider(server: ToolServerRef, signal: AbortSignal): Promise<string> {
    const { toolServers } = await this.#client(server.connectionId);
    const providerId = await toolServers.registerProvider(server.toolServerId, { signal });
    this.#serversChanged(server);
    return providerId;
  }

  async delete(server: ToolServerRef): Promise<void> {
    const { toolServers } = await this.#client(server.connectionId);
    await toolServers.delete(server.toolServerId);
    this.#serversChanged(server);
  }

  dispose(): void {
    this.#subscription.dispose();
    this.#changed.dispose();
  }

  #client(connectionId: string): Promise<ManagedAgents> {
    return this.#services.platforms.managedAgents(connectionId);
  }

  #serversChanged({ connectionId, toolServerId }: ToolServerRef): void {
    this.#changed.fire({ kind: "servers", server: { connectionId, toolServerId } });
  }

  /** Whether the person's grant is held, as the control plane has it; without one, as the last session has it. */
  async #grant(connectionId: string, server: ToolServer, signal: AbortSignal): Promise<Grant> {
    const providerId = server.oauth_provider_id;
    if (server.auth_type !== "oauth" || providerId === undefined || providerId === null) return "unknown";
    const held = await this.#holds(connectionId, providerId, signal);
    if (held === true) return "held";
    const attempt = this.#services.authAttempts.of({ connectionId, toolServerId: server.id });
    if (attempt?.end?.outcome !== "connected" || attempt.sessionId === "") {
      return held === undefined ? "unknown" : "missing";
    }
    const { authSessions } = await this.#client(connectionId);
    const session = await authSessions.get(attempt.sessionId, { signal }).catch(unlessUnknown);
    if (session?.status === "TOKEN_EXPIRED") return "expired";
    return session?.status === "COMPLETED" && held === undefined ? "held" : "missing";
  }

  async #holds(connectionId: string, providerId: string, signal: AbortSignal): Promise<boolean | undefined> {
    try {
      const http = await this.#services.platforms.controlPlaneHttp(connectionId);
      const { Tokens } = await import("../../api/controlPlane/index.ts");
      return (await new Tokens(http).exists(providerId, { signal })).has_token;
    } catch (error) {
      // Without a control plane that says so, the row says only that it uses OAuth.
      if (error instanceof ConnectionError || (error instanceof ApiError && error.kind !== "aborted")) {
        return undefined;
      }
      throw error;
    }
  }
}

function unlessUnknown(error: unknown): undefined {
  if (error instanceof ApiError && ["notFound", "invalid"].includes(error.kind)) return undefined;
  throw error;
}

function toolKey({ tool, ...server }: ToolRef): string {
  return JSON.stringify([toolServerKey(server), tool.name]);
}
