import { Hono } from "hono";
import * as z from "zod";
import { requirePermission } from "../../http/auth.ts";
import { readQuery } from "../../http/body.ts";
import type { Env } from "../../http/env.ts";
import { HttpError, required } from "../../kit/httpError.ts";
import { AuthorizationServerError } from "../../mcp/authorizationServer.ts";
import { ConnectionRequiredError } from "../../mcp/credentials.ts";
import { operation } from "../../http/operation.ts";
import type { Platform } from "../../platform/platform.ts";
import { toolServerProblem } from "../../mcp/toolServer.ts";

const toolsQuery = z.object({
  url: z.url({ protocol: /^https?$/ }).describe("The URL of a registered tool server."),
  oauth_provider_id: z.string().optional().describe("Must be the server's own, if given."),
  force_refresh: z.stringbool({ truthy: ["true", "1"], falsy: ["false", "0", ""] }).default(false),
  ls_user_id: z.string().optional().describe("No longer used."),
});

/** The tools of registered tool servers, asked for with the caller's credentials. */
export function mcpToolRoutes({ mcp }: Platform): Hono<Env> {
  const app = new Hono<Env>();

  app.get(
    "/tools",
    operation(
      "List the tools of a tool server",
      {
        200: z.object({ tools: z.array(z.unknown()), cached: z.boolean(), fetched_at: z.string() }),
        400: "A parameter is wrong.",
        404: "No tool server is registered for the URL.",
        502: "The tool server did not answer, or needs a connection.",
      },
      { query: toolsQuery },
    ),
    requirePermission("mcp-servers:invoke"),
    async (c) => {
      const { url, oauth_provider_id: providerId, force_refresh: force } = readQuery(c, toolsQuery);
      const unregistered = `No tool server is registered for ${url}`;
      const server = required(mcp.servers.byUrl(url), unregistered, "mcp_server_not_found");
      if (providerId !== undefined && providerId.toLowerCase() !== server.oauth_provider_id) {
        throw new HttpError(400, "This is not the tool server's OAuth provider.", "invalid_request");
      }
      try {
        return c.json(await mcp.toolLists.list(server, c.get("caller").userId, force, c.req.raw.signal));
      } catch (error) {
        throw asHttpError(error);
      }
    },
  );

  return app;
}

function asHttpError(error: unknown): HttpError {
  if (error instanceof ConnectionRequiredError) return new HttpError(502, error.message, upstreamAuth);
  if (error instanceof AuthorizationServerError) return new HttpError(502, error.message, "upstream_error");
  const status = error instanceof Error && "code" in error ? error.code : undefined;
  const code = status === 401 || status === 403 ? upstreamAuth : "upstream_error";
  return new HttpError(502, `The tool server gave no tools: ${toolServerProblem(error)}`, code);
}

const upstreamAuth = "upstream_auth_failed";
