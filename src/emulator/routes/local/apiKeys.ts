import { Hono } from "hono";
import * as z from "zod";
import { roles } from "../../access/apiKeys.ts";
import { requirePermission } from "../../http/auth.ts";
import { readBody, readId } from "../../http/body.ts";
import type { Env } from "../../http/env.ts";
import { HttpError } from "../../kit/httpError.ts";
import { operation } from "../../http/operation.ts";
import type { Platform } from "../../platform/platform.ts";

const keyBody = z.object({
  name: z.string().max(200).default(""),
  role: z.enum(["admin", "editor", "viewer"]).default("viewer"),
  permissions: z
    .array(z.string().regex(/^[a-z0-9:*-]{1,100}$/))
    .max(100)
    .optional()
    .describe("Exactly these permissions instead of a role's."),
  scope: z.enum(["workspace", "organization"]).default("workspace"),
});

/** Further API keys that may do less than the platform's own. */
export function apiKeyRoutes({ apiKeys }: Platform): Hono<Env> {
  const app = new Hono<Env>();
  app.use(requirePermission("api-keys:manage"));

  app.post(
    "/",
    operation(
      "Make an API key",
      { 201: "The key; this is the only time that it is told." },
      { body: keyBody },
    ),
    async (c) => {
      const { name, role, permissions, scope } = await readBody(c, keyBody);
      return c.json(apiKeys.create(name, permissions ?? roles[role], scope), 201);
    },
  );

  app.get("/", operation("List API keys", { 200: "The keys, without themselves." }), (c) =>
    c.json(apiKeys.list()),
  );

  app.delete(
    "/:id",
    operation("Delete an API key", { 204: "It is no longer good.", 404: "There is no such key." }),
    (c) => {
      if (!apiKeys.delete(readId(c, "id"))) throw new HttpError(404, "API key not found");
      return c.body(null, 204);
    },
  );

  return app;
}
