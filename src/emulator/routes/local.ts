import { Hono } from "hono";
import { readBody } from "../body.ts";
import type { Env } from "../env.ts";
import { faultRule } from "../faults.ts";
import type { Faults } from "../faults.ts";

/** What only an emulator has: faults on demand. */
export function localRoutes(faults: Faults): Hono<Env> {
  const app = new Hono<Env>();

  app.post("/faults", async (c) => {
    const rule = await readBody(c, faultRule);
    faults.add(rule);
    return c.json(rule, 201);
  });

  app.get("/faults", (c) => c.json(faults.list()));

  app.delete("/faults", (c) => {
    faults.clear();
    return c.body(null, 204);
  });

  return app;
}
