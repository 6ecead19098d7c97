import { Hono } from "hono";
import { requireKey } from "../../http/auth.ts";
import type { Env } from "../../http/env.ts";
import type { Platform } from "../../platform/platform.ts";
import { authSessionRoutes } from "./authSessions.ts";
import { managedAgentRoutes } from "./managedAgents.ts";
import { managedRunRoutes } from "./managedRuns.ts";
import { managedThreadRoutes } from "./managedThreads.ts";
import { mcpServerRoutes } from "./mcpServers.ts";
import { mcpToolRoutes } from "./mcpTools.ts";

/**
 * The managed-agents API (docs/interface.md, "Managed-agents API"), mounted at `/v1/managed`. Every request needs a key. Values
 * that do not fit are a 422 where an operation lists that among its answers, else a 400.
 */
export function managedRoutes(platform: Platform): Hono<Env> {
  const app = new Hono<Env>();
  app.use(requireKey(platform));
  app.route(
    "/agents",
    managedAgentRoutes(platform, (url, userId) => platform.mcp.credentials.headersFor(url, userId)),
  );
  app.route("/mcp-servers", mcpServerRoutes(platform));
  app.route("/mcp", mcpToolRoutes(platform));
  app.route("/auth-sessions", authSessionRoutes(platform));
  app.route("/threads", managedThreadRoutes(platform));
  app.route("/threads", managedRunRoutes(platform));
  return app;
}
