import { type Context, Hono } from "hono";
import * as z from "zod";
import { lenientFlag, pageQuery } from "../../kit/schemas.ts";
import { readBody, readId, readQuery } from "../../http/body.ts";
import type { Env } from "../../http/env.ts";
import { required } from "../../kit/httpError.ts";
import { operation } from "../../http/operation.ts";
import type { Platform } from "../../platform/platform.ts";
import { pendingInterrupts } from "../../runtime/checkpoint.ts";
import { type Run, runStatuses } from "../../runtime/runs.ts";
import type { Outcome, Ticket } from "../../runtime/ticket.ts";
import { sendEvents } from "../../http/sse.ts";
import { createRun, runBody } from "../../platform/runOrder.ts";
import { outcomeBody, sendWhenDone } from "./runResult.ts";
import { requireThread } from "../../platform/threadState.ts";

const listQuery = z.object({
  ...pageQuery(10),
  status: z.enum(runStatuses).optional(),
});
const cancelQuery = z.object({
  wait: lenientFlag.default(false),
  action: z.enum(["interrupt", "rollback"]).default("interrupt"),
});
const joinQuery = z.object({ cancel_on_disconnect: lenientFlag.default(false) });

/** How a run is followed again. */
export const followQuery = joinQuery.extend({
  stream_mode: z.string().optional().describe("Several are repeated, listed as JSON, or divided by commas."),
});

const missing = { 404: "There is no such thread or run." };
const started = { ...missing, 409: "The thread is busy and the strategy is reject." };

const described = {
  create: operation("Start a run in the background", { 200: "The run.", ...started }, { body: runBody }),
  stream: operation(
    "Start a run and stream it",
    { 200: "The events of the run.", ...started },
    { body: runBody, mediaType: "text/event-stream" },
  ),
  wait: operation(
    "Start a run and wait for its end",
    { 200: "The final values.", ...started },
    { body: runBody },
  ),
  list: operation(
    "List the runs of a thread",
    { 200: "The runs, newest first.", 404: "There is no such thread." },
    { query: listQuery },
  ),
  read: operation("Read a run", { 200: "The run.", ...missing }),
  remove: operation("Delete a run and its checkpoints", { 204: "They are deleted.", ...missing }),
  cancel: operation(
    "Stop a run",
    { 202: "It is being stopped.", 204: "It has stopped.", ...missing },
    { query: cancelQuery },
  ),
  join: operation(
    "Wait for the end of a run",
    { 200: "The final values.", ...missing },
    { query: joinQuery },
  ),
  follow: operation(
    "Follow a run",
    {
      200: "The events of the run, from Last-Event-ID or from now on.",
      ...missing,
    },
    { query: followQuery, mediaType: "text/event-stream" },
  ),
};

/** Runs on a thread. */
export function runRoutes(platform: Platform): Hono<Env> {
  const { runs, scheduler } = platform;
  const app = new Hono<Env>();

  app.post("/:thread_id/runs", described.create, async (c) => {
    const ticket = await create(platform, c);
    return c.json(ticket.run, 200, location(ticket, true));
  });

  app.post("/:thread_id/runs/stream", described.stream, async (c) => {
    const body = await readBody(c, runBody);
    const ticket = createRun(platform, c.get("deploymentId"), readId(c, "thread_id"), body);
    return await streamTicket(platform, c, ticket, body.on_disconnect === "cancel", true);
  });

  app.post("/:thread_id/runs/wait", described.wait, async (c) => {
    const body = await readBody(c, runBody);
    const ticket = createRun(platform, c.get("deploymentId"), readId(c, "thread_id"), body);
    return await waitForTicket(platform, c, ticket, body.on_disconnect === "cancel", true);
  });

  app.get("/:thread_id/runs", described.list, (c) => {
    const { thread_id } = requireThread(platform, c.get("deploymentId"), readId(c, "thread_id"));
    const { status, limit, offset } = readQuery(c, listQuery);
    return c.json(runs.list(thread_id, status, limit, offset));
  });

  app.get("/:thread_id/runs/:run_id", described.read, (c) => c.json(requireRun(platform, c)));

  app.delete("/:thread_id/runs/:run_id", described.remove, async (c) => {
    await remove(platform, requireRun(platform, c));
    return c.body(null, 204);
  });

  app.post("/:thread_id/runs/:run_id/cancel", described.cancel, async (c) => {
    const { wait, action } = readQuery(c, cancelQuery);
    // A run that is already over is left as it is: a click on Stop that comes too late is no error.
    const ticket = scheduler.ticket(requireRun(platform, c).run_id);
    if (ticket !== undefined) scheduler.stop(ticket, action);
    if (wait) await ticket?.done;
    return wait ? c.body(null, 204) : c.json({}, 202);
  });

  app.get("/:thread_id/runs/:run_id/join", described.join, async (c) => {
    const run = requireRun(platform, c);
    const { cancel_on_disconnect } = readQuery(c, joinQuery);
    const ticket = scheduler.ticket(run.run_id);
    if (ticket === undefined) return c.json(outcomeBody(finishedOutcome(platform, run)));
    return await waitForTicket(platform, c, ticket, cancel_on_disconnect, true);
  });

  app.get("/:thread_id/runs/:run_id/stream", described.follow, (c) =>
    rejoin(platform, c, requireRun(platform, c)),
  );

  return app;
}

