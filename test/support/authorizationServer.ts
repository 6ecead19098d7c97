import { randomUUID } from "node:crypto";
import { DemoInMemoryAuthProvider } from "@modelcontextprotocol/sdk/examples/server/demoInMemoryOAuthProvider.js";
import { InvalidGrantError } from "@modelcontextprotocol/sdk/server/auth/errors.js";
import type { AuthorizationParams } from "@modelcontextprotocol/sdk/server/auth/provider.js";
import type { AuthInfo } from "@modelcontextprotocol/sdk/server/auth/types.js";
import type { OAuthClientInformationFull, OAuthTokens } from "@modelcontextprotocol/sdk/shared/auth.js";
import type { Response } from "express";

/** The SDK's own authorization server for examples; this one also says no, ends tokens early and renews them. */
export class AuthorizationServer extends DemoInMemoryAuthProvider {
  /** Requests to the whole server, as method and path, in order. */
  readonly asked: string[] = [];
  /** All clients that were registered. */
  readonly registered: OAuthClientInformationFull[] = [];
  /** All tokens that were given out. */
  readonly given: OAuthTokens[] = [];
  /** Users say no. */
  denies = false;
  /** Seconds until an access token ends. */
  lifetime = 3600;
  /** Whether refresh tokens are given, and taken. */
  renews = false;
  /** It fails when asked to renew. */
  fails = false;
  readonly #renewed = new Map<string, AuthInfo>();
  readonly #resource: URL;

  constructor(resource: URL) {
    super((asked) => asked?.href === resource.href);
    this.#resource = resource;
    const register = this.clientsStore.registerClient.bind(this.clientsStore);
    this.clientsStore.registerClient = async (client) => {
      this.registered.push(client);
      return await register(client);
    };
  }

  override async authorize(
    client: OAuthClientInformationFull,
    params: AuthorizationParams,
    response: Response,
  ): Promise<void> {
    if (!this.denies) {
      await super.authorize(client, params, response);
      return;
    }
    const url = new URL(params.redirectUri);
    url.searchParams.set("error", "access_denied");
    url.searchParams.set("state", params.state ?? "");
    response.redirect(url.href);
  }

  override async exchangeAuthorizationCode(
    client: OAuthClientInformationFull,
    code: string,
  ): Promise<OAuthTokens> {
    return this.#give(await super.exchangeAuthorizationCode(client, code));
  }

  override exchangeRefreshToken(client: OAuthClientInformationFull, refresh: string): Promise<OAuthTokens> {
    if (this.fails) return Promise.reject(new Error("Out of order."));
    const last = this.given.at(-1);
    if (last === undefined || last.refresh_token !== refresh || !this.renews) {
      return Promise.reject(new InvalidGrantError("The refresh token is not good any more."));
    }
    const token = `renewed-${randomUUID()}`;
    const scopes = (last.scope ?? "").split(" ");
    const expiresAt = Math.floor(Date.now() / 1000) + 3600;
    const [clientId, resource] = [client.client_id, this.#resource];
    this.#renewed.set(token, { token, clientId, scopes, expiresAt, resource });
    return Promise.resolve(this.#give({ ...last, access_token: token }));
  }

  override async verifyAccessToken(token: string): Promise<AuthInfo> {
    return this.#renewed.get(token) ?? (await super.verifyAccessToken(token));
  }

  #give(tokens: OAuthTokens): OAuthTokens {
    const given = {
      ...tokens,
      expires_in: this.lifetime,
      ...(this.renews ? { refresh_token: `refresh-${randomUUID()}` } : {}),
    };
    this.given.push(given);
    return given;
  }
}
