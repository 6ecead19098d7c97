import { type Context, Hono } from "hono";
import * as z from "zod";
import { isAllowed } from "../../access/apiKeys.ts";
import { requirePermission } from "../../http/auth.ts";
import { readBody, readId } from "../../http/body.ts";
import type { Env } from "../../http/env.ts";
import { HttpError, required, wrongValue } from "../../kit/httpError.ts";
import { uuid5 } from "../../kit/ids.ts";
import type { JsonObject } from "../../kit/json.ts";
import { type McpServer, sameServer, ServerTakenError } from "../../mcp/mcpServers.ts";
import { AuthorizationServerError } from "../../mcp/authorizationServer.ts";
import { createServerBody, updateServerBody } from "../../mcp/serverBody.ts";
import { operation } from "../../http/operation.ts";
import type { Platform } from "../../platform/platform.ts";

const providerBody = z.object({ ls_user_id: z.string().optional().describe("No longer used.") });

const unknown = "There is no such tool server.";
const invoke = "mcp-servers:invoke";

const described = {
  list: operation("List tool servers", { 200: "All of them, as a bare array." }),
  create: operation(
    "Register a tool server",
    {
      201: "The tool server.",
      400: "A field is missing.",
      409: "Another one is registered for the URL.",
      422: "A field is wrong.",
    },
    { body: createServerBody },
  ),
  read: operation("Read a tool server", { 200: "The tool server.", 404: unknown }),
  change: operation(
    "Change a tool server",
    {
      200: "The tool server.",
      404: unknown,
      409: "Another one is registered for the URL.",
      422: "A field is wrong.",
    },
    { body: updateServerBody },
  ),
  remove: operation("Delete a tool server", { 204: "There is no such tool server any more." }),
  provider: operation(
    "Register an OAuth client at a tool server's authorization server",
    {
      200: z.object({ oauth_provider_id: z.string() }),
      400: "It is not a tool server that clients can be registered for.",
      404: unknown,
      503: "The authorization server cannot be asked.",
    },
    { body: providerBody },
  ),
};

/** Tool servers: registered, listed, changed, deleted, and connected to their authorization servers. */
export function mcpServerRoutes(platform: Platform): Hono<Env> {
  const { mcp } = platform;
  const app = new Hono<Env>();
  const may = (action: string) => requirePermission(`mcp-servers:${action}`);
  const mayConnect = requirePermission("mcp-servers:update", invoke);
  const path = "/:mcp_server_id";

  app.get("/", described.list, may("read"), (c) =>
    c.json(platform.mcp.servers.list().map((server) => view(platform, server, c))),
  );

  app.post("/", described.create, may("create"), async (c) => {
    const body = await readBody(c, createServerBody);
    checkProvider(platform, body.url, body.oauth_provider_id);
    const created = unlessTaken(() => platform.mcp.servers.create(body));
    return c.json(view(platform, created, c), 201);
  });
  app.get(path, described.read, may("read"), (c) => c.json(view(platform, serverOf(platform, c), c)));
  app.patch(path, described.change, may("update"), (c) => change(platform, c));

  app.delete(path, described.remove, may("delete"), (c) => {
    mcp.servers.delete(readId(c, "mcp_server_id"));
    return c.body(null, 204);
  });

  app.post(`${path}/oauth-provider`, described.provider, mayConnect, async (c) => {
    await readBody(c, providerBody);
    return c.json({ oauth_provider_id: await providerOf(platform, serverOf(platform, c)) });
  });

  return app;
}

async function change(platform: Platform, c: Context<Env>): Promise<Response> {
  const wanted = await readBody(c, updateServerBody);
  const server = serverOf(platform, c);
  const moved = wanted.url !== undefined && sameServer(wanted.url) !== sameServer(server.url);
  // A caller that may not see the headers must not have them sent elsewhere either.
  if (moved && wanted.headers === undefined && !mayInvoke(c)) {
    return c.text(`missing permission ${invoke}`, 403);
  }
  checkProvider(platform, wanted.url ?? server.url, wanted.oauth_provider_id);
  const changed = unlessTaken(() => platform.mcp.servers.update(server, wanted));
  return c.json(view(platform, changed, c));
}

function serverOf({ mcp }: Platform, c: Context<Env>): McpServer {
  const id = readId(c, "mcp_server_id");
  return existing(mcp.servers.get(id), id);
}

function existing(server: McpServer | undefined, id: string): McpServer {
  return required(server, `Tool server ${id} not found`, "mcp_server_not_found");
}

function mayInvoke(c: Context<Env>): boolean {
  return isAllowed(c.get("caller"), invoke);
}

/** A tool server as the caller may see it: headers are for those who may invoke it. */
function view({ identity, mcp }: Platform, server: McpServer, c: Context<Env>): JsonObject {
  const { id, ...rest } = server;
  const can_invoke = mayInvoke(c);
  return {
    id,
    tenant_id: identity.workspaceId,
    ...rest,
    mcp_vendor_id: server.vendor_id,
    ...(can_invoke ? { headers: mcp.servers.headers(id) } : {}),
    can_invoke,
  };
}

/** Tokens of a provider go only where they are good: to the origin that the provider was found from. */
function checkProvider({ mcp }: Platform, url: string, providerId: string | null | undefined): void {
  if (providerId === undefined || providerId === null) return;
  const provider = mcp.providers.get(providerId);
  const problem =
    provider === undefined
      ? "There is no such OAuth provider."
      : new URL(provider.serverUrl).origin === new URL(url).origin
        ? undefined
        : "This OAuth provider belongs to tool servers at another origin.";
  if (problem === undefined) return;
  throw wrongValue(["body", "oauth_provider_id"], problem, providerId);
}

function unlessTaken(change: () => McpServer): McpServer {
  try {
    return change();
  } catch (error) {
    if (error instanceof ServerTakenError) throw new HttpError(409, error.message, "conflict");
    throw error;
  }
}

/** The provider that is registered for the server, now if there was none. */
async function providerOf({ mcp }: Platform, server: McpServer): Promise<string> {
  if (server.auth_type !== "oauth" || server.oauth_mode !== "per_user_dynamic_client") {
    const detail = "Only a tool server with auth_type oauth and oauth_mode per_user_dynamic_client has one.";
    throw new HttpError(400, detail, "oauth_mode_unsupported");
  }
  if (server.oauth_provider_id !== null) return server.oauth_provider_id;
  const id = uuid5(server.id, sameServer(server.url));
  try {
    const provider = await mcp.authorization.connect(server, id);
    // It may have been deleted or moved meanwhile.
    const current = mcp.servers.get(server.id);
    existing(current?.url === server.url ? current : undefined, server.id);
    mcp.providers.put(provider);
    mcp.servers.setProvider(server.id, id);
    return id;
  } catch (error) {
    if (!(error instanceof AuthorizationServerError)) throw error;
    const unreachable = error.kind === "unreachable";
    throw new HttpError(unreachable ? 503 : 400, error.message, `oauth_${error.kind}`);
  }
}
