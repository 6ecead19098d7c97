/** A connection's row, and below it the deployments and agent servers that it reaches, or the threads of the one it is. */

import type { DeploymentsHost } from "./deploymentParts.ts";
import type * as vscode from "vscode";
import type { KeyState } from "../../connections/apiKeys.ts";
import type { AgentServerRef, ConnectionSetting } from "../../connections/connection.ts";
import { serverKey } from "../../connections/serverRef.ts";
import type { LocalPlatformState } from "../../localPlatform/localPlatform.ts";
import type { Services } from "../../services.ts";
import { AgentServerNode } from "../threads/agentServerNode.ts";
import { connectionContext, connectionDescription, connectionItem } from "../platform/connectionRow.ts";
import type { ConnectionFacts } from "../platform/connectionRow.ts";
import { FailureNode } from "../../kit/tree/failureNode.ts";
import type { PollResult } from "../../kit/tree/pollSchedule.ts";
import type { TreeNode } from "../../kit/tree/node.ts";
import { PlatformDeployments } from "./platformDeployments.ts";
import { refusesKey, ServerBranch } from "../threads/serverBranch.ts";

/** A connection's row. */
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
  readonly #host: DeploymentsHost;
  readonly #kept = new Map<string, AgentServerNode>();
  /** The agent servers whose addresses stand in the settings. */
  #named: readonly AgentServerNode[] | undefined;
  #server: ServerBranch | undefined;
  #deployments: PlatformDeployments | undefined;
  #failure: { readonly error: unknown } | undefined;
  /** Counts what was forgotten: an answer from before is none. */
  #turn = 0;
  #key: KeyState | undefined;

  constructor(setting: ConnectionSetting, startsOpen: boolean, services: Services, host: DeploymentsHost) {
    this.id = `connection:${setting.id}`;
    this.connectionId = setting.id;
    this.setting = setting;
    this.open = startsOpen;
    this.#startsOpen = startsOpen;
    this.platformState = setting.kind === "localPlatform" ? services.localPlatform.state : undefined;
    this.#services = services;
    this.#host = host;
  }

  /** The agent server that the connection is and whose threads hang below it; undefined for a platform. */
  get server(): ServerBranch | undefined {
    return this.#server;
  }

  /** The deployments; undefined for a connection without a control plane, and before they were asked for. */
  get deployments(): PlatformDeployments | undefined {
    return this.#deployments;
  }

  /** The agent servers as far as they are known, those of running deployments among them. */
  get servers(): readonly ServerBranch[] {
    const deployed = (this.#deployments?.nodes ?? []).flatMap(({ server }) => server ?? []);
    const own = this.#server === undefined ? [] : [this.#server];
    return [...own, ...deployed, ...(this.#named ?? []).map(({ server }) => server)];
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
        : [new FailureNode(this, this.connectionId, this.failure.error, this.#host)];
    if (this.#failure !== undefined) return failure;
    if (this.#server !== undefined) return this.#server.known;
    return this.#named && [...failure, ...(this.#deployments?.rows ?? []), ...this.#named];
  }

  snapshot(): string {
    return [this.setting.name, connectionDescription(this.#shown), this.#contextValue].join("\n");
  }

  item(): vscode.TreeItem {
    const item = connectionItem(this.#shown, this.#startsOpen);
    item.id = this.id;
    item.contextValue = this.#contextValue;
    return item;
  }

  async children(): Promise<readonly TreeNode[]> {
    // What was fetched may be forgotten meanwhile, as a key came or went: nobody else would ask again.
    while (this.known === undefined && !this.#host.signal.aborted)
      await (this.#named === undefined ? this.load() : this.#server?.load());
    return this.known ?? [];
  }

  /** Finds deployments and agent servers anew; those that are known stay the same rows. */
  async load(): Promise<void> {
    const { agentServers, apiKeys, platforms } = this.#services;
    const turn = this.#turn;
    try {
      this.#key = await apiKeys.state(this.setting);
      const named = await agentServers.named(this.connectionId);
      if (platforms.hasControlPlane(this.connectionId)) await this.#loadDeployments();
      if (turn !== this.#turn) return;
      const [first] = named;
      if (first !== undefined && isServer(this.setting)) {
        this.#server = this.#branch(first);
        this.#named = [];
      } else {
        const open = this.#startsOpen && named.length === 1 && this.servers.length === 0;
        this.#named = named.map((ref) => this.#row(ref, open));
      }
      this.#failure = undefined;
    } catch (error) {
      if (turn !== this.#turn) return;
      this.#failure = { error };
    }
    this.#host.changed();
  }

  /** Looks whether deployments changed. */
  async lookAgain(signal: AbortSignal): Promise<PollResult> {
    const deployments = this.#deployments;
    const refused = deployments?.failure !== undefined && refusesKey(deployments.failure.error);
    if (deployments === undefined || refused || this.#named === undefined)
      return { changed: false, busy: false };
    return deployments.lookAgain(signal);
  }

  /** Forgets what was found: the connection was changed, or its key. */
  reset(): void {
    this.#turn += 1;
    this.#named = undefined;
    this.#server?.leave();
    this.#server = undefined;
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

  #branch(ref: AgentServerRef): ServerBranch {
    const known = this.#server;
    if (known !== undefined && isSame(known.ref, ref)) return known;
    known?.leave();
    return new ServerBranch(this, ref, this.open, this.#services, this.#host);
  }

  #row(ref: AgentServerRef, open: boolean): AgentServerNode {
    const known = this.#kept.get(serverKey(ref));
    if (known !== undefined && isSame(known.server.ref, ref)) return known;
    const made = new AgentServerNode(this, ref, open, this.#services, this.#host);
    this.#kept.set(serverKey(ref), made);
    return made;
  }

  get #shown(): ConnectionFacts {
    const { count = "" } = this.#server ?? {};
    return { setting: this.setting, state: this.#services.localPlatform.state, count };
  }

  /** Menus also ask whether a key is missing. */
  get #contextValue(): string {
    const known = this.#key !== undefined && this.setting.kind !== "localPlatform";
    const missing = known && this.#key !== "stored" && this.#key !== "env" && this.#wantsKey;
    return connectionContext(this.#shown) + (missing ? " key" : "");
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

/** Whether the connection reaches one server alone, which then needs no row of its own. */
function isServer({ kind }: ConnectionSetting): boolean {
  return kind === "agentServer" || kind === "protocol";
}

function isSame(one: AgentServerRef, other: AgentServerRef): boolean {
  return one.url === other.url && one.name === other.name;
}
