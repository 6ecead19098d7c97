/** A connection's row, and below it the agent servers that it reaches. */

import * as vscode from "vscode";
import type { KeyState } from "../apiKeys.ts";
import type { ConnectionKind, ConnectionSetting } from "../connection.ts";
import type { LocalPlatformState } from "../localPlatform.ts";
import type { Services } from "../services.ts";
import { AgentServerNode } from "./agentServerNode.ts";
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
    return [this.setting.name, this.#description, this.#contextValue].join("\n");
  }

  item(): vscode.TreeItem {
    const { Collapsed, Expanded } = vscode.TreeItemCollapsibleState;
    const item = new vscode.TreeItem(this.setting.name, this.#startsOpen ? Expanded : Collapsed);
    item.id = this.id;
    item.description = this.#description;
    item.iconPath = new vscode.ThemeIcon(kindIcon(this.setting.kind));
    item.contextValue = this.#contextValue;
    item.tooltip = [this.setting.name, kindWords(this.setting.kind), this.setting.url ?? ""]
      .filter((line) => line !== "")
      .join("\n");
    item.accessibilityInformation = { label: `Connection ${this.setting.name} ${this.#description}`.trim() };
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

  get #description(): string {
    if (this.setting.kind !== "localPlatform")
      return this.setting.url === undefined ? "" : hostOf(this.setting.url);
    return this.#services.localPlatform.state.kind;
  }

  /** Menus ask it for the kind, the Local Platform's state, and whether a key is missing. */
  get #contextValue(): string {
    const { kind } = this.setting;
    if (kind === "localPlatform") return `connection local ${this.#services.localPlatform.state.kind}`;
    const missing =
      this.#key !== undefined && this.#key !== "stored" && this.#key !== "env" && this.#wantsKey;
    return missing ? `connection ${kind} key` : `connection ${kind}`;
  }

  /** A server that needs no key is left in peace. */
  get #wantsKey(): boolean {
    return this.#key !== "none" || this.servers.some(({ failure }) => failure !== undefined);
  }
}

function kindIcon(kind: ConnectionKind): string {
  return { platform: "cloud", agentServer: "server", protocol: "broadcast", localPlatform: "vm" }[kind];
}

function kindWords(kind: ConnectionKind): string {
  return {
    platform: "Platform",
    agentServer: "Agent server",
    protocol: "Chat backend",
    localPlatform: "On this machine",
  }[kind];
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : url;
}
