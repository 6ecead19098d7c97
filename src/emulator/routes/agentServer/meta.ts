import { Hono } from "hono";
import * as z from "zod";
import type { Env } from "../../http/env.ts";
import { operation } from "../../http/operation.ts";

/** Open to everyone: whether the server is up. */
export function healthRoutes(): Hono<Env> {
  const app = new Hono<Env>();
  app.get(
    "/ok",
    operation(
      "Say whether the agent server is up",
      { 200: z.object({ ok: z.literal(true) }) },
      { open: true },
    ),
    (c) => c.json({ ok: true }),
  );
  return app;
}

/** What the agent server of a deployment can do. */
export function infoRoutes(): Hono<Env> {
  const app = new Hono<Env>();
  app.get("/info", operation("Say what the agent server can do", { 200: "Its version and flags." }), (c) =>
    c.json({
      version: "0.1.0",
      context: "local-platform",
      flags: { assistants: true, crons: false, langsmith: false },
      metadata: { deployment_id: c.get("deploymentId") },
    }),
  );
  return app;
}
