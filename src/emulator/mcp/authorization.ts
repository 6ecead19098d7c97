import type { TokenEndpointResponse } from "oauth4webapi";
import type { OAuthToken, OAuthTokens } from "../access/oauthTokens.ts";
import type { AuthProvider, AuthProviders } from "./authProviders.ts";
import {
  asServerError,
  clientAuth,
  discover,
  loadOAuth,
  refusalOf,
  register,
  requestOptions,
} from "./authorizationServer.ts";
import type { AuthSession, AuthSessions, SessionSecret, SessionStatus } from "./authSessions.ts";
import type { McpServer } from "./mcpServers.ts";

/** What a user wants to be granted. */
export type SessionOrder = Pick<SessionSecret, "scopes" | "agentId" | "isDefault" | "replaces">;

/** How the browser's return ended: with a token, with a refusal, or unknown to any session that waits. */
export type Return = "connected" | "refused" | "unknown";

const earlyMs = 30_000;

/** Gets tokens from tool servers' authorization servers: code flow with PKCE and state, and renewal. */
export class Authorization {
  readonly #providers: AuthProviders;
  readonly #sessions: AuthSessions;
  readonly #tokens: OAuthTokens;
  readonly #callbackUrl: (providerId: string) => string;
  readonly #closing = new AbortController();
  readonly #returning = new Map<string, Promise<Return>>();
  readonly #renewing = new Map<string, Promise<string | undefined>>();

  constructor(
    providers: AuthProviders,
    sessions: AuthSessions,
    tokens: OAuthTokens,
    callbackUrl: (providerId: string) => string,
  ) {
    this.#providers = providers;
    this.#sessions = sessions;
    this.#tokens = tokens;
    this.#callbackUrl = callbackUrl;
  }

  /** Aborted when the platform closes: every wait for a session ends then. */
  get closing(): AbortSignal {
    return this.#closing.signal;
  }

