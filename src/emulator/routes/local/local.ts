import { Hono } from "hono";
import * as z from "zod";
import { openApiDocument } from "../../http/openApi.ts";
import type { Route } from "../../http/route.ts";
import { readBody } from "../../http/body.ts";
import type { Env } from "../../http/env.ts";
import { faultRule, type Faults } from "../../http/faults.ts";
import { operation } from "../../http/operation.ts";
import type { Platform } from "../../platform/platform.ts";

const strandBody = z.object({
  thread_id: z.uuid().optional().describe("Only the run in this thread; every run in progress when absent."),
});
const stranded = z.array(z.object({ run_id: z.string(), thread_id: z.string() }));

/** What only an emulator has: faults on demand, and runs that nobody carries on. */
export function localRoutes(faults: Faults, { scheduler }: Platform): Hono<Env> {
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

  app.post(
    "/stranded-runs",
    operation(
      "Leave runs in progress as the restart of a development server does: listed as running for ever",
      { 201: stranded },
      { body: strandBody },
    ),
    async (c) => {
      const left = scheduler.strand((await readBody(c, strandBody)).thread_id);
      return c.json(
        left.map(({ run_id, thread_id }) => ({ run_id, thread_id })),
        201,
      );
    },
  );

  return app;
}

/** The description of everything that is served; open to everyone, since it holds no data. */
export function openApiRoutes(routes: () => Route[], baseUrl: () => string): Hono<Env> {
  const app = new Hono<Env>();
  const described = operation("Describe every route", { 200: "An OpenAPI 3.1 document." }, { open: true });
  app.get("/openapi.json", described, (c) => c.json(openApiDocument(routes(), baseUrl())));
  return app;
}
