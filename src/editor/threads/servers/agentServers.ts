/** The agent servers that the connections reach, and a ready client for each. */

import type * as vscode from "vscode";
import { AgentServer } from "../../../api/agentServer/index.ts";
import type { Http } from "../../../api/http.ts";
import type { FeedbackSubmission } from "../../../api/agentServer/feedback.ts";
import { applicationUrl, ChatBackends } from "./chatBackends.ts";
import type { AgentServerRef, Connection } from "../../connections/connection.ts";
import {
  type ConnectedServer,
  isSameServer,
  serverAddress,
  serverKey,
  type ServerRef,
} from "../../connections/serverRef.ts";
import type { Connections } from "../../connections/connections.ts";
import { ConnectionError } from "../../connections/connectionSettings.ts";
import type { Deployments } from "../../deployments/deployments.ts";
import type { LocalPlatform } from "../../localPlatform/localPlatform.ts";
import { showWarning } from "../../kit/notice.ts";
import { checkFeedbackAddress } from "./feedback.ts";
import type { Transport } from "../../connections/transport.ts";

/** Finds agent servers and chat backends, and makes their clients. */
export class AgentServers {
  readonly #connections: Connections;
  readonly #transport: Transport;
  readonly #localPlatform: LocalPlatform;
  readonly #deployments: Deployments;
  /** Where a person lets feedback go, by connection and origin, until the window is closed. */
  readonly #feedbackAddresses = new Set<string>();
  /** Where the server of a deployment was last, by `serverKey`. */
  readonly #lastUrls = new Map<string, string>();
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

  /**
   * The servers of `named` and those of deployments. A control plane that fails hides no server whose address is known.
   */
  async list(connectionId: string, signal?: AbortSignal): Promise<readonly AgentServerRef[]> {
    const named = await this.named(connectionId);
    try {
      return [...(await this.#deployments.servers(connectionId, signal)), ...named];
    } catch (error) {
      if (named.length === 0) throw error;
      return named;
    }
  }

  /** How many deployments `list` read of a connection that has more; undefined where it read all. */
  cutAt(connectionId: string): number | undefined {
    return this.#deployments.cutAt(connectionId);
  }

  async find({ connectionId, server }: ConnectedServer): Promise<AgentServerRef | undefined> {
    const named = await this.named(connectionId);
    if (server.kind !== "deployment") return named.find((ref) => isSameServer(ref, { connectionId, server }));
    return this.#deployments.server({ connectionId, deploymentId: server.deploymentId });
  }

  /** A client of the server as it is by the time of each call: its address, key and proxy may change. */
  client(ref: ConnectedServer): AgentServer {
    return new AgentServer(() => this.#http(ref));
  }

  /** How far the server's clock is ahead of this machine's, in milliseconds; 0 as long as its answers tell of no difference. */
  clockAhead(ref: ConnectedServer): number {
    const named = "url" in ref.server ? ref.server.url : this.#lastUrls.get(serverKey(ref));
    const url = named ?? this.#connections.get(ref.connectionId)?.url;
    return url !== undefined && URL.canParse(url) ? this.#transport.serverClocks.ahead(url) : 0;
  }

  /** What the server's clock says, in epoch milliseconds: how old something is goes by the clock that dated it. */
  now(ref: ConnectedServer): number {
    return Date.now() + this.clockAhead(ref);
  }

  /** The threads of a server, whichever way it lists them. */
  async threads(ref: ConnectedServer): Promise<Pick<AgentServer["threads"], "search" | "count" | "row">> {
    return ref.server.kind === "chatBackend"
      ? this.chats.threads(ref.connectionId)
      : this.client(ref).threads;
  }

  /** Gives feedback by pre-signed URL: no key and no header of a connection goes with it. */
  async submitFeedback(
    target: ConnectedServer,
    url: string,
    feedback: FeedbackSubmission,
    signal: AbortSignal,
  ): Promise<void> {
    const connection = this.#connections.resolve(target.connectionId);
    const server = await this.find(target).catch(() => undefined);
    await checkFeedbackAddress(url, {
      serverUrl: server?.url ?? connection.url,
      isKnown: (address) => this.#transport.mayLeave(connection.id, address),
      ask: (origin) => this.#feedbackAllowed(connection.name, origin),
    });
    const { submitFeedback } = await import("../../../api/agentServer/feedback.ts");
    await submitFeedback(url, feedback, { ...(await this.#transport.outgoing(connection.id)), signal });
  }

  async #http(ref: ConnectedServer): Promise<Http> {
    const server = await this.find(ref);
    if (server === undefined) {
      throw new ConnectionError(
        "serverMissing",
        `The connection no longer has the agent server ${serverAddress(ref.server)}.`,
        "Choose another agent server, or edit the connection.",
      );
    }
    this.#lastUrls.set(serverKey(ref), server.url);
    const of = ref.server.kind === "deployment" ? "deployment" : "connection";
    return this.#transport.http(ref.connectionId, server.url, of);
  }

  async #feedbackAllowed(connection: string, origin: string): Promise<boolean> {
    const agreed = `${connection} ${origin}`;
    if (this.#feedbackAddresses.has(agreed)) return true;
    const detail = `A server of “${connection}” names this address, which is not its own. The feedback goes there without a key.`;
    const button = "Send There";
    const answer = await showWarning(`Send feedback to ${origin}?`, { modal: true, detail }, button);
    if (answer === button) this.#feedbackAddresses.add(agreed);
    return answer === button;
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
    case "workspaceGraphs": {
      const { name, url } = connection;
      return [{ connectionId, server: { kind: "workspaceGraphs" }, name, url }];
    }
    case "localPlatform":
      return [];
    default:
      return connection.kind satisfies never;
  }
}
