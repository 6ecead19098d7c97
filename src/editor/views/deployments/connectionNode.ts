/** A connection's row, and below it the deployments and agent servers that it reaches. */

import type * as vscode from "vscode";
import type { KeyState } from "../../connections/apiKeys.ts";
import type { AgentServerRef, ConnectionSetting } from "../../connections/connection.ts";
import type { LocalPlatformState } from "../../localPlatform/localPlatform.ts";
import type { Services } from "../../services.ts";
import { AgentServerNode } from "../threads/agentServerNode.ts";
import { connectionContext, connectionDescription, connectionItem } from "./connectionRow.ts";
import type { ConnectionRow } from "./connectionRow.ts";
import { FailureNode } from "../failureNode.ts";
import type { Look } from "../lookSchedule.ts";
import type { NodeHost, TreeNode } from "../node.ts";
import { PlatformDeployments } from "./platformDeployments.ts";
import { refusesKey } from "../threads/serverBranch.ts";
import type { ServerBranch } from "../threads/serverBranch.ts";

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
  /** The agent servers whose addresses stand in the settings. */
  #named: readonly AgentServerNode[] | undefined;
  #deployments: PlatformDeployments | undefined;
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

  /** The deployments; undefined for a connection without a control plane, and before they were asked for. */
  get deployments(): PlatformDeployments | undefined {
    return this.#deployments;
  }

  /** The agent servers as far as they are known, those of running deployments among them. */
  get servers(): readonly ServerBranch[] {
    const deployed = (this.#deployments?.nodes ?? []).flatMap(({ server }) => server ?? []);
    return [...deployed, ...(this.#named ?? []).map(({ server }) => server)];
  }

  /** Why what the connection has can't be listed. */
  get failure(): { readonly error: unknown } | undefined {
    return this.#failure ?? this.#deployments?.failure;
  }

  /** Whether a key is there; undefined before the servers were asked for. */
  get key(): KeyState | undefined {
    return this.#key;
  }

  get known(): readonly TreeNode[] | undefined {
    const failure =
      this.failure === undefined
        ? []
        : [new FailureNode(this, this.connectionId, this.failure.error, this.#services.report)];
    if (this.#failure !== undefined) return failure;
    return this.#named && [...failure, ...(this.#deployments?.rows ?? []), ...this.#named];
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

  /** Finds deployments and agent servers anew; those that are known stay the same rows. */
  async load(): Promise<void> {
    const { agentServers, apiKeys, platforms } = this.#services;
    try {
      this.#key = await apiKeys.state(this.setting);
      const named = await agentServers.named(this.connectionId);
      const { kind } = this.setting;
      if (platforms.hasControlPlane(this.connectionId)) await this.#loadDeployments();
      const only = this.#startsOpen && named.length === 1 && this.servers.length === 0;
      const label = kind === "platform" ? "address from the settings" : "";
      this.#named = named.map((ref) => this.#server(ref, { open: only, label }));
      this.#failure = undefined;
    } catch (error) {
      this.#failure = { error };
    }
    this.#host.changed();
  }

  /** Looks whether deployments changed. */
  async lookAgain(signal: AbortSignal): Promise<Look> {
    const deployments = this.#deployments;
    const refused = deployments?.failure !== undefined && refusesKey(deployments.failure.error);
    if (deployments === undefined || refused || this.#named === undefined)
      return { changed: false, busy: false };
    return deployments.lookAgain(signal);
  }

  /** Forgets what was found: the connection was changed, or its key. */
  reset(): void {
    this.#named = undefined;
    this.#deployments = undefined;
    this.#failure = undefined;
    this.#kept.clear();
  }

  async #loadDeployments(): Promise<void> {
    const made = new PlatformDeployments(
      this,
      this.connectionId,
      this.#startsOpen,
      this.#services,
      this.#host,
    );
    this.#deployments ??= made;
    await this.#deployments.load();
  }

  #server(ref: AgentServerRef, look: { readonly open: boolean; readonly label: string }): AgentServerNode {
    const known = this.#kept.get(ref.serverId);
    if (known?.server.ref.url === ref.url && known.server.ref.name === ref.name) return known;
    const made = new AgentServerNode(this, ref, look, this.#services, this.#host);
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
    return (
      this.#key !== "none" ||
      this.failure !== undefined ||
      this.servers.some(({ failure }) => failure !== undefined)
    );
  }
}
