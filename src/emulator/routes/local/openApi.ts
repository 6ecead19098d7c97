import { Hono } from "hono";
import type { Env } from "../../http/env.ts";
import { openApiDocument } from "../../http/openApi.ts";
import { operation } from "../../http/operation.ts";
import type { Route } from "../../http/route.ts";

/** The description of everything that is served; open to everyone, since it tells of no data. */
export function openApiRoutes(routes: () => Route[], baseUrl: () => string): Hono<Env> {
  const app = new Hono<Env>();
  const described = operation("Describe every route", { 200: "An OpenAPI 3.1 document." }, { open: true });
  app.get("/openapi.json", described, (c) => c.json(openApiDocument(routes(), baseUrl())));
  return app;
}