  /** Ends what waits for authorization servers. */
  async stop(): Promise<void> {
    this.#closing.abort();
    await Promise.allSettled([...this.#returning.values(), ...this.#renewing.values()]);
    // Requests that waited for a session are answered before connections are closed.
    await new Promise((resolve) => setImmediate(resolve));
  }

  /** Discovers a tool server's authorization server and registers there. Throws `AuthorizationServerError`. */
  async connect(server: McpServer, providerId: string): Promise<AuthProvider> {
    const found = await discover(server.url, this.closing);
    const redirectUri = this.#callbackUrl(providerId);
    const client = await register(server.url, found, redirectUri, this.closing);
    return { ...found, client, redirectUri, id: providerId, mcpServerId: server.id, serverUrl: server.url };
  }

  /** Begins a session; answers where the user says yes. Throws `AuthorizationServerError`. */
  async start(
    known: AuthProvider,
    userId: string,
    order: SessionOrder,
  ): Promise<{ id: string; url: string }> {
    const oauth = await loadOAuth();
    const provider = await this.#current(known);
    const { server, client, redirectUri, resource } = provider;
    const scopes = order.scopes.length > 0 ? order.scopes : provider.scopes;
    const [state, codeVerifier] = [oauth.generateRandomState(), oauth.generateRandomCodeVerifier()];
    const url = new URL(server.authorization_endpoint ?? "");
    const parameters = {
      response_type: "code",
      client_id: client.client_id,
      redirect_uri: redirectUri,
      state,
      code_challenge: await oauth.calculatePKCECodeChallenge(codeVerifier),
      code_challenge_method: "S256",
      ...(scopes.length === 0 ? {} : { scope: scopes.join(" ") }),
      // Without this prompt a server gives no refresh token (OpenID Connect Core, section 11).
      ...(scopes.includes("offline_access") ? { prompt: "consent" } : {}),
      ...(resource === undefined ? {} : { resource }),
    };
    for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
    const secret = { ...order, scopes, state, codeVerifier, client, redirectUri };
    return { id: this.#sessions.insert(provider.id, userId, secret), url: url.href };
  }

  /** Takes up what the browser brings back. A state that belongs to no waiting session changes nothing. */
  async complete(providerId: string, answer: URLSearchParams): Promise<Return> {
    const session = this.#sessions.byState(answer.get("state") ?? "");
    const provider = this.#providers.get(providerId);
    if (session?.status !== "PENDING" || session.providerId !== providerId) return "unknown";
    if (provider === undefined || this.#returning.has(session.id)) return "unknown";
    const returning = this.#finish(session, provider, answer);
    this.#returning.set(session.id, returning);
    try {
      return await returning;
    } finally {
      this.#returning.delete(session.id);
    }
  }

  /** A token's text, renewed when it ends within half a minute; nothing when it can't be used any more. */
  async usable(token: OAuthToken): Promise<string | undefined> {
    const ends = token.expiresAt === null ? Infinity : Date.parse(token.expiresAt);
    if (ends - earlyMs > Date.now()) return this.#tokens.secret(token.id)?.access_token;
    if (!this.#tokens.isRenewable(token.id)) {
      return ends > Date.now() ? this.#tokens.secret(token.id)?.access_token : undefined;
    }
    // Authorization servers give a new refresh token for each: two renewals at once would lose one.
    const renewing = this.#renewing.get(token.id) ?? this.#renew(token);
    this.#renewing.set(token.id, renewing);
    try {
      return await renewing;
    } finally {
      this.#renewing.delete(token.id);
    }
  }

  /** How a session stands now: what it brought may have come to its end since. */
  statusOf(session: AuthSession): SessionStatus {
    if (session.status !== "COMPLETED") return session.status;
    const token = session.tokenId === null ? undefined : this.#tokens.get(session.tokenId);
    if (token === undefined) return "CONNECTION_REQUIRED";
    const over = token.expiresAt !== null && Date.parse(token.expiresAt) <= Date.now();
    return over && !this.#tokens.isRenewable(token.id) ? "TOKEN_EXPIRED" : "COMPLETED";
  }

  /** The provider with a client that is good here and now: the platform may have moved to another port since. */
  async #current(provider: AuthProvider): Promise<AuthProvider> {
    const redirectUri = this.#callbackUrl(provider.id);
    const ends = Number(provider.client.client_secret_expires_at ?? 0);
    const isOver = ends > 0 && ends * 1000 < Date.now();
    if (provider.redirectUri === redirectUri && !isOver) return provider;
    const client = await register(provider.serverUrl, provider, redirectUri, this.closing);
    const renewed = { ...provider, client, redirectUri };
    this.#providers.put(renewed);
    return renewed;
  }

  async #finish(session: AuthSession, provider: AuthProvider, answer: URLSearchParams): Promise<Return> {
    const secret = this.#sessions.secret(session.id);
    try {
      const granted = await this.#exchange(secret, provider, answer);
      const { userId } = session;
      const { agentId, isDefault, replaces } = secret;
      const scopes = granted.scope?.split(" ").filter((scope) => scope !== "") ?? secret.scopes;
      const tokenId = this.#tokens.put(
        {
          id: replaces ?? undefined,
          ...{ providerId: provider.id, userId, scopes, agentId, isDefault },
          expiresAt: endOf(granted),
        },
        {
          access_token: granted.access_token,
          refresh_token: granted.refresh_token,
          client: secret.client,
        },
      );
      this.#sessions.complete(session.id, tokenId);
      return "connected";
    } catch (error) {
      if (this.closing.aborted) throw error;
      const code = refusalOf(error);
      if (code === undefined) console.error(`Session ${session.id} brought no token:`, error);
      this.#sessions.fail(session.id, code ?? "token_request_failed");
      return "refused";
    }
  }

  async #exchange(
    { state, client, redirectUri, codeVerifier }: SessionSecret,
    { server, serverUrl, resource }: AuthProvider,
    answer: URLSearchParams,
  ): Promise<TokenEndpointResponse> {
    const oauth = await loadOAuth();
    const parameters = oauth.validateAuthResponse(server, client, answer, state);
    const response = await oauth.authorizationCodeGrantRequest(
      server,
      client,
      clientAuth(oauth, client),
      parameters,
      redirectUri,
      codeVerifier,
      requestOptions(oauth, serverUrl, this.closing, resource),
    );
    return await oauth.processAuthorizationCodeResponse(server, client, response);
  }

  async #renew(token: OAuthToken): Promise<string | undefined> {
    const oauth = await loadOAuth();
    const [secret, provider] = [this.#tokens.secret(token.id), this.#providers.get(token.providerId)];
    if (secret?.refresh_token === undefined || provider === undefined) return undefined;
    const { server, serverUrl, resource } = provider;
    const { client, refresh_token } = secret;
    try {
      const response = await oauth.refreshTokenGrantRequest(
        server,
        client,
        clientAuth(oauth, client),
        refresh_token,
        requestOptions(oauth, serverUrl, this.closing, resource),
      );
      const granted = await oauth.processRefreshTokenResponse(server, client, response);
      const renewed = {
        ...secret,
        access_token: granted.access_token,
        refresh_token: granted.refresh_token ?? refresh_token,
      };
      this.#tokens.put({ ...token, expiresAt: endOf(granted) }, renewed);
      return renewed.access_token;
    } catch (error) {
      if (this.closing.aborted || refusalOf(error) === undefined) {
        throw asServerError(error, "The token could not be renewed");
      }
      this.#tokens.endRenewal(token.id);
      return undefined;
    }
  }
}

function endOf({ expires_in: seconds }: TokenEndpointResponse): string | null {
  return seconds === undefined ? null : new Date(Date.now() + seconds * 1000).toISOString();
}
