import { Hono } from "hono";
import * as z from "zod";
import { openApiDocument } from "../../http/openApi.ts";
import type { Route } from "../../http/route.ts";
import { readBody } from "../../http/body.ts";
import type { Env } from "../../http/env.ts";
import { faultRule, type Faults } from "../../http/faults.ts";
import { operation } from "../../http/operation.ts";

/** What only an emulator has: faults on demand. */
export function localRoutes(faults: Faults): Hono<Env> {
  const app = new Hono<Env>();

  app.post(
    "/faults",
    operation("Let the next matching answers fail", { 201: faultRule }, { body: faultRule }),
    async (c) => {
      const rule = await readBody(c, faultRule);
      faults.add(rule);
      return c.json(rule, 201);
    },
  );

  app.get("/faults", operation("List the faults that are left", { 200: z.array(faultRule) }), (c) =>
    c.json(faults.list()),
  );

  app.delete("/faults", operation("Forget all faults", { 204: "They are forgotten." }), (c) => {
    faults.clear();
    return c.body(null, 204);
  });

  return app;
}

/** The description of everything that is served; open to everyone, since it holds no data. */
export function openApiRoutes(routes: () => Route[], baseUrl: () => string): Hono<Env> {
  const app = new Hono<Env>();
  const described = operation("Describe every route", { 200: "An OpenAPI 3.1 document." }, { open: true });
  app.get("/openapi.json", described, (c) => c.json(openApiDocument(routes(), baseUrl())));
  return app;
}
