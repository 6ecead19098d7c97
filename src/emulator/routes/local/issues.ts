import { type Context, Hono } from "hono";
import * as z from "zod";
import { pageQuery } from "../../kit/schemas.ts";
import { readBody, readId, readQuery } from "../../http/body.ts";
import type { Env } from "../../http/env.ts";
import { required } from "../../kit/httpError.ts";
import {
  agentRunFailureBody,
  issue,
  type Issue,
  issueBody,
  trace,
  traceBody,
} from "../../issueWebhooks/issues.ts";
import { operation } from "../../http/operation.ts";
import type { Platform } from "../../platform/platform.ts";

const listQuery = z.object(pageQuery(50));

const requestId = { request_id: z.uuid().describe("Shared by all events that this leads to.") };

const described = {
  open: operation("Open an issue", { 201: z.object({ id: z.uuid(), ...requestId }) }, { body: issueBody }),
  list: operation("List the issues, newest first", { 200: z.array(issue) }, { query: listQuery }),
  read: operation("Read an issue", { 200: issue }),
  addTrace: operation("Link a trace to an issue", { 201: trace.extend(requestId) }, { body: traceBody }),
  reportFailure: operation(
    "Report that a detection run failed",
    { 201: z.object(requestId) },
    { body: agentRunFailureBody },
  ),
};

/** Issues and failed detection runs: each is delivered to the webhooks that subscribed. */
export function issueRoutes(platform: Platform): Hono<Env> {
  const { issues } = platform;
  const app = new Hono<Env>();

  app.post("/issues", described.open, async (c) => {
    const opened = issues.open(await readBody(c, issueBody));
    return c.json({ id: opened.issue.id, request_id: opened.requestId }, 201);
  });

  app.get("/issues", described.list, (c) => {
    const { limit, offset } = readQuery(c, listQuery);
    return c.json(issues.list(limit, offset));
  });
  app.get("/issues/:id", described.read, (c) => c.json(requireIssue(platform, c)));

  app.post("/issues/:id/traces", described.addTrace, async (c) => {
    const body = await readBody(c, traceBody);
    const added = platform.issues.addTrace(requireIssue(platform, c), body);
    return c.json({ ...added.trace, request_id: added.requestId }, 201);
  });

  app.post("/agent-run-failures", described.reportFailure, async (c) => {
    const body = await readBody(c, agentRunFailureBody);
    const reported = issues.reportFailure(body);
    return c.json({ request_id: reported }, 201);
  });

  return app;
}

function requireIssue(platform: Platform, c: Context<Env>): Issue {
  const id = readId(c, "id");
  return required(platform.issues.get(id), `Issue ${id} not found`);
}
