/** How requests of a connection are made: its key, its headers, the editor's network. */

import * as vscode from "vscode";
import type { Dispatcher } from "undici";
import { Capabilities } from "../../api/capabilities.ts";
import type { Exchange, Http } from "../../api/http.ts";
import type { ApiKeys } from "./apiKeys.ts";
import type { ConnectionSetting } from "./connection.ts";
import type { Connections } from "./connections.ts";
import { resolveHeaders } from "./connectionSettings.ts";
import type { LocalPlatform } from "../localPlatform/localPlatform.ts";
import type { Network } from "../network/network.ts";

/** Makes requests in the name of connections. */
export class Transport implements vscode.Disposable {
  readonly #connections: Connections;
  readonly #apiKeys: ApiKeys;
  readonly #network: Network;
  readonly #localPlatform: LocalPlatform;
  readonly #exchanged = new vscode.EventEmitter<Exchange>();
  /** Each request that a client of ours made, for the log and for counting. */
  readonly onExchange = this.#exchanged.event;
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
  }

  /** Requests below one address of a connection; key and headers are read anew for each. Throws ConnectionError. */
  async http(connectionId: string, url: string): Promise<Http> {
    const { kind } = this.#connections.resolve(connectionId);
    const { Http } = await import("../../api/http.ts");
    return new Http({
      baseUrl: url,
      dispatcher: await this.dispatcher(),
      headers: () => this.headers(connectionId, url),
      capabilities: this.capabilities(connectionId, url),
      onExchange: (exchange) => {
        this.#exchanged.fire(exchange);
        if (exchange.error === "refused" && kind === "localPlatform") void this.#localPlatform.check();
      },
    });
  }

  /** The same for all clients of the server. */
  capabilities(connectionId: string, url: string): Capabilities {
    const key = `${connectionId} ${url}`;
    const known = this.#capabilities.get(key) ?? new Capabilities(() => this.#foundUnsupported.fire());
    this.#capabilities.set(key, known);
    return known;
  }

  /** What authorizes a request of the connection to the address; throws ConnectionError. */
  async headers(connectionId: string, url: string): Promise<Readonly<Record<string, string>>> {
    const connection = this.#connections.resolve(connectionId);
    const key = await this.#apiKeys.read(connection, url);
    const ours = {
      ...(connection.workspaceId === undefined ? {} : { "x-tenant-id": connection.workspaceId }),
      ...(key === undefined ? {} : authorization(connection, key)),
    };
    const extra = Object.entries(resolveHeaders(connection.headers, process.env));
    return { ...Object.fromEntries(extra.filter(([name]) => !(name.toLowerCase() in ours))), ...ours };
  }

  /** The editor's network, for requests that no connection authorizes. */
  dispatcher(): Promise<Dispatcher> {
    return this.#network.dispatcher();
  }

  dispose(): void {
    this.#exchanged.dispose();
    this.#foundUnsupported.dispose();
  }
}

function authorization(
  { auth = "apiKey" }: ConnectionSetting,
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
