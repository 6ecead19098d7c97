/** The Tool Servers view: what platforms know of tool servers, and the tools that a person checks there. */

import * as vscode from "vscode";
import { ApiError } from "../../../api/errors.ts";
import type { ToolServer } from "../../../api/managedAgents/toolServers.ts";
import { ConnectionError } from "../../connections/connectionSettings.ts";
import { CONTEXTS, VIEWS } from "../../kit/ids.ts";
import type { Services } from "../../services.ts";
import type { ToolServerRef } from "../../toolServers/authAttempts.ts";
import type { Grant } from "../../toolServers/authState.ts";
import { ToolPicks } from "../../toolServers/toolPicks.ts";
import type { ToolRef } from "../../toolServers/toolPicks.ts";
import { BranchNode } from "../../kit/tree/branchNode.ts";
import type { NodeHost, TreeNode } from "../../kit/tree/node.ts";
import { PlatformView } from "../platform/platformView.ts";
import { toolServerNode } from "./toolServerRows.ts";
import type { ServerRowRef, ToolServerNode } from "./toolServerRows.ts";

/** The view, with the tools that are picked in it. */
export class ToolServersView implements vscode.Disposable {
  /** The rows, as the editor shows them. */
  readonly platforms: PlatformView;
  /** The tools that are checked. */
  readonly picks = new ToolPicks();
  readonly #services: Services;
  readonly #subscriptions: vscode.Disposable;
  readonly #forced = new Set<string>();

