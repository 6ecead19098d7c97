/** The connections that are whole platforms, and a client for each of their interfaces. */

import type { BulkExports } from "../../api/bulkExports/index.ts";
import type { ControlPlane } from "../../api/controlPlane/index.ts";
import type { Http } from "../../api/http.ts";
import type { ManagedAgents } from "../../api/managedAgents/index.ts";
import type { ConnectionSetting } from "./connection.ts";
import type { Connections } from "./connections.ts";
import { ConnectionError } from "./connectionSettings.ts";
import type { LocalPlatform } from "../localPlatform/localPlatform.ts";
import type { Transport } from "./transport.ts";

/** Finds the platforms among the connections, and makes their clients. */
export class Platforms {
  readonly #connections: Connections;
  readonly #transport: Transport;
  readonly #localPlatform: LocalPlatform;

  constructor(connections: Connections, transport: Transport, localPlatform: LocalPlatform) {
    this.#connections = connections;
    this.#transport = transport;
    this.#localPlatform = localPlatform;
  }

  /** Platforms in the order of the settings, the Local Platform among them. */
  list(): readonly ConnectionSetting[] {
    return this.#connections.list().filter(({ kind }) => kind === "platform" || kind === "localPlatform");
  }

  /** Requests below the control plane's address; throws ConnectionError. */
  async controlPlaneHttp(connectionId: string): Promise<Http> {
    await this.#resumed(connectionId);
    const { name, controlPlaneUrl } = this.#connections.resolve(connectionId);
    if (controlPlaneUrl !== undefined) return this.#transport.http(connectionId, controlPlaneUrl);
    throw new ConnectionError(
      "controlPlaneMissing",
      `The connection "${name}" has no control plane.`,
      "Edit the connection and enter the control plane's address.",
    );
  }

  /** Deployments, revisions and their logs; throws ConnectionError. */
  async controlPlane(connectionId: string): Promise<ControlPlane> {
    const http = await this.controlPlaneHttp(connectionId);
    const { ControlPlane } = await import("../../api/controlPlane/index.ts");
    return new ControlPlane(http);
  }

  /** Whether the connection has a control plane, running or not. */
  hasControlPlane(connectionId: string): boolean {
    const { kind, controlPlaneUrl } = this.#connections.get(connectionId) ?? {};
    return kind === "localPlatform" || (kind === "platform" && controlPlaneUrl !== undefined);
  }

  /** Requests below the main address: managed agents, tool servers, bulk exports; throws ConnectionError. */
  async http(connectionId: string): Promise<Http> {
    await this.#resumed(connectionId);
    return this.#transport.http(connectionId, this.#connections.resolve(connectionId).url);
  }

  /** The managed-agents API, under the name that the connection's dialect has for it; throws ConnectionError. */
  async managedAgents(connectionId: string): Promise<ManagedAgents> {
    await this.#resumed(connectionId);
    const { url, dialect } = this.#connections.resolve(connectionId);
    const { ManagedAgents, managedAgentsUrl } = await import("../../api/managedAgents/index.ts");
    return new ManagedAgents(await this.#transport.http(connectionId, managedAgentsUrl(url, dialect)));
  }

  /** Destinations and export jobs of the connection's workspace; throws ConnectionError. */
  async bulkExports(connectionId: string): Promise<BulkExports> {
    const { BulkExports } = await import("../../api/bulkExports/index.ts");
    return new BulkExports(await this.http(connectionId));
  }

  /** A Local Platform that another window or an earlier session left running is found first. */
  async #resumed(connectionId: string): Promise<void> {
    if (this.#connections.get(connectionId)?.kind === "localPlatform") await this.#localPlatform.resume();
  }
}
