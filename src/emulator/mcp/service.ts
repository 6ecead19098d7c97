import { OAuthTokens } from "../access/oauthTokens.ts";
import type { Store } from "../store/store.ts";
import type { Vault } from "../access/vault.ts";
import { Authorization } from "./authorization.ts";
import { AuthProviders } from "./authProviders.ts";
import { AuthSessions } from "./authSessions.ts";
import { Credentials } from "./credentials.ts";
import { McpServers } from "./mcpServers.ts";
import { ToolLists } from "./toolLists.ts";

/** Tool servers, and how users come to use them. */
export interface McpService {
  readonly servers: McpServers;
  readonly providers: AuthProviders;
  readonly sessions: AuthSessions;
  readonly tokens: OAuthTokens;
  readonly authorization: Authorization;
  readonly credentials: Credentials;
  readonly toolLists: ToolLists;
}

/** Takes up the tool servers of a data directory. */
export function openMcp(store: Store, vault: Vault, baseUrl: () => string): McpService {
  const servers = new McpServers(store, vault);
  const providers = new AuthProviders(store, vault);
  const sessions = new AuthSessions(store, vault);
  const tokens = new OAuthTokens(store, vault);
  const callbackUrl = (id: string): string => `${baseUrl()}/api-host/v2/auth/callback/${id}`;
  const authorization = new Authorization(providers, sessions, tokens, callbackUrl);
  const credentials = new Credentials(servers, tokens, authorization);
  const toolLists = new ToolLists(credentials);
  return { servers, providers, sessions, tokens, authorization, credentials, toolLists };
}