  constructor(services: Services) {
    this.#services = services;
    this.platforms = new PlatformView(services, {
      viewId: VIEWS.toolServers,
      refresh: "agentOperations.toolServers.refresh",
      emptyContext: CONTEXTS.toolServersEmpty,
      children: (connectionId, parent, host, signal) => this.#servers(connectionId, parent, host, signal),
      empty: (roots) => {
        const isEmpty = roots.every(({ known, failure }) => known?.length === 0 && failure === undefined);
        return roots.length > 0 && isEmpty ? "noToolServer" : undefined;
      },
    });
    const { view } = this.platforms;
    this.#subscriptions = vscode.Disposable.from(
      this.platforms,
      this.picks,
      view.onDidChangeCheckboxState(({ items }) => this.#checked(items)),
      this.picks.onDidChange(() => this.#tell()),
      services.authAttempts.onDidChange((server) => void this.reload(server)),
    );
    this.#tell();
  }

  /** The row of a tool server, if it is listed. */
  node({ connectionId, toolServerId }: ToolServerRef): ToolServerNode | undefined {
    return this.#nodes(connectionId).find(({ ref }) => ref.toolServerId === toolServerId);
  }

  /** Asks the platforms for their servers and the servers for their tools, as far as they are shown. */
  async refresh(): Promise<void> {
    await this.platforms.refresh();
    const shown = this.platforms.roots.flatMap(({ connectionId }) => this.#nodes(connectionId));
    await Promise.all(shown.filter(({ known }) => known !== undefined).map((node) => node.load()));
  }

  /** Asks anew for a platform's servers and for one server's tools, because something was done to it. */
  async reload(server: ToolServerRef): Promise<void> {
    this.platforms.changed();
    const root = this.platforms.roots.find(({ connectionId }) => connectionId === server.connectionId);
    if (root?.known === undefined) return;
    await root.load();
    const node = this.node(server);
    if (node?.known !== undefined) await node.load();
  }

  /** Asks a server itself for its tools, though the platform may remember them. */
  async loadTools(server: ToolServerRef): Promise<void> {
    this.#forced.add(server.toolServerId);
    await this.node(server)?.load();
  }

  dispose(): void {
    this.#subscriptions.dispose();
  }

  #nodes(connectionId: string): readonly ToolServerNode[] {
    const root = this.platforms.roots.find((node) => node.connectionId === connectionId);
    return (root?.known ?? []).filter(isServerNode);
  }

  async #servers(
    connectionId: string,
    parent: TreeNode,
    host: NodeHost,
    signal: AbortSignal,
  ): Promise<readonly TreeNode[]> {
    const { authAttempts: attempts } = this.#services;
    const { toolServers } = await this.#services.platforms.managedAgents(connectionId);
    const servers = await toolServers.list({ signal });
    const grants = await Promise.all(servers.map((server) => this.#grant(connectionId, server, signal)));
    this.picks.retain(
      connectionId,
      servers.map(({ id }) => id),
    );
    const tools = async (ref: ServerRowRef, asked: AbortSignal) => {
      const { url, oauth_provider_id: providerId } = ref.server;
      const force = this.#forced.delete(ref.toolServerId);
      const client = await this.#services.platforms.managedAgents(connectionId);
      const options = { providerId: providerId ?? undefined, force, signal: asked };
      return (await client.toolServers.tools(url, options)).tools;
    };
    return servers.map((server, index) => {
      const ref = { connectionId, toolServerId: server.id, server, grant: grants[index] ?? "untold" };
      return toolServerNode(ref, parent, { host, attempts, picks: this.picks, tools });
    });
  }

  /** Whether the person's grant is held, as the control plane tells it; without one, as the last session does. */
  async #grant(connectionId: string, server: ToolServer, signal: AbortSignal): Promise<Grant> {
    const providerId = server.oauth_provider_id;
    if (server.auth_type !== "oauth" || providerId === undefined || providerId === null) return "untold";
    const held = await this.#holds(connectionId, providerId, signal);
    if (held === true) return "held";
    const attempt = this.#services.authAttempts.of({ connectionId, toolServerId: server.id });
    if (attempt?.end?.outcome !== "connected" || attempt.sessionId === "") {
      return held === undefined ? "untold" : "missing";
    }
    const { authSessions } = await this.#services.platforms.managedAgents(connectionId);
    const session = await authSessions.get(attempt.sessionId, { signal }).catch(unlessUnknown);
    if (session?.status === "TOKEN_EXPIRED") return "over";
    return session?.status === "COMPLETED" && held === undefined ? "held" : "missing";
  }

  async #holds(connectionId: string, providerId: string, signal: AbortSignal): Promise<boolean | undefined> {
    try {
      const http = await this.#services.platforms.controlPlaneHttp(connectionId);
      const { Tokens } = await import("../../../api/controlPlane/tokens.ts");
      return (await new Tokens(http).exists(providerId, { signal })).has_token;
    } catch (error) {
      // Without a control plane that tells, the row says only that it uses OAuth.
      if (error instanceof ConnectionError || (error instanceof ApiError && error.kind !== "aborted")) {
        return undefined;
      }
      throw error;
    }
  }

  #checked(items: readonly (readonly [TreeNode, vscode.TreeItemCheckboxState])[]): void {
    const changes = items.flatMap(([node, state]): [ToolRef, boolean][] =>
      isToolNode(node) ? [[node.ref, state === vscode.TreeItemCheckboxState.Checked]] : [],
    );
    this.picks.set(changes);
  }

  #tell(): void {
    const count = this.picks.all.length;
    this.platforms.view.description = count === 0 ? "" : `${String(count)} picked`;
    void vscode.commands.executeCommand("setContext", CONTEXTS.toolsPicked, count > 0);
    this.platforms.changed();
  }
}

/** Whether a row is a tool server's. */
function isServerNode(value: unknown): value is ToolServerNode {
  return value instanceof BranchNode && value.id.startsWith("toolServer:");
}

/** Whether a row is a tool's. */
export function isToolNode(value: unknown): value is BranchNode<ToolRef> {
  return value instanceof BranchNode && value.id.startsWith("tool:");
}

function unlessUnknown(error: unknown): undefined {
  if (error instanceof ApiError && ["notFound", "invalid"].includes(error.kind)) return undefined;
  throw error;
}
