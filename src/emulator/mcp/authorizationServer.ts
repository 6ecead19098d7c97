import type * as OAuthLibrary from "oauth4webapi";
import type { AuthorizationServer, Client, ClientAuth, ResourceServer } from "oauth4webapi";
import { isLoopback } from "./loopback.ts";
import type { Registration } from "./authProviders.ts";

type OAuth = typeof OAuthLibrary;

/** Why users cannot be sent to a tool server's authorization server. */
export class AuthorizationServerError extends Error {
  override readonly name = "AuthorizationServerError";
  /** Whether the server could not be asked, cannot do what is needed, or said no. */
  readonly kind: "unreachable" | "unsupported" | "refused";

  constructor(kind: AuthorizationServerError["kind"], message: string, cause?: unknown) {
    super(message, { cause });
    this.kind = kind;
  }
}

const deadlineMs = 10_000;

/** Loaded at first use: most platforms never ask for a token. */
export async function loadOAuth(): Promise<OAuth> {
  return await import("oauth4webapi");
}

/** How to send a request on behalf of a tool server: within ten seconds; over plain HTTP on this machine alone. */
export function requestOptions(oauth: OAuth, serverUrl: string, signal: AbortSignal, resource?: string) {
  // The library marks this option as deprecated only to make it stand out.
  const plainHttp = Reflect.get(oauth, "allowInsecureRequests") as symbol;
  return {
    signal: AbortSignal.any([signal, AbortSignal.timeout(deadlineMs)]),
    [plainHttp]: isLoopback(serverUrl),
    ...(resource === undefined ? {} : { additionalParameters: { resource } }),
  };
}

/** Finds the tool server's authorization server (RFC 9728, RFC 8414). Throws `AuthorizationServerError`. */
export async function discover(
  serverUrl: string,
  signal: AbortSignal,
): Promise<Pick<Registration, "server" | "resource" | "scopes">> {
  const oauth = await loadOAuth();
  const options = requestOptions(oauth, serverUrl, signal);
  const url = new URL(serverUrl);
  try {
    const resource = await protectedResource(oauth, url, options);
    // Tool servers of the protocol's first version are their own authorization servers and say nothing of it.
    const issuer = new URL(resource?.authorization_servers?.[0] ?? url.origin);
    const server = await authorizationServer(oauth, issuer, options);
    requireCodeFlow(server, isLoopback(serverUrl));
    return { server, resource: resource?.resource, scopes: resource?.scopes_supported ?? [] };
  } catch (error) {
    throw asServerError(error, `The authorization server of ${url.origin} could not be found`);
  }
}

/** Registers this platform as a client (RFC 7591). Throws `AuthorizationServerError`. */
export async function register(
  serverUrl: string,
  { server, scopes }: Pick<Registration, "server" | "scopes">,
  redirectUri: string,
  signal: AbortSignal,
): Promise<Client> {
  const oauth = await loadOAuth();
  if (server.registration_endpoint === undefined) {
    const message = `The authorization server ${server.issuer} does not let clients register themselves.`;
    throw new AuthorizationServerError("unsupported", message);
  }
  try {
    const response = await oauth.dynamicClientRegistrationRequest(
      server,
      {
        client_name: "Local Platform",
        redirect_uris: [redirectUri],
        grant_types: ["authorization_code", "refresh_token"],
        response_types: ["code"],
        token_endpoint_auth_method: authMethod(server),
        ...(scopes.length === 0 ? {} : { scope: scopes.join(" ") }),
      },
      requestOptions(oauth, serverUrl, signal),
    );
    return await oauth.processDynamicClientRegistrationResponse(response);
  } catch (error) {
    throw asServerError(error, `The client could not be registered at ${server.issuer}`);
  }
}

/** How a client proves to its authorization server who it is. */
export function clientAuth(oauth: OAuth, client: Client): ClientAuth {
  const { client_secret: secret, token_endpoint_auth_method: method } = client;
  if (typeof secret !== "string" || secret === "" || method === "none") return oauth.None();
  return method === "client_secret_post" ? oauth.ClientSecretPost(secret) : oauth.ClientSecretBasic(secret);
}

