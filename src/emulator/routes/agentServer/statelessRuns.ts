import { Hono } from "hono";
import * as z from "zod";
import { readBody, readId, readQuery } from "../../http/body.ts";
import type { Env } from "../../http/env.ts";
import { required } from "../../kit/httpError.ts";
import { uuid7 } from "../../kit/ids.ts";
import { operation } from "../../http/operation.ts";
import type { Platform } from "../../platform/platform.ts";
import { createStatelessRun, runBody } from "../../platform/runOrder.ts";
import { followQuery, rejoin, streamTicket, waitForTicket } from "./runs.ts";

const cancelBody = z.looseObject({
  thread_id: z.uuid().nullish(),
  run_ids: z.array(z.uuid()).nullish(),
  status: z.enum(["pending", "running", "all"]).nullish(),
});

const batchBody = z.array(runBody).max(1000);
const cancelQuery = z.object({ action: z.enum(["interrupt", "rollback"]).default("interrupt") });

const described = {
  create: operation(
    "Start a run without a thread",
    { 200: "The run.", 404: "There is no such assistant." },
    { body: runBody },
  ),
  createBatch: operation(
    "Start several runs without threads",
    { 200: "The runs.", 404: "There is no such assistant." },
    { body: batchBody },
  ),
  stream: operation(
    "Start a run without a thread and stream it",
    { 200: "The events of the run.", 404: "There is no such assistant." },
    { body: runBody, mediaType: "text/event-stream" },
  ),
  wait: operation(
    "Start a run without a thread and wait for its end",
    { 200: "The final values.", 404: "There is no such assistant." },
    { body: runBody },
  ),
  cancel: operation(
    "Stop runs",
    { 204: "They are being stopped." },
    { body: cancelBody, query: cancelQuery },
  ),
  follow: operation(
    "Follow a run",
    { 200: "The events of the run, from Last-Event-ID or from now on.", 404: "There is no such run." },
    { query: followQuery, mediaType: "text/event-stream" },
  ),
};

/** Runs without a thread of the caller's: each gets one of its own, which goes when the run is over. */
export function statelessRunRoutes(platform: Platform): Hono<Env> {
  const { runs, scheduler } = platform;
  const app = new Hono<Env>();

  app.post("/", described.create, async (c) => {
    const body = await readBody(c, runBody);
    const ticket = createStatelessRun(platform, c.get("deploymentId"), uuid7(), body);
    return c.json(ticket.run, 200, { "content-location": `/runs/${ticket.run.run_id}` });
  });

  app.post("/batch", described.createBatch, async (c) => {
    const bodies = await readBody(c, batchBody);
    const tickets = bodies.map((body) => createStatelessRun(platform, c.get("deploymentId"), uuid7(), body));
    return c.json(tickets.map(({ run }) => run));
  });

  app.post("/stream", described.stream, async (c) => {
    const body = await readBody(c, runBody);
    const ticket = createStatelessRun(platform, c.get("deploymentId"), uuid7(), body);
    return await streamTicket(platform, c, ticket, body.on_disconnect === "cancel", false);
  });

  app.post("/wait", described.wait, async (c) => {
    const body = await readBody(c, runBody);
    const ticket = createStatelessRun(platform, c.get("deploymentId"), uuid7(), body);
    return await waitForTicket(platform, c, ticket, body.on_disconnect === "cancel", false);
  });

  app.post("/cancel", described.cancel, async (c) => {
    const body = await readBody(c, cancelBody);
    const { action } = readQuery(c, cancelQuery);
    const deploymentId = c.get("deploymentId");
    for (const { run } of runs.unfinished().filter((other) => other.deploymentId === deploymentId)) {
      const named = body.run_ids?.includes(run.run_id) === true && run.thread_id === body.thread_id;
      const meant = body.status === "all" || body.status === run.status;
      const ticket = scheduler.ticket(run.run_id);
      if ((named || meant) && ticket !== undefined) scheduler.stop(ticket, action);
    }
    return c.body(null, 204);
  });

  app.get("/:run_id/stream", described.follow, (c) => {
    const run = runs.find(c.get("deploymentId"), readId(c, "run_id"));
    return rejoin(platform, c, required(run, "Run not found"));
  });

  return app;
}
