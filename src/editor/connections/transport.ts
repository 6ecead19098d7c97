/** How requests of a connection are made: its key, its headers, the editor's network. */

import * as vscode from "vscode";
import { Capabilities } from "../../api/capabilities.ts";
import type { Exchange, Http, HttpOptions } from "../../api/http.ts";
import { ServerClocks } from "../../api/serverClocks.ts";
import { Turns } from "../../api/turns.ts";
import type { ApiKeys } from "./apiKeys.ts";
import type { ConnectionSetting } from "./connection.ts";
import type { Connections } from "./connections.ts";
import { resolveHeaders } from "./connectionSettings.ts";
import { admit, agreedTo, currentAction } from "./guard.ts";
import type { LocalPlatform } from "../localPlatform/localPlatform.ts";
import { ConnectionStates } from "./connectionStates.ts";
import type { Network } from "../network/network.ts";

/** A request that was to change something, and who asked for it. */
export interface MadeChange {
  readonly connection: ConnectionSetting;
  readonly exchange: Exchange;
  /** The name of the action; undefined for what nobody asked for. */
  readonly by: string | undefined;
  /** What a person agreed to before. */
  readonly agreed: string | undefined;
}

/** Makes requests in the name of connections. */
export class Transport implements vscode.Disposable {
  readonly #connections: Connections;
  readonly #apiKeys: ApiKeys;
  readonly #network: Network;
  readonly #localPlatform: LocalPlatform;
  /** Limits the requests to all servers together. */
  readonly #turns = new Turns();
  readonly #exchanged = new vscode.EventEmitter<Exchange>();
  /** Each request that a client of ours made, for the log and for counting. */
  readonly onExchange = this.#exchanged.event;
  readonly #changed = new vscode.EventEmitter<MadeChange>();
  /** Each of them that was to change something. */
  readonly onDidMakeChange = this.#changed.event;
  readonly #stateChanged = new vscode.EventEmitter<void>();
  /** A connection is seen otherwise than before: it answers again, or no more. */
  readonly onDidChangeConnectionState = this.#stateChanged.event;
  /** How connections were seen last. */
  readonly connectionStates = new ConnectionStates(() => this.#stateChanged.fire());
  /** What the clocks of the servers say that answered. */
  readonly serverClocks = new ServerClocks();
  readonly #subscription: vscode.Disposable;
  /** What servers were found not to support, by connection and address. */
  readonly #capabilities = new Map<string, Capabilities>();
  readonly #foundUnsupported = new vscode.EventEmitter<void>();
  /** One more capability of a server was found to be missing: actions for it are to be hidden. */
  readonly onDidFindUnsupported = this.#foundUnsupported.event;

  constructor(connections: Connections, apiKeys: ApiKeys, network: Network, localPlatform: LocalPlatform) {
    this.#connections = connections;
    this.#apiKeys = apiKeys;
    this.#network = network;
    this.#localPlatform = localPlatform;
    this.#subscription = apiKeys.onDidChange((id) => this.connectionStates.forget(id, Date.now()));
  }

  /**
   * Requests below one address of a connection, or of a deployment's server on it; key and headers are read anew for
   * each. Throws ConnectionError.
   */
  async http(
    connectionId: string,
    url: string,
    of: "connection" | "deployment" = "connection",
  ): Promise<Http> {
    const { Http } = await import("../../api/http.ts");
    const isHere = this.#connections.get(connectionId)?.kind === "workspaceGraphs";
    return new Http({
      baseUrl: url,
      ...(await this.outgoing(connectionId, of)),
      headers: () => this.headers(connectionId, url),
      capabilities: this.capabilities(connectionId, url),
      turns: this.#turns,
      ...(isHere && { heldUntil: () => this.#connections.heldUntil(connectionId) }),
    });
  }

  /**
   * What all requests of a connection have in common, also those to a pre-signed URL: the network, the guard in front of
   * changes, and the record for the log. Throws ConnectionError.
   */
  async outgoing(
    connectionId: string,
    of: "connection" | "deployment" = "connection",
  ): Promise<Required<Pick<HttpOptions, "dispatcher" | "admit" | "onExchange">>> {
    const connection = this.#connections.resolve(connectionId);
    return {
      dispatcher: await this.#network.dispatcher(),
      admit: (change) => admit(() => this.#connections.resolve(connectionId), change),
      onExchange: (exchange) => {
        this.#exchanged.fire(exchange);
        // A server may be down behind a platform that is up, and be reached at the platform's own address.
        if (of === "connection") this.connectionStates.note(connection, exchange, Date.now());
        if (exchange.clock !== undefined) this.serverClocks.note(exchange.url, exchange.clock);
        if (exchange.changes === true) {
          const by = currentAction()?.name;
          this.#changed.fire({ connection, exchange, by, agreed: agreedTo(connectionId) });
        }
        if (exchange.error === "refused" && connection.kind === "localPlatform")
          void this.#localPlatform.check();
      },
    };
  }

  /** What a server supports; all clients of it share this. */
  capabilities(connectionId: string, url: string): Capabilities {
    const key = `${connectionId} ${url}`;
    const known = this.#capabilities.get(key) ?? new Capabilities(() => this.#foundUnsupported.fire());
    this.#capabilities.set(key, known);
    return known;
  }

  /** Whether anything of the connection may go to the address: a person typed or confirmed it. */
  mayLeave(connectionId: string, url: string): Promise<boolean> {
    return this.#apiKeys.allows(this.#connections.resolve(connectionId), url);
  }

  /**
   * What authorizes a request of the connection to the address; nothing where nobody typed or confirmed that address.
   * Throws ConnectionError.
   */
  async headers(connectionId: string, url: string): Promise<Readonly<Record<string, string>>> {
    const connection = this.#connections.resolve(connectionId);
    if (!(await this.mayLeave(connectionId, url))) return {};
    return headersWith(connection, await this.#apiKeys.read(connection, url));
  }

  dispose(): void {
    this.#subscription.dispose();
    this.#exchanged.dispose();
    this.#changed.dispose();
    this.#foundUnsupported.dispose();
    this.#stateChanged.dispose();
  }
}

/** What is sent with each request of a connection that has this key; throws ConnectionError. */
export function headersWith(
  connection: Omit<ConnectionSetting, "id">,
  key: string | undefined,
): Readonly<Record<string, string>> {
  const ours = {
    ...(connection.workspaceId === undefined ? {} : { "x-tenant-id": connection.workspaceId }),
    ...(key === undefined ? {} : authorization(connection, key)),
  };
  const extra = Object.entries(resolveHeaders(connection.headers, process.env));
  return { ...Object.fromEntries(extra.filter(([name]) => !(name.toLowerCase() in ours))), ...ours };
}

function authorization(
  { auth = "apiKey" }: Pick<ConnectionSetting, "auth">,
  key: string,
): Readonly<Record<string, string>> {
  switch (auth) {
    case "apiKey":
      return { "x-api-key": key };
    case "bearer":
      return { authorization: `Bearer ${key}` };
    default:
      return auth satisfies never;
  }
}
