/** How a user connects to a tool server's OAuth provider: begun here, agreed to in a browser, waited for here. */

import { hasText, isObject } from "../shape.ts";
import { type CallOptions, type Http, path } from "../http.ts";

/** The status of a session; servers may add values, which are shown as they are. */
export type AuthSessionStatus =
  | "PENDING"
  | "COMPLETED"
  | "CONNECTION_REQUIRED"
  | "TOKEN_EXPIRED"
  | (string & {});

/** What begins a session. */
export interface AuthSessionStart {
  readonly provider_id: string;
  /** None for those that the tool server names. */
  readonly scopes: readonly string[];
  /** Whether a grant that the user gave before will do. */
  readonly strategy: "REUSE" | "CREATE";
  readonly agent_id?: string;
}

/** A session as far as the editor may know it. Nothing else of an answer is kept: it can hold the token itself. */
export interface AuthSession {
  /** Absent when a grant was reused, so that there is nothing to wait for. */
  readonly id?: string;
  readonly status: AuthSessionStatus;
  /** Where the user agrees; only ever http or https. */
  readonly verification_url?: string;
  /** Why it ended without a grant, in the authorization server's own code. */
  readonly error?: string;
}

/** The API's own limit on one wait. */
const longestWaitSeconds = 25;

/** The auth sessions of one platform; each call throws an ApiError when it fails. */
export class AuthSessions {
  readonly #http: Http;

  constructor(http: Http) {
    this.#http = http;
  }

  async start(body: AuthSessionStart, { signal }: CallOptions = {}): Promise<AuthSession> {
    const accept = hasText("status");
    const request = { method: "POST", path: "/auth-sessions", body, signal, accept } as const;
    return readSession(await this.#http.json(request));
  }

  /** The session: at once when it has ended, else when it ends or after so many seconds. */
  async get(
    sessionId: string,
    { waitSeconds = 1, signal }: CallOptions & { readonly waitSeconds?: number } = {},
  ): Promise<AuthSession> {
    const query = { wait_seconds: Math.min(Math.max(1, Math.round(waitSeconds)), longestWaitSeconds) };
    const where = path`/auth-sessions/${sessionId}`;
    const request = { method: "GET", path: where, query, signal, accept: hasText("status") } as const;
    return readSession(await this.#http.json(request));
  }
}

function readSession(wire: Readonly<Record<string, unknown>>): AuthSession {
  const { id, status, verification_url: address, metadata } = wire;
  const error = isObject(metadata) ? metadata["error"] : undefined;
  return {
    status: status as string,
    ...(typeof id === "string" ? { id } : {}),
    ...(typeof address === "string" && isWeb(address) ? { verification_url: address } : {}),
    ...(typeof error === "string" ? { error } : {}),
  };
}

function isWeb(address: string): boolean {
  return /^https?:$/.test(URL.parse(address)?.protocol ?? "");
}
