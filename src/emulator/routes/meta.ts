import { Hono } from "hono";
import type { Env } from "../env.ts";

/** Open to everyone: whether the server is up. */
export function healthRoutes(): Hono<Env> {
  const app = new Hono<Env>();
  app.get("/ok", (c) => c.json({ ok: true }));
  return app;
}

/** What the agent server of a deployment can do. */
export function infoRoutes(): Hono<Env> {
  const app = new Hono<Env>();
  app.get("/info", (c) =>
    c.json({
      version: "0.1.0",
      context: "local-platform",
      flags: { assistants: true, crons: false, langsmith: false },
      metadata: { deployment_id: c.get("deploymentId") },
    }),
  );
  return app;
}
