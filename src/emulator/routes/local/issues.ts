import { type Context, Hono } from "hono";
import * as z from "zod";
import { readBody, readId, readQuery } from "../../http/body.ts";
import type { Env } from "../../http/env.ts";
import { HttpError } from "../../kit/httpError.ts";
import { uuid7 } from "../../kit/ids.ts";
import type { Issue } from "../../issueWebhooks/issues.ts";
import { operation } from "../../http/operation.ts";
import type { Platform } from "../../platform/platform.ts";

const sessionName = z.string().min(1).max(255).default("default").describe("The tracing project.");

/** A trace to link to an issue. */
const traceBody = z.looseObject({
  comment: z.string().nullish(),
  run_id: z.uuid().optional(),
  trace_id: z.uuid().optional(),
  start_time: z.iso.datetime({ offset: true }).optional(),
});

/** An issue to open. */
const issueBody = z.looseObject({
  name: z.string().min(1),
  description: z.string().default(""),
  severity: z.int().min(0).max(3).describe("0 urgent, 1 high, 2 medium, 3 low."),
  session_name: sessionName,
  traces: z.array(traceBody).max(1000).default([]),
});

/** A detection run that failed. */
const agentRunFailureBody = z.looseObject({
  session_name: sessionName,
  thread_id: z.string().min(1).optional(),
  run_id: z.string().min(1).optional(),
  status: z.string().min(1).default("error"),
  error_message: z.string().min(1).optional(),
});

const listQuery = z.object({
  limit: z.coerce.number().int().min(1).max(1000).default(50),
  offset: z.coerce.number().int().min(0).default(0),
});

const requestId = { request_id: z.uuid().describe("Shared by all events that this leads to.") };
const trace = z.object({
  run_id: z.string(),
  trace_id: z.string(),
  start_time: z.string(),
  comment: z.string().nullish(),
});
const issue = z.object({
  id: z.uuid(),
  name: z.string(),
  description: z.string(),
  severity: z.int(),
  session_id: z.uuid(),
  session_name: z.string(),
  traces: z.array(trace),
  created_at: z.string(),
  updated_at: z.string(),
});

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

/** Issues and failed detection runs: whatever is reported here is told to the webhooks. */
export function issueRoutes(platform: Platform): Hono<Env> {
  const app = new Hono<Env>();

  app.post("/issues", described.open, (c) => open(platform, c));
  app.get("/issues", described.list, (c) => list(platform, c));
  app.get("/issues/:id", described.read, (c) => c.json(requireIssue(platform, c)));
  app.post("/issues/:id/traces", described.addTrace, (c) => addTrace(platform, c));
  app.post("/agent-run-failures", described.reportFailure, (c) => reportFailure(platform, c));

  return app;
}

async function open({ issues }: Platform, c: Context<Env>): Promise<Response> {
  const opened = issues.open(await readBody(c, issueBody));
  return c.json({ id: opened.issue.id, request_id: opened.requestId }, 201);
}

function list({ issues }: Platform, c: Context<Env>): Response {
  const { limit, offset } = readQuery(c, listQuery);
  return c.json(issues.list(limit, offset));
}

async function addTrace(platform: Platform, c: Context<Env>): Promise<Response> {
  const body = await readBody(c, traceBody);
  const added = platform.issues.addTrace(requireIssue(platform, c), body);
  return c.json({ ...added.trace, request_id: added.requestId }, 201);
}

async function reportFailure({ issues }: Platform, c: Context<Env>): Promise<Response> {
  const body = await readBody(c, agentRunFailureBody);
  const reported = issues.reportFailure({ ...body, thread_id: body.thread_id ?? uuid7() });
  return c.json({ request_id: reported }, 201);
}

function requireIssue(platform: Platform, c: Context<Env>): Issue {
  const id = readId(c, "id");
  const found = platform.issues.get(id);
  if (found === undefined) throw new HttpError(404, `Issue ${id} not found`);
  return found;
}
