import { createHash, timingSafeEqual } from "node:crypto";
import type { MiddlewareHandler } from "hono";
import type { Env } from "./env.ts";
import type { Identity } from "./settings.ts";

/**
 * Lets only holders of the API key through: without a key 401, with a wrong one or for another workspace 403.
 * The body is flat (`error`), with the reason beside it.
 */
export function requireKey(identity: Identity): MiddlewareHandler<Env> {
  return async (c, next) => {
    const key = c.req.header("x-api-key");
    if (key === undefined || key === "") {
      return c.json({ error: "Unauthorized", detail: "The header X-Api-Key is missing." }, 401);
    }
    if (!equal(key, identity.apiKey)) {
      return c.json({ error: "Forbidden", detail: "The API key is not valid here." }, 403);
    }
    const workspace = c.req.header("x-tenant-id");
    if (workspace !== undefined && workspace.toLowerCase() !== identity.workspaceId) {
      return c.json({ error: "Forbidden", detail: "The API key has no access to this workspace." }, 403);
    }
    await next();
    return undefined;
  };
}

function equal(left: string, right: string): boolean {
  const digest = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(left), digest(right));
}
