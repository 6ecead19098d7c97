import { Hono } from "hono";
import { requireKey } from "../auth.ts";
import type { Env } from "../env.ts";
import type { Platform } from "../platform.ts";

/** The managed-agents API (spec: Managed-agents API), mounted at `/v1/managed`. Every request needs a key. */
export function managedRoutes(platform: Platform): Hono<Env> {
  const app = new Hono<Env>();
  app.use(requireKey(platform));
  return app;
}
