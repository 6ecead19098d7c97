import { createHash, randomUUID } from "node:crypto";
import type { Client } from "oauth4webapi";
import type { Row, Store } from "../store/store.ts";
import type { Vault } from "../access/vault.ts";

/** Where a session stands. */
export type SessionStatus = "PENDING" | "COMPLETED" | "CONNECTION_REQUIRED" | "TOKEN_EXPIRED";

/** What is needed to end a session that began: only this platform may see it. */
export interface SessionSecret {
  readonly state: string;
  readonly codeVerifier: string;
  readonly client: Client;
  readonly redirectUri: string;
  readonly scopes: readonly string[];
  readonly agentId: string | null;
  readonly isDefault: boolean;
  /** The token that the new one takes the place of. */
  readonly replaces: string | null;
}

/** One attempt of a user to connect to a provider. */
export interface AuthSession {
  readonly id: string;
  readonly providerId: string;
  readonly userId: string;
  readonly status: SessionStatus;
  readonly tokenId: string | null;
  /** Why it failed: the provider's error code, or `session_expired`. */
  readonly error: string | null;
}

const lifetimeMs = 10 * 60_000;
const keptMs = 24 * 60 * 60_000;

/** The attempts of users to connect. They outlast a restart, end after ten minutes, and are kept for a day. */
export class AuthSessions {
  readonly #store: Store;
  readonly #vault: Vault;
  readonly #waiting = new Map<string, Set<() => void>>();

  constructor(store: Store, vault: Vault) {
    this.#store = store;
    this.#vault = vault;
  }

  /** Begins a session; answers its id. */
  insert(providerId: string, userId: string, secret: SessionSecret): string {
    const now = Date.now();
    const id = randomUUID();
    this.#store.run("DELETE FROM auth_sessions WHERE created_at < ?", new Date(now - keptMs).toISOString());
    this.#store.insert("auth_sessions", {
      ...{ id, provider_id: providerId, user_id: userId, status: "PENDING" },
      state_hash: digest(secret.state),
      sealed: this.#vault.seal(JSON.stringify(secret), purpose(id)),
      created_at: new Date(now).toISOString(),
      expires_at: new Date(now + lifetimeMs).toISOString(),
    });
    return id;
  }

  get(id: string): AuthSession | undefined {
    const row = this.#store.get("SELECT * FROM auth_sessions WHERE id = ?", id);
    return row === undefined ? undefined : toSession(row);
  }

  byState(state: string): AuthSession | undefined {
    const row = this.#store.get("SELECT * FROM auth_sessions WHERE state_hash = ?", digest(state));
    return row === undefined ? undefined : toSession(row);
  }

  /** Throws when there is no such session, and `VaultError`. */
  secret(id: string): SessionSecret {
    const row = this.#store.get("SELECT sealed FROM auth_sessions WHERE id = ?", id);
    if (!(row?.sealed instanceof Uint8Array)) throw new Error(`There is no session ${id}.`);
    return JSON.parse(this.#vault.open(row.sealed, purpose(id))) as SessionSecret;
  }

  complete(id: string, tokenId: string): void {
    this.#end(id, "COMPLETED", tokenId, null);
  }

  fail(id: string, error: string): void {
    this.#end(id, "CONNECTION_REQUIRED", null, error);
  }

  /** Resolves when the session ended, when the time is over, or when the signal is aborted. */
  async wait(id: string, ms: number, signal: AbortSignal): Promise<void> {
    const row = this.#store.get("SELECT expires_at FROM auth_sessions WHERE id = ?", id);
    const left = Math.max(0, Date.parse(String(row?.expires_at)) - Date.now()) || 0;
    const waiting = this.#waiting.get(id) ?? new Set();
    this.#waiting.set(id, waiting);
    await new Promise<void>((resolve) => {
      const done = (): void => {
        clearTimeout(timer);
        signal.removeEventListener("abort", done);
        waiting.delete(done);
        if (waiting.size === 0) this.#waiting.delete(id);
        resolve();
      };
      const timer = setTimeout(done, Math.min(ms, left));
      signal.addEventListener("abort", done);
      waiting.add(done);
      if (signal.aborted) done();
    });
  }

  #end(id: string, status: SessionStatus, tokenId: string | null, error: string | null): void {
    this.#store.update("auth_sessions", { id }, { status, token_id: tokenId, error });
    for (const done of [...(this.#waiting.get(id) ?? [])]) done();
  }
}

function digest(state: string): string {
  return createHash("sha256").update(state).digest("hex");
}

function purpose(id: string): string {
  return `auth session ${id}`;
}

function toSession(row: Row): AuthSession {
  const session = {
    id: String(row.id),
    providerId: String(row.provider_id),
    userId: String(row.user_id),
    status: row.status as SessionStatus,
    tokenId: typeof row.token_id === "string" ? row.token_id : null,
    error: typeof row.error === "string" ? row.error : null,
  };
  const over = session.status === "PENDING" && String(row.expires_at) <= new Date().toISOString();
  return over ? { ...session, status: "CONNECTION_REQUIRED", error: "session_expired" } : session;
}
