/** The agent servers that the connections reach, and a ready client for each. */

import * as vscode from "vscode";
import type { AgentServer } from "../api/agentServer/index.ts";
import type { FeedbackSubmission } from "../api/feedback.ts";
import type { Exchange } from "../api/http.ts";
import type { ApiKeys } from "./apiKeys.ts";
import type { AgentServerRef, Connection } from "./connection.ts";
import type { Connections } from "./connections.ts";
import { ConnectionError, resolveHeaders } from "./connectionSettings.ts";
import type { LocalPlatform } from "./localPlatform.ts";
import type { Network } from "./networkSettings.ts";

export class AgentServers implements vscode.Disposable {
  readonly #connections: Connections;
  readonly #apiKeys: ApiKeys;
  readonly #network: Network;
  readonly #localPlatform: LocalPlatform;
  readonly #exchanged = new vscode.EventEmitter<Exchange>();
  /** Each request that a client of ours made, for the log and for counting. */
  readonly onExchange = this.#exchanged.event;

  constructor(connections: Connections, apiKeys: ApiKeys, network: Network, localPlatform: LocalPlatform) {
    this.#connections = connections;
    this.#apiKeys = apiKeys;
    this.#network = network;
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
    const { kind } = this.#connections.resolve(ref.connectionId);
    const [{ Http }, { AgentServer }] = await Promise.all([
      import("../api/http.ts"),
      import("../api/agentServer/index.ts"),
    ]);
    const http = new Http({
      baseUrl: server.url,
      dispatcher: await this.#network.dispatcher(),
      headers: () => this.headers(ref.connectionId, server.url),
      onExchange: (exchange) => {
        this.#exchanged.fire(exchange);
        if (exchange.error === "refused" && kind === "localPlatform") void this.#localPlatform.check();
      },
    });
    return new AgentServer(http);
  }

  /** What authorizes a request of the connection to the address; throws ConnectionError. */
  async headers(connectionId: string, url: string): Promise<Readonly<Record<string, string>>> {
    const connection = this.#connections.resolve(connectionId);
    const key = await this.#apiKeys.read(connection, url);
    return {
      ...resolveHeaders(connection.headers, process.env),
      ...(connection.workspaceId === undefined ? {} : { "x-tenant-id": connection.workspaceId }),
      ...(key === undefined ? {} : { "x-api-key": key }),
    };
  }

  /** Gives feedback by pre-signed URL: no key and no header of a connection goes with it. */
  async submitFeedback(url: string, feedback: FeedbackSubmission, signal: AbortSignal): Promise<void> {
    const { submitFeedback } = await import("../api/feedback.ts");
    await submitFeedback(url, feedback, { dispatcher: await this.#network.dispatcher(), signal });
  }

  dispose(): void {
    this.#exchanged.dispose();
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
