import { randomUUID } from "node:crypto";
import { reader, type Store } from "../store/store.ts";
import type { Vault } from "../access/vault.ts";
import type { ServerChange, ServerOrder } from "./serverBody.ts";

/** One header that a tool server gets with every request. */
export interface ServerHeader {
  readonly key: string;
  readonly value: string;
}

/** A registered tool server. Its headers may hold secrets: they are read apart. */
export interface McpServer {
  readonly id: string;
  readonly name: string;
  readonly url: string;
  readonly auth_type: "headers" | "oauth";
  readonly oauth_provider_id: string | null;
  readonly oauth_mode: "legacy_shared_provider" | "per_user_dynamic_client" | null;
  readonly vendor_id: string | null;
  readonly external_system_id: string | null;
  readonly created_at: string;
  readonly updated_at: string;
}

/** Another tool server is registered under this URL. */
export class ServerTakenError extends Error {
  override readonly name = "ServerTakenError";

  constructor(url: string) {
    super(`A tool server is already registered for ${url}.`);
  }
}

const toServer = reader<McpServer>([], ["same_url"]);

/** The tool servers of the workspace. Values of headers are sealed at rest. */
export class McpServers {
  readonly #store: Store;
  readonly #vault: Vault;

  constructor(store: Store, vault: Vault) {
    this.#store = store;
    this.#vault = vault;
  }

  /** Throws `ServerTakenError`. */
  create(order: ServerOrder): McpServer {
    this.#requireFree(order.url, "");
    const now = new Date().toISOString();
    const server: McpServer = {
      id: randomUUID(),
      name: order.name,
      url: order.url,
      auth_type: order.auth_type,
      oauth_provider_id: order.oauth_provider_id ?? null,
      oauth_mode: modeOf(order),
      vendor_id: order.vendor_id ?? null,
      external_system_id: order.external_system_id ?? null,
      created_at: now,
      updated_at: now,
    };
    this.#store.insert("mcp_servers", {
      ...server,
      same_url: sameServer(server.url),
      headers: this.#seal(server.id, order.headers),
    });
    return server;
  }

  /** Throws `ServerTakenError`. A server at another URL is another one: what users granted to the old is let go. */
  update(server: McpServer, change: ServerChange): McpServer {
    const url = change.url ?? server.url;
    this.#requireFree(url, server.id);
    const moved = sameServer(url) !== sameServer(server.url);
    const keptProvider = moved ? null : server.oauth_provider_id;
    const auth_type = change.auth_type ?? server.auth_type;
    const oauth_provider_id =
      change.oauth_provider_id === undefined ? keptProvider : change.oauth_provider_id;
    const oauth_mode = modeOf({
      auth_type,
      oauth_provider_id,
      oauth_mode: change.oauth_mode === undefined ? server.oauth_mode : change.oauth_mode,
    });
    const updated_at = new Date().toISOString();
    const changed = { url, auth_type, oauth_provider_id, oauth_mode, updated_at };
    const headers = this.#seal(server.id, change.headers ?? this.headers(server.id));
    this.#store.update("mcp_servers", { id: server.id }, { ...changed, same_url: sameServer(url), headers });
    return { ...server, ...changed };
  }

  get(id: string): McpServer | undefined {
    return toServer(this.#store.get("SELECT * FROM mcp_servers WHERE id = ?", id));
  }

  /** The server at a URL, compared without regard to case and to a slash at the end. */
  byUrl(url: string): McpServer | undefined {
    return toServer(this.#store.get("SELECT * FROM mcp_servers WHERE same_url = ?", sameServer(url)));
  }

  /** All servers, oldest first. */
  list(): McpServer[] {
    return this.#store.all("SELECT * FROM mcp_servers ORDER BY created_at, rowid").map(toServer);
  }

  headers(id: string): ServerHeader[] {
    const row = this.#store.get("SELECT headers FROM mcp_servers WHERE id = ?", id);
    if (!(row?.headers instanceof Uint8Array)) return [];
    return JSON.parse(this.#vault.open(row.headers, `headers of tool server ${id}`)) as ServerHeader[];
  }

  setProvider(id: string, providerId: string): void {
    const change = { oauth_provider_id: providerId, updated_at: new Date().toISOString() };
    this.#store.update("mcp_servers", { id }, change);
  }

  /** Deletes the server and what users granted to it. */
  delete(id: string): void {
    this.#store.run("DELETE FROM mcp_servers WHERE id = ?", id);
  }

  #requireFree(url: string, id: string): void {
    const holder = this.byUrl(url);
    if (holder !== undefined && holder.id !== id) throw new ServerTakenError(url);
  }

  #seal(id: string, headers: readonly ServerHeader[]): Buffer {
    return this.#vault.seal(JSON.stringify(headers), `headers of tool server ${id}`);
  }
}

/** Without a provider in the order, one is registered for the server. */
function modeOf(
  order: Pick<ServerOrder, "auth_type" | "oauth_provider_id" | "oauth_mode">,
): McpServer["oauth_mode"] {
  if (order.oauth_mode !== undefined && order.oauth_mode !== null) return order.oauth_mode;
  if (order.auth_type !== "oauth") return null;
  return (order.oauth_provider_id ?? null) === null ? "per_user_dynamic_client" : "legacy_shared_provider";
}

/** The URL as tool servers are compared: without regard to case and to a slash at the end. */
export function sameServer(url: string): string {
  return url.toLowerCase().replace(/\/+$/, "");
}
