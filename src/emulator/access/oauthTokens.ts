import { randomUUID } from "node:crypto";
import type { Client } from "oauth4webapi";
import type { Row, Store } from "../store/store.ts";
import type { Vault } from "./vault.ts";

/** The part of a token that only its provider and its tool server may see. */
export interface TokenSecret {
  readonly access_token: string;
  readonly refresh_token?: string | undefined;
  /** The client that the token was given to; only this one can renew it. */
  readonly client: Client;
}

/** What a user was granted by a provider. */
export interface OAuthToken {
  readonly id: string;
  readonly providerId: string;
  readonly userId: string;
  readonly scopes: readonly string[];
  /** Null when the provider named no end. */
  readonly expiresAt: string | null;
  readonly isDefault: boolean;
  readonly agentId: string | null;
}

/** The OAuth tokens that users hold for providers; what is secret of them is sealed at rest. */
export class OAuthTokens {
  readonly #store: Store;
  readonly #vault: Vault;

  constructor(store: Store, vault: Vault) {
    this.#store = store;
    this.#vault = vault;
  }

  /** Whether the user holds a token for the provider that is good or can be renewed. */
  has(providerId: string, userId: string): boolean {
    const sql = `SELECT 1 FROM oauth_tokens WHERE provider_id = ? AND user_id = ?
      AND (renewable = 1 OR expires_at IS NULL OR expires_at > ?) LIMIT 1`;
    return this.#store.get(sql, providerId, userId, new Date().toISOString()) !== undefined;
  }

  /** The user's tokens for a provider that cover the scopes: default ones first, then the newest. */
  list(providerId: string, userId: string, scopes: readonly string[] = []): OAuthToken[] {
    const sql = `SELECT * FROM oauth_tokens WHERE provider_id = ? AND user_id = ?
      ORDER BY is_default DESC, created_at DESC, rowid DESC`;
    const held = this.#store.all(sql, providerId, userId).map(toToken);
    return held.filter((token) => scopes.every((scope) => token.scopes.includes(scope)));
  }

  get(id: string): OAuthToken | undefined {
    const row = this.#store.get("SELECT * FROM oauth_tokens WHERE id = ?", id);
    return row === undefined ? undefined : toToken(row);
  }

  /** Throws `VaultError`. */
  secret(id: string): TokenSecret | undefined {
    const row = this.#store.get("SELECT sealed FROM oauth_tokens WHERE id = ?", id);
    if (!(row?.sealed instanceof Uint8Array)) return undefined;
    return JSON.parse(this.#vault.open(row.sealed, purpose(id))) as TokenSecret;
  }

  isRenewable(id: string): boolean {
    return this.#store.get("SELECT 1 FROM oauth_tokens WHERE id = ? AND renewable = 1", id) !== undefined;
  }

  /** Stores a token, in place of the one with the same id if there is one. */
  put(token: Omit<OAuthToken, "id"> & { readonly id?: string | undefined }, secret: TokenSecret): string {
    const id = token.id ?? randomUUID();
    const change = {
      sealed: this.#vault.seal(JSON.stringify(secret), purpose(id)),
      scopes: token.scopes,
      expires_at: token.expiresAt,
      is_default: token.isDefault,
      renewable: secret.refresh_token !== undefined,
    };
    const owner = { provider_id: token.providerId, user_id: token.userId, agent_id: token.agentId };
    if (this.#store.update("oauth_tokens", { id }, change) === 0) {
      this.#store.insert("oauth_tokens", { id, ...owner, ...change, created_at: new Date().toISOString() });
    }
    return id;
  }

  /** Keeps a token from being renewed again: its provider refused. */
  endRenewal(id: string): void {
    this.#store.update("oauth_tokens", { id }, { renewable: false });
  }
}

function purpose(id: string): string {
  return `OAuth token ${id}`;
}

function toToken(row: Row): OAuthToken {
  return {
    id: String(row.id),
    providerId: String(row.provider_id),
    userId: String(row.user_id),
    scopes: JSON.parse(String(row.scopes)) as string[],
    expiresAt: typeof row.expires_at === "string" ? row.expires_at : null,
    isDefault: row.is_default === 1,
    agentId: typeof row.agent_id === "string" ? row.agent_id : null,
  };
}
