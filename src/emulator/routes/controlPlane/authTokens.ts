import { Hono } from "hono";
import * as z from "zod";
import { readBody, readQuery } from "../../http/body.ts";
import type { Env } from "../../http/env.ts";
import { operation } from "../../http/operation.ts";
import type { Platform } from "../../platform/platform.ts";

const providerId = z.string().min(1).max(512);
const existsQuery = z.object({ provider_id: providerId });
const batchBody = z.object({ provider_ids: z.array(providerId).max(1000) });

/** Whether the current user holds OAuth tokens (docs/interface.md, "Token status response"). */
export function authTokenRoutes({ oauthTokens }: Platform): Hono<Env> {
  const app = new Hono<Env>();

  const exists = operation(
    "Say whether the current user holds tokens for a provider",
    { 200: z.object({ has_token: z.boolean() }) },
    { query: existsQuery },
  );
  app.get("/exists", exists, (c) => {
    const { provider_id } = readQuery(c, existsQuery);
    return c.json({ has_token: oauthTokens.has(provider_id, c.get("caller").userId) });
  });

  const batch = operation(
    "Say for which providers the current user holds tokens",
    { 200: z.object({ has_token: z.record(z.string(), z.boolean()) }) },
    { body: batchBody },
  );
  app.post("/exists/batch", batch, async (c) => {
    const { provider_ids } = await readBody(c, batchBody);
    const { userId } = c.get("caller");
    const entries = provider_ids.map((id) => [id, oauthTokens.has(id, userId)] as const);
    return c.json({ has_token: Object.fromEntries(entries) });
  });

  return app;
}
