/** The agent servers that the connections reach, and a ready client for each. */

import type * as vscode from "vscode";
import type { AgentServer } from "../../../api/agentServer/index.ts";
import type { FeedbackSubmission } from "../../../api/agentServer/feedback.ts";
import { applicationUrl, ChatBackends } from "./chatBackends.ts";
import type { AgentServerRef, Connection } from "../../connections/connection.ts";
import {
  type ConnectedServer,
  isSameServer,
  serverAddress,
  type ServerRef,
} from "../../connections/serverRef.ts";
import type { Connections } from "../../connections/connections.ts";
import { ConnectionError } from "../../connections/connectionSettings.ts";
import type { Deployments } from "../../deployments/deployments.ts";
import type { LocalPlatform } from "../../localPlatform/localPlatform.ts";
import type { Transport } from "../../connections/transport.ts";

/** Finds agent servers and chat backends, and makes their clients. */
export class AgentServers {
  readonly #connections: Connections;
  readonly #transport: Transport;
  readonly #localPlatform: LocalPlatform;
  readonly #deployments: Deployments;
  /** The servers among them that are chat backends. */
  readonly chats: ChatBackends;

  /** `memory` keeps which threads were made here on backends that list none. */
  constructor(
    connections: Connections,
    transport: Transport,
    localPlatform: LocalPlatform,
    deployments: Deployments,
    memory: vscode.Memento,
  ) {
    this.#connections = connections;
    this.#transport = transport;
    this.#localPlatform = localPlatform;
    this.#deployments = deployments;
    this.chats = new ChatBackends(connections, transport, memory);
  }

  /** The agent servers whose addresses are in the settings; throws ConnectionError when the connection can't be used. */
  async named(connectionId: string): Promise<readonly AgentServerRef[]> {
    if (this.#connections.get(connectionId)?.kind === "localPlatform") await this.#localPlatform.resume();
    return namedIn(this.#connections.resolve(connectionId));
  }

  /** The same and those of deployments; a control plane that fails hides no server whose address is known. */
  async list(connectionId: string, signal?: AbortSignal): Promise<readonly AgentServerRef[]> {
    const named = await this.named(connectionId);
    try {
      return [...(await this.#deployments.servers(connectionId, signal)), ...named];
    } catch (error) {
      if (named.length === 0) throw error;
      return named;
    }
  }

  async find({ connectionId, server }: ConnectedServer): Promise<AgentServerRef | undefined> {
    const named = await this.named(connectionId);
    if (server.kind !== "deployment") return named.find((ref) => isSameServer(ref, { connectionId, server }));
    return this.#deployments.server({ connectionId, deploymentId: server.deploymentId });
  }

  /** A client that reads key and headers for each request. */
  async client(ref: ConnectedServer): Promise<AgentServer> {
    const server = await this.find(ref);
    if (server === undefined) {
      throw new ConnectionError(
        "serverMissing",
        `The connection no longer has the agent server ${serverAddress(ref.server)}.`,
        "Choose another agent server, or edit the connection.",
      );
    }
    const { AgentServer } = await import("../../../api/agentServer/index.ts");
    return new AgentServer(await this.#transport.http(ref.connectionId, server.url));
  }

  /** The threads of a server, whichever way it lists them. */
  async threads(ref: ConnectedServer): Promise<Pick<AgentServer["threads"], "search" | "count" | "get">> {
    return ref.server.kind === "chatBackend"
      ? this.chats.threads(ref.connectionId)
      : (await this.client(ref)).threads;
  }

  /** Gives feedback by pre-signed URL: no key and no header of a connection goes with it. */
  async submitFeedback(url: string, feedback: FeedbackSubmission, signal: AbortSignal): Promise<void> {
    const { submitFeedback } = await import("../../../api/agentServer/feedback.ts");
    await submitFeedback(url, feedback, { dispatcher: await this.#transport.dispatcher(), signal });
  }
}

function namedIn(connection: Connection): readonly AgentServerRef[] {
  const { id: connectionId } = connection;
  const agentServer = (name: string, url: string): AgentServerRef => {
    const server: ServerRef = { kind: "agentServer", url };
    return { connectionId, server, name, url };
  };
  switch (connection.kind) {
    case "agentServer":
      return [agentServer(connection.name, connection.url)];
    case "platform":
      return (connection.agentServers ?? []).map(({ name, url }) => agentServer(name, url));
    case "protocol": {
      const { name, url } = connection;
      return [{ connectionId, server: { kind: "chatBackend", url }, name, url: applicationUrl(url) }];
    }
    case "localPlatform":
      return [];
    default:
      return connection.kind satisfies never;
  }
}
