/** The agent servers that the connections reach, and a ready client for each. */

import type { AgentServer } from "../api/agentServer/index.ts";
import type { FeedbackSubmission } from "../api/feedback.ts";
import type { AgentServerRef, Connection } from "./connection.ts";
import type { Connections } from "./connections.ts";
import { ConnectionError } from "./connectionSettings.ts";
import type { LocalPlatform } from "./localPlatform.ts";
import type { Transport } from "./transport.ts";

export class AgentServers {
  readonly #connections: Connections;
  readonly #transport: Transport;
  readonly #localPlatform: LocalPlatform;

  constructor(connections: Connections, transport: Transport, localPlatform: LocalPlatform) {
    this.#connections = connections;
    this.#transport = transport;
    this.#localPlatform = localPlatform;
  }

  /** The agent servers of a connection; throws ConnectionError when it can't be used. */
  async list(connectionId: string): Promise<readonly AgentServerRef[]> {
    if (this.#connections.get(connectionId)?.kind === "localPlatform") await this.#localPlatform.resume();
    return this.#listNow(this.#connections.resolve(connectionId));
  }

  async find(connectionId: string, serverId: string): Promise<AgentServerRef | undefined> {
    return (await this.list(connectionId)).find((server) => server.serverId === serverId);
  }

  /** A client that reads key and headers anew for each request. */
  async client(ref: { readonly connectionId: string; readonly serverId: string }): Promise<AgentServer> {
    const server = await this.find(ref.connectionId, ref.serverId);
    if (server === undefined) {
      throw new ConnectionError(
        "unknown",
        `The connection no longer has the agent server ${ref.serverId}.`,
        "Choose another agent server, or edit the connection.",
      );
    }
    const { AgentServer } = await import("../api/agentServer/index.ts");
    return new AgentServer(await this.#transport.http(ref.connectionId, server.url));
  }

  /** Gives feedback by pre-signed URL: no key and no header of a connection goes with it. */
  async submitFeedback(url: string, feedback: FeedbackSubmission, signal: AbortSignal): Promise<void> {
    const { submitFeedback } = await import("../api/feedback.ts");
    await submitFeedback(url, feedback, { dispatcher: await this.#transport.dispatcher(), signal });
  }

  #listNow(connection: Connection): readonly AgentServerRef[] {
    const server = (name: string, url: string, serverId: string = url): AgentServerRef => ({
      connectionId: connection.id,
      serverId,
      name,
      url,
    });
    switch (connection.kind) {
      case "agentServer":
        return [server(connection.name, connection.url)];
      case "platform":
        return (connection.agentServers ?? []).map(({ name, url }) => server(name, url));
      case "localPlatform": {
        const state = this.#localPlatform.state;
        if (state.kind !== "running") return [];
        return [server("Sample deployment", state.ready.deploymentUrl, state.ready.deploymentId)];
      }
      case "protocol":
        return [];
      default:
        return connection.kind satisfies never;
    }
  }
}
