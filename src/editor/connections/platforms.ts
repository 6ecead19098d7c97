/** The connections that are whole platforms, and a client for each of their interfaces. */

import type { Destinations } from "../../api/bulkExports/destinations.ts";
import type { ExportJobs } from "../../api/bulkExports/exportJobs.ts";
import type { Projects } from "../../api/bulkExports/projects.ts";
import type { ControlPlane } from "../../api/controlPlane/index.ts";
import type { Http } from "../../api/http.ts";
import type { ManagedAgents } from "../../api/managedAgents/index.ts";
import { type ConnectionSetting, isPlatform } from "./connection.ts";
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
    return this.#connections.list().filter(isPlatform);
  }

  /** Requests below the control plane's address; throws ConnectionError. */
  async controlPlaneHttp(connectionId: string): Promise<Http> {
    await this.#resumed(connectionId);
    const { name, controlPlaneUrl } = this.#connections.resolve(connectionId);
    if (controlPlaneUrl !== undefined) return this.#transport.http(connectionId, controlPlaneUrl);
    throw new ConnectionError(
      "controlPlaneMissing",
      `The connection “${name}” has no control plane.`,
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

  /** What the control plane's clock says, in epoch milliseconds: how old its deployments and revisions are goes by that. */
  now(connectionId: string): number {
    const url = this.#connections.get(connectionId)?.controlPlaneUrl;
    const isKnown = url !== undefined && URL.canParse(url);
    return Date.now() + (isKnown ? this.#transport.serverClocks.ahead(url) : 0);
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

  /** Where exports of the connection's workspace go; throws ConnectionError. */
  async destinations(connectionId: string): Promise<Destinations> {
    const { Destinations } = await import("../../api/bulkExports/destinations.ts");
    return new Destinations(await this.http(connectionId));
  }

  /** Exports of the connection's workspace; throws ConnectionError. */
  async exportJobs(connectionId: string): Promise<ExportJobs> {
    const { ExportJobs } = await import("../../api/bulkExports/exportJobs.ts");
    return new ExportJobs(await this.http(connectionId));
  }

  /** The tracing projects of the connection's workspace; throws ConnectionError. */
  async projects(connectionId: string): Promise<Projects> {
    const { Projects } = await import("../../api/bulkExports/projects.ts");
    return new Projects(await this.http(connectionId));
  }

  /** A Local Platform that another window or an earlier session left running is found first. */
  async #resumed(connectionId: string): Promise<void> {
    if (this.#connections.get(connectionId)?.kind === "localPlatform") await this.#localPlatform.resume();
  }
}
