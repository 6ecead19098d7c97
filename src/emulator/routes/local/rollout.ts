import { Hono } from "hono";
import * as z from "zod";
import { readBody } from "../../http/body.ts";
import { stages } from "../../controlPlane/deployment.ts";
import type { Env } from "../../http/env.ts";
import { operation } from "../../http/operation.ts";
import type { Platform } from "../../platform/platform.ts";

const milliseconds = z.int().min(0).max(600_000);
const settings = z.strictObject({
  revision_step_ms: milliseconds.describe("How long a revision stays in each status."),
  probe_timeout_ms: milliseconds.describe("How long a fronted agent server may take to answer."),
  managed_agent_limit: z
    .int()
    .min(0)
    .nullable()
    .describe("How many managed agents there may be; null for any."),
});
const settingsBody = settings.partial();
const failureBody = z.object({
  fail_at: z.enum(stages).describe("The stage at which the next revisions fail."),
  times: z.int().min(1).max(1000).default(1),
});

/** How the emulated rollout goes: fast or slow, well or not; and how many managed agents there may be. */
export function rolloutRoutes(platform: Platform): Hono<Env> {
  const { managedAgents, controlPlane } = platform;
  const { rolloutSettings } = controlPlane;
  const app = new Hono<Env>();

  const read = operation("Read the settings", { 200: settings });
  app.get("/settings", read, (c) => c.json(view(platform)));

  const change = operation("Change the settings", { 200: settings }, { body: settingsBody });
  app.patch("/settings", change, async (c) => {
    const { revision_step_ms, probe_timeout_ms, managed_agent_limit } = await readBody(c, settingsBody);
    if (revision_step_ms !== undefined) rolloutSettings.stepMs = revision_step_ms;
    if (probe_timeout_ms !== undefined) rolloutSettings.probeTimeoutMs = probe_timeout_ms;
    controlPlane.start();
    if (managed_agent_limit !== undefined) managedAgents.limit = managed_agent_limit;
    return c.json(view(platform));
  });

  const fail = operation("Let the next revisions fail", { 201: failureBody }, { body: failureBody });
  app.post("/revisions", fail, async (c) => {
    const { fail_at, times } = await readBody(c, failureBody);
    rolloutSettings.failNext(fail_at, times);
    return c.json({ fail_at, times }, 201);
  });

  return app;
}

function view({ managedAgents, controlPlane }: Platform): z.output<typeof settings> {
  const { stepMs, probeTimeoutMs } = controlPlane.rolloutSettings;
  return {
    revision_step_ms: stepMs,
    probe_timeout_ms: probeTimeoutMs,
    managed_agent_limit: managedAgents.limit,
  };
}
