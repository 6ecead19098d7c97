import type { AuthorizationServer, Client } from "oauth4webapi";
import type { Store } from "../store/store.ts";
import type { Vault } from "../access/vault.ts";

/** What is known of a tool server's authorization server, and the client that is registered there. */
export interface Registration {
  readonly server: AuthorizationServer;
  /** The resource that tokens are asked for, when the tool server names one (RFC 8707). */
  readonly resource: string | undefined;
  /** What is asked for when a session names no scopes. */
  readonly scopes: readonly string[];
  readonly client: Client;
  readonly redirectUri: string;
}

/** An OAuth provider: the way to tokens for one tool server. */
export interface AuthProvider extends Registration {
  readonly id: string;
  readonly mcpServerId: string;
  readonly serverUrl: string;
}

/** The OAuth providers. Registrations, which hold client secrets, are sealed at rest. */
export class AuthProviders {
  readonly #store: Store;
  readonly #vault: Vault;

  constructor(store: Store, vault: Vault) {
    this.#store = store;
    this.#vault = vault;
  }

  get(id: string): AuthProvider | undefined {
    const row = this.#store.get("SELECT * FROM auth_providers WHERE id = ?", id);
    if (!(row?.sealed instanceof Uint8Array)) return undefined;
    const registration = JSON.parse(this.#vault.open(row.sealed, purpose(id))) as Registration;
    return {
      ...registration,
      id,
      mcpServerId: String(row.mcp_server_id),
      serverUrl: String(row.server_url),
    };
  }

  /** Stores a provider, or the new registration of one. */
  put({ id, mcpServerId, serverUrl, ...registration }: AuthProvider): void {
    const { server, resource, scopes, client, redirectUri } = registration;
    const text = JSON.stringify({ server, resource, scopes, client, redirectUri });
    const change = { server_url: serverUrl, sealed: this.#vault.seal(text, purpose(id)) };
    if (this.#store.update("auth_providers", { id }, change) > 0) return;
    const created_at = new Date().toISOString();
    this.#store.insert("auth_providers", { id, mcp_server_id: mcpServerId, ...change, created_at });
  }
}

function purpose(id: string): string {
  return `OAuth provider ${id}`;
}
