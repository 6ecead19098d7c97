import { type Context, Hono } from "hono";
import * as z from "zod";
import { requirePermission } from "../../http/auth.ts";
import { readBody, readId } from "../../http/body.ts";
import type { Env } from "../../http/env.ts";
import { HttpError } from "../../kit/httpError.ts";
import { managedDeploymentId, type ManagedThread } from "../../managed/managedThreads.ts";
import { operation } from "../../http/operation.ts";
import type { Platform } from "../../platform/platform.ts";
import { nextCheckpoint, pendingInterrupts } from "../../runtime/checkpoint.ts";

import type { Ticket } from "../../runtime/ticket.ts";
import { requireAgent } from "./managedAgents.ts";
import { makeThread, newThread, requireManagedThread } from "./managedThreads.ts";
import { orderRun, runBody } from "../../platform/runOrder.ts";
import { location, streamTicket } from "../agentServer/runs.ts";

const runFields = runBody.omit({ assistant_id: true }).extend({ user_timezone: z.string().nullish() });

const createAndRunBody = runFields.extend({ agent_id: z.uuid(), thread: newThread.nullish() });

const startBody = runFields
  .extend({ agent_id: z.uuid().optional(), assistant_id: z.uuid().optional() })
  .refine(({ agent_id, assistant_id }) => (agent_id ?? assistant_id) !== undefined, {
    path: ["agent_id"],
    message: "The agent that is to run must be named.",
  });

const message = z
  .looseObject({
    role: z.enum(["user", "assistant", "system", "tool", "human", "ai"]).optional(),
    type: z.string().optional(),
    content: z.union([z.string(), z.array(z.looseObject({ type: z.string() }))]),
  })
  .refine(({ role, type }) => (role ?? type) !== undefined, {
    path: ["role"],
    message: "A message has a role.",
  });

const streamBody = runFields
  .extend({
    agent_id: z.uuid(),
    assistant_id: z.never("A managed agent is named by agent_id.").optional(),
    input: z
      .looseObject({ messages: z.array(message).min(1) })
      .optional()
      .describe("Required, except when a command resumes the thread."),
  })
  .refine(({ input, command }) => (input ?? command ?? undefined) !== undefined, {
    path: ["input"],
    message: "The input is missing.",
  });

type RunRequest = z.output<typeof runFields> & { readonly agent_id: string | undefined };

const unknown = "There is no such thread or agent.";
const gone = "The thread's agent was deleted.";

const described = {
  createThread: operation(
    "Make a thread and start a run on it",
    { 201: "The run.", 404: unknown, 409: "The thread is there already, or busy.", 422: "A field is wrong." },
    { body: createAndRunBody },
  ),
  start: operation(
    "Start a run of a managed agent in the background",
    { 200: "The run.", 404: unknown, 409: "The thread is busy.", 502: gone },
    { body: startBody },
  ),
  stream: operation(
    "Start a run of a managed agent and stream it",
    { 200: "The events of the run.", 404: unknown, 409: "The thread is busy.", 502: gone },
    { body: streamBody, mediaType: "text/event-stream" },
  ),
  resolve: operation("Close what a thread waits for, without doing it", {
    204: "The thread is idle.",
    404: unknown,
    409: "Nothing waits, or a run is in progress.",
  }),
};

/** Runs of managed agents: on a new thread or one that is there, streamed or not, and what they wait for. */
export function managedRunRoutes(platform: Platform): Hono<Env> {
  const app = new Hono<Env>();
  const mayRun = requirePermission("agents:run");

  app.post("/runs", described.createThread, mayRun, async (c) => {
    const { thread, ...body } = await readBody(c, createAndRunBody);
    const ticket = platform.store.atomically(() => {
      const made = makeThread(platform, body.agent_id.toLowerCase(), thread ?? {});
      return startManagedRun(platform, made, body);
    });

    return c.json(ticket.run, 201, location(ticket, true));
  });

  app.post("/:thread_id/runs", described.start, mayRun, async (c) => {
    const { assistant_id, ...body } = await readBody(c, startBody);
    const order = { ...body, agent_id: body.agent_id ?? assistant_id };
    const ticket = startManagedRun(platform, threadOf(platform, c), order);
    return c.json(ticket.run, 200, location(ticket, true));
  });

  app.post("/:thread_id/runs/stream", described.stream, mayRun, async (c) => {
    const body = await readBody(c, streamBody);
    const ticket = startManagedRun(platform, threadOf(platform, c), body);
    return await streamTicket(platform, c, ticket, body.on_disconnect === "cancel", true);
  });

  app.post("/:thread_id/resolve-interrupt", described.resolve, mayRun, (c) => {
    resolveInterrupt(platform, threadOf(platform, c));
    return c.body(null, 204);
  });

  return app;
}

/** Starts a run of the thread's agent. Throws 400 for another agent, 404, 409, and 502 when the agent is gone. */
export function startManagedRun(
  platform: Platform,
  { thread, agent_id }: ManagedThread,
  body: RunRequest,
): Ticket {
  const { agent_id: named, user_timezone, ...order } = body;
  if (named !== undefined && named.toLowerCase() !== agent_id) {
    requireAgent(platform, named.toLowerCase());
    throw new HttpError(400, "The thread belongs to another agent.", "agent_mismatch");
  }
  const managed = platform.managedAgents.get(agent_id);
  const agent = platform.findAgent(agent_id, managedDeploymentId);
  if (managed === undefined || agent === undefined) {
    throw new HttpError(502, `The agent ${agent_id} of this thread was deleted.`, "upstream_auth_failed");
  }
  const configurable = {
    ...managed.configurable,
    ...order.config?.configurable,
    ...(typeof user_timezone === "string" ? { user_timezone } : {}),
  };
  const assistant = { assistant_id: agent_id, agent };
  const run = { ...order, assistant_id: agent_id, config: { ...order.config, configurable } };
  const habits = { temporary: false, repeats: false };
  return orderRun(platform, managedDeploymentId, thread.thread_id, run, assistant, habits);
}

function threadOf(platform: Platform, c: Context<Env>): ManagedThread {
  return requireManagedThread(platform, readId(c, "thread_id"));
}

/** Ends the pause of a thread: what it asked about is not done, and the thread is idle. Throws 409. */
function resolveInterrupt(platform: Platform, { thread, ...fields }: ManagedThread): void {
  const { checkpoints, scheduler, store, managedThreads } = platform;
  const id = thread.thread_id;
  if (scheduler.isBusy(id)) throw new HttpError(409, "A run is in progress on this thread.", "thread_busy");
  const head = checkpoints.head(id);
  if (head === undefined || pendingInterrupts(head).length === 0) {
    throw new HttpError(409, "This thread waits for nobody.", "no_pending_interrupt");
  }
  store.atomically(() => {
    const graph = { name: String(head.metadata.graph_id), entry: [], nodes: {} };
    checkpoints.insert(nextCheckpoint(graph, head, null, "update", head.values, []));
    scheduler.restoreThread(id);
    managedThreads.update({ thread, ...fields }, { is_read: true }, undefined);
  });
}
