/** A connection's row, and below it the agent servers that it reaches. */

import type * as vscode from "vscode";
import type { KeyState } from "../apiKeys.ts";
import type { ConnectionSetting } from "../connection.ts";
import type { LocalPlatformState } from "../localPlatform.ts";
import type { Services } from "../services.ts";
import { AgentServerNode } from "./agentServerNode.ts";
import { connectionContext, connectionDescription, connectionItem } from "./connectionRow.ts";
import type { ConnectionRow } from "./connectionRow.ts";
import { FailureNode } from "./failureNode.ts";
import type { NodeHost, TreeNode } from "./node.ts";

export class ConnectionNode implements TreeNode {
  readonly id: string;
  readonly parent = undefined;
  readonly connectionId: string;
  setting: ConnectionSetting;
  /** The Local Platform's state when the servers were asked for. */
  platformState: LocalPlatformState | undefined;
  /** Whether what is below can be seen. */
  open: boolean;
  readonly #startsOpen: boolean;
  readonly #services: Services;
  readonly #host: NodeHost;
  readonly #kept = new Map<string, AgentServerNode>();
  #servers: readonly AgentServerNode[] | undefined;
  #failure: { readonly error: unknown } | undefined;
  #key: KeyState | undefined;

  constructor(setting: ConnectionSetting, startsOpen: boolean, services: Services, host: NodeHost) {
    this.id = `connection:${setting.id}`;
    this.connectionId = setting.id;
    this.setting = setting;
    this.open = startsOpen;
    this.#startsOpen = startsOpen;
    this.platformState = setting.kind === "localPlatform" ? services.localPlatform.state : undefined;
    this.#services = services;
    this.#host = host;
  }

  /** The agent servers as far as they are known. */
  get servers(): readonly AgentServerNode[] {
    return this.#servers ?? [];
  }

  /** Why the agent servers can't be listed. */
  get failure(): { readonly error: unknown } | undefined {
    return this.#failure;
  }

  /** Whether a key is there; undefined before the servers were asked for. */
  get key(): KeyState | undefined {
    return this.#key;
  }

  get known(): readonly TreeNode[] | undefined {
    if (this.#failure === undefined) return this.#servers;
    return [new FailureNode(this, this.connectionId, this.#failure.error, this.#services.report)];
  }

  look(): string {
    return [this.setting.name, connectionDescription(this.#row), this.#contextValue].join("\n");
  }

  item(): vscode.TreeItem {
    const item = connectionItem(this.#row, this.#startsOpen);
    item.id = this.id;
    item.contextValue = this.#contextValue;
    return item;
  }

  async children(): Promise<readonly TreeNode[]> {
    if (this.known === undefined) await this.load();
    return this.known ?? [];
  }

  /** Finds the agent servers anew; those that are known stay the same rows. */
  async load(): Promise<void> {
    const { agentServers, apiKeys } = this.#services;
    try {
      this.#key = await apiKeys.state(this.setting);
      const servers = await agentServers.list(this.connectionId);
      this.#servers = servers.map((ref) => this.#server(ref, this.#startsOpen && servers.length === 1));
      this.#failure = undefined;
    } catch (error) {
      this.#failure = { error };
    }
    this.#host.changed();
  }

  /** Forgets what was found: the connection was changed, or its key. */
  reset(): void {
    this.#servers = undefined;
    this.#failure = undefined;
    this.#kept.clear();
  }

  #server(ref: AgentServerNode["ref"], open: boolean): AgentServerNode {
    const known = this.#kept.get(ref.serverId);
    if (known?.ref.url === ref.url && known.ref.name === ref.name) return known;
    const made = new AgentServerNode(this, ref, open, this.#services, this.#host);
    this.#kept.set(ref.serverId, made);
    return made;
  }

  get #row(): ConnectionRow {
    return { setting: this.setting, state: this.#services.localPlatform.state };
  }

  /** Menus also ask whether a key is missing. */
  get #contextValue(): string {
    const known = this.#key !== undefined && this.setting.kind !== "localPlatform";
    const missing = known && this.#key !== "stored" && this.#key !== "env" && this.#wantsKey;
    return connectionContext(this.#row) + (missing ? " key" : "");
  }

  /** A server that needs no key is left in peace. */
  get #wantsKey(): boolean {
    return this.#key !== "none" || this.servers.some(({ failure }) => failure !== undefined);
  }
}