/** Follows a run again: from `Last-Event-ID` if its stream is kept, else from now on. */
export function rejoin(platform: Platform, c: Context<Env>, run: Run): Response {
  const { cancel_on_disconnect } = readQuery(c, followQuery);
  const modes = c.req.queries("stream_mode")?.flatMap(modeNames) ?? [];
  const log = platform.logs.find(run.run_id);
  const lastId = c.req.header("last-event-id");
  const after = run.kwargs.resumable && lastId !== undefined ? lastNumber(lastId, log.next) : log.next - 1;
  const ticket = platform.scheduler.ticket(run.run_id);
  const wanted = new Set([...modes, "metadata", "error", "feedback", "end"]);
  const select = (frame: string) => (wanted.has(/^event: ([^|/\n]*)/m.exec(frame)?.[1] ?? "") ? frame : "");
  return sendEvents(c.env.outgoing, {}, log.read(after), {
    ...(modes.length === 0 ? {} : { view: select }),
    onClose: () => {
      if (cancel_on_disconnect && ticket !== undefined) platform.scheduler.stop(ticket, "interrupt");
    },
  });
}

/** Streams a run that was just created, from its first event. */
export async function streamTicket(
  platform: Platform,
  c: Context<Env>,
  ticket: Ticket,
  cancelOnDisconnect: boolean,
  onThread: boolean,
): Promise<Response> {
  const reader = ticket.log.read(-1);
  await platform.store.flushed();
  return sendEvents(c.env.outgoing, location(ticket, onThread), reader, {
    onClose: () => {
      if (cancelOnDisconnect) platform.scheduler.stop(ticket, "interrupt");
    },
  });
}

/** Answers once the run is over, keeping the connection busy meanwhile. */
export async function waitForTicket(
  platform: Platform,
  c: Context<Env>,
  ticket: Ticket,
  cancelOnDisconnect: boolean,
  onThread: boolean,
): Promise<Response> {
  await platform.store.flushed();
  // A client that got the run's end must find it after a crash, too.
  const stored = ticket.done.then(async (outcome) => {
    await platform.store.flushed();
    return outcome;
  });
  return sendWhenDone(c.env.outgoing, location(ticket, onThread), stored, () => {
    if (cancelOnDisconnect) platform.scheduler.stop(ticket, "interrupt");
  });
}

async function create(platform: Platform, c: Context<Env>): Promise<Ticket> {
  const body = await readBody(c, runBody);
  return createRun(platform, c.get("deploymentId"), readId(c, "thread_id"), body);
}

async function remove(platform: Platform, run: Run): Promise<void> {
  const { runs, checkpoints, scheduler, store, logs } = platform;
  const ticket = scheduler.ticket(run.run_id);
  if (ticket !== undefined) {
    scheduler.stop(ticket, "delete");
    await ticket.done;
  }
  store.atomically(() => {
    checkpoints.deleteOfRun(run.thread_id, run.run_id);
    runs.delete(run.run_id);
    logs.delete(run.run_id);
    if (ticket !== undefined) scheduler.restoreThread(run.thread_id);
  });
}

function requireRun(platform: Platform, c: Context<Env>): Run {
  const { thread_id } = requireThread(platform, c.get("deploymentId"), readId(c, "thread_id"));
  return required(platform.runs.get(thread_id, readId(c, "run_id")), "Run not found");
}

function finishedOutcome(platform: Platform, run: Run): Outcome {
  const head = platform.checkpoints.head(run.thread_id);
  return {
    status: run.status,
    values: head?.values ?? null,
    interrupts: head === undefined ? [] : pendingInterrupts(head),
    error: run.error === null ? null : { error: "Error", message: run.error },
  };
}

/** Where a run that was just created is found. */
export function location(ticket: Ticket, onThread: boolean): Record<string, string> {
  const { run_id, thread_id, kwargs } = ticket.run;
  const path = onThread ? `/threads/${thread_id}/runs/${run_id}` : `/runs/${run_id}`;
  return { "content-location": path, ...(kwargs.resumable ? { location: `${path}/stream` } : {}) };
}

function lastNumber(lastEventId: string, next: number): number {
  return /^(-1|\d{1,15})$/.test(lastEventId) ? Number(lastEventId) : next - 1;
}

/** Clients send several modes as repeated parameters, as a JSON list, or with commas. */
function modeNames(text: string): string[] {
  const names = text.split(/[[\]",\s]+/).filter((name) => name !== "");
  return names.map((name) => (name === "messages-tuple" ? "messages" : name));
}