/** Any error of a request to an authorization server, as an `AuthorizationServerError` of the kind that it means. */
export function asServerError(error: unknown, what: string): AuthorizationServerError {
  if (error instanceof AuthorizationServerError) return error;
  const refused = refusalOf(error);
  if (refused !== undefined) return new AuthorizationServerError("refused", `${what}: ${refused}`, error);
  const cause = error instanceof Error && error.cause instanceof Error ? `: ${error.cause.message}` : "";
  const reason = error instanceof Error ? error.message : String(error);
  return new AuthorizationServerError("unreachable", `${what}: ${reason}${cause}`.slice(0, 500), error);
}

/** The code with which an authorization server said no, such as `access_denied`; none if it may say yes later. */
export function refusalOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || !("error" in error)) return undefined;
  const status = "status" in error && typeof error.status === "number" ? error.status : 400;
  if (status === 429 || status >= 500) return undefined;
  return typeof error.error === "string" ? error.error.slice(0, 200) : undefined;
}

type Options = ReturnType<typeof requestOptions>;

async function protectedResource(
  oauth: OAuth,
  url: URL,
  options: Options,
): Promise<ResourceServer | undefined> {
  const named = await namedMetadata(url, options.signal);
  const attempts = [
    ...(named === undefined ? [] : [() => fetchMetadata(named, options.signal)]),
    () => oauth.resourceDiscoveryRequest(url, options),
    () => oauth.resourceDiscoveryRequest(new URL(url.origin), options),
  ];
  for (const attempt of attempts) {
    const response = await attempt();
    if (response.status === 200) {
      const expected = await declaredResource(response, url);
      return await oauth.processResourceDiscoveryResponse(expected, response);
    }
    await response.body?.cancel();
  }
  return undefined;
}

/** Where the tool server's own refusal of a stranger says that its metadata is. */
async function namedMetadata(url: URL, signal: AbortSignal): Promise<URL | undefined> {
  const response = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json", accept: "application/json, text/event-stream" },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ping" }),
    redirect: "manual",
    signal,
  });
  await response.body?.cancel();
  const challenge = response.headers.get("www-authenticate") ?? "";
  const address = URL.parse(/resource_metadata="?([^",\s]+)/i.exec(challenge)?.[1] ?? "");
  return address !== null && isAllowed(address.href, isLoopback(url.href)) ? address : undefined;
}

async function fetchMetadata(address: URL, signal: AbortSignal): Promise<Response> {
  return await fetch(address, { headers: { accept: "application/json" }, redirect: "manual", signal });
}

/** A tool server may speak for a resource that it is a part of (same origin, a path above). */
async function declaredResource(response: Response, url: URL): Promise<URL> {
  const { resource } = (await response.clone().json()) as { resource?: unknown };
  const declared = typeof resource === "string" ? URL.parse(resource) : null;
  if (declared?.origin !== url.origin) return url;
  const path = declared.pathname.replace(/\/?$/, "/");
  return `${url.pathname}/`.startsWith(path) ? declared : url;
}

async function authorizationServer(
  oauth: OAuth,
  issuer: URL,
  options: Options,
): Promise<AuthorizationServer> {
  const response = await oauth.discoveryRequest(issuer, { ...options, algorithm: "oauth2" });
  if (response.status === 200) return await oauth.processDiscoveryResponse(issuer, response);
  await response.body?.cancel();
  const openId = await oauth.discoveryRequest(issuer, { ...options, algorithm: "oidc" });
  return await oauth.processDiscoveryResponse(issuer, openId);
}

function requireCodeFlow(server: AuthorizationServer, allowPlain: boolean): void {
  const { authorization_endpoint: authorize, token_endpoint: token } = server;
  if (authorize === undefined || token === undefined || !isAllowed(authorize, allowPlain)) {
    const message = `The authorization server ${server.issuer} has no authorization-code flow.`;
    throw new AuthorizationServerError("unsupported", message);
  }
  if (server.code_challenge_methods_supported?.includes("S256") === false) {
    const message = `The authorization server ${server.issuer} does not support PKCE with S256.`;
    throw new AuthorizationServerError("unsupported", message);
  }
}

function isAllowed(url: string, allowPlain: boolean): boolean {
  return url.startsWith("https:") || (allowPlain && url.startsWith("http:"));
}

function authMethod(server: AuthorizationServer): string {
  const supported = server.token_endpoint_auth_methods_supported ?? ["client_secret_basic"];
  const known = ["client_secret_basic", "client_secret_post", "none"];
  const method = known.find((name) => supported.includes(name));
  if (method !== undefined) return method;
  const message = `The authorization server ${server.issuer} offers no way to authenticate that is known here.`;
  throw new AuthorizationServerError("unsupported", message);
}
