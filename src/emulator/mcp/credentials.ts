import type { OAuthTokens } from "../access/oauthTokens.ts";
import type { Authorization } from "./authorization.ts";
import type { McpServer, McpServers } from "./mcpServers.ts";

/** The user has not let this platform use the tool server, or no longer. */
export class ConnectionRequiredError extends Error {
  override readonly name = "ConnectionRequiredError";

  constructor(server: McpServer) {
    super(`The tool server ${server.name} needs a connection: start an auth session for its OAuth provider.`);
  }
}

/** What tool servers are shown on behalf of a user. */
export class Credentials {
  readonly #servers: McpServers;
  readonly #tokens: OAuthTokens;
  readonly #authorization: Authorization;

  constructor(servers: McpServers, tokens: OAuthTokens, authorization: Authorization) {
    this.#servers = servers;
    this.#tokens = tokens;
    this.#authorization = authorization;
  }

  /** The headers for the server at a URL; none when nothing is registered there. Throws as `headersOf`. */
  async headersFor(url: string, userId: string): Promise<Readonly<Record<string, string>>> {
    const server = this.#servers.byUrl(url);
    return server === undefined ? {} : await this.headersOf(server, userId);
  }

  /** A server's own headers and the user's token. Throws `ConnectionRequiredError`, `AuthorizationServerError`. */
  async headersOf(server: McpServer, userId: string): Promise<Readonly<Record<string, string>>> {
    const headers = Object.fromEntries(
      this.#servers.headers(server.id).map(({ key, value }) => [key.toLowerCase(), value]),
    );
    if (server.auth_type !== "oauth") return headers;
    const tokens = this.#tokens.list(server.oauth_provider_id ?? "", userId);
    for (const token of tokens) {
      const text = await this.#authorization.usable(token);
      if (text !== undefined) return { ...headers, authorization: `Bearer ${text}` };
    }
    throw new ConnectionRequiredError(server);
  }
}
