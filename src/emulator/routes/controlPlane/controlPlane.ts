import { Hono } from "hono";
import { requireKeyOrBearer } from "../../http/auth.ts";
import type { Env } from "../../http/env.ts";
import type { Platform } from "../../platform/platform.ts";
import { authCallbackRoutes } from "./authCallback.ts";
import { authTokenRoutes } from "./authTokens.ts";
import { deploymentLogRoutes, logSearchRoutes } from "./deploymentLogs.ts";
import { deploymentRoutes } from "./deployments.ts";
import { revisionRoutes } from "./revisions.ts";

/** The control plane (docs/interface.md, "Endpoints"). */
export function controlPlaneRoutes(platform: Platform): Hono<Env> {
  const app = new Hono<Env>();
  app.route("/v2/auth/callback", authCallbackRoutes(platform));
  app.use(requireKeyOrBearer(platform));
  app.route("/v2/auth/tokens", authTokenRoutes(platform));
  app.route("/v2/deployments", deploymentRoutes(platform));
  app.route("/v2/deployments", revisionRoutes(platform));
  app.route("/v2/deployments", deploymentLogRoutes(platform));
  app.route("/v2/deployment-logs", logSearchRoutes(platform));
  return app;
}
