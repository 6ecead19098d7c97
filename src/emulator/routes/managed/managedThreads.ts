import { type Context, Hono } from "hono";
import * as z from "zod";
import { record } from "../../kit/schemas.ts";
import { requirePermission } from "../../http/auth.ts";
import { readBody, readId, readQuery } from "../../http/body.ts";
import type { Env } from "../../http/env.ts";
import { required } from "../../kit/httpError.ts";
import { isUuid, uuid7 } from "../../kit/ids.ts";
import type { JsonObject } from "../../kit/json.ts";
import {
  listQuery,
  managedDeploymentId,
  type ManagedFields,
  type ManagedThread,
  threadSummary,
  threadView,
} from "../../managed/managedThreads.ts";
import { operation } from "../../http/operation.ts";
import type { Platform } from "../../platform/platform.ts";
import { requireAgent } from "./managedAgents.ts";
import { searchBody, searchThreads } from "../agentServer/threads.ts";

/** A thread to be made, without the agent that it is for. */
export const newThread = z.looseObject({
  thread_id: z.uuid().nullish(),
  if_exists: z.enum(["do_nothing", "raise"]).nullish(),
  metadata: record.nullish(),
  options: z
    .looseObject({ test_run: z.boolean().optional(), skip_memory_write_protection: z.boolean().optional() })
    .nullish(),
});

const createBody = newThread.extend({ agent_id: z.uuid() });

const managedSearchBody = searchBody.extend({ agent_id: z.uuid().nullish() });
const countQuery = z.object({ agent_id: z.uuid().optional() });

const updateBody = z
  .looseObject({
    title: z.string().max(1000),
    metadata: record,
    is_pinned: z.boolean(),
    is_read: z.boolean(),
  })
  .partial();

const bulkBody = z.looseObject({ thread_ids: z.array(z.string()).min(1).max(50), data: updateBody });

const unknown = "There is no such thread.";

const described = {
  list: operation(
    "List the threads of a managed agent",
    { 200: "One page, newest activity first: `threads`, and `next_cursor` or null." },
    { query: listQuery },
  ),
  create: operation(
    "Make a thread of a managed agent",
    { 201: "The thread.", 404: "There is no such agent.", 409: "There is a thread with this ID." },
    { body: createBody },
  ),
  search: operation(
    "Find threads of managed agents",
    { 200: "The threads.", 422: "A field is wrong." },
    { body: managedSearchBody },
  ),
  count: operation(
    "Count the threads that wait for somebody to look",
    { 200: z.object({ attention_count: z.int() }) },
    { query: countQuery },
  ),
  changeMany: operation(
    "Change up to 50 threads in the same way",
    { 200: "How it went with each, in the order asked." },
    { body: bulkBody },
  ),
  read: operation("Read a thread", { 200: "The thread with its state.", 404: unknown }),
  change: operation(
    "Change a thread",
    { 200: "The thread.", 404: unknown, 422: "A field is wrong." },
    { body: updateBody },
  ),
  remove: operation("Delete a thread", { 204: "There is no such thread any more." }),
};

/** The threads of managed agents: made, listed, found, changed, deleted. */
export function managedThreadRoutes(platform: Platform): Hono<Env> {
  const { managedThreads } = platform;
  const app = new Hono<Env>();
  const may = (action: string) => requirePermission(`threads:${action}`);

  app.get("/", described.list, may("read"), (c) => {
    const { ids, next_cursor } = managedThreads.list(readQuery(c, listQuery));
    const threads = ids.flatMap((id) => managedThreads.get(id) ?? []);
    return c.json({ threads: threads.map(threadSummary), next_cursor });
  });

  app.post("/", described.create, may("create"), async (c) => {
    const { agent_id, ...thread } = await readBody(c, createBody);
    return c.json(threadView(makeThread(platform, agent_id.toLowerCase(), thread)), 201);
  });

  app.post("/search", described.search, may("read"), async (c) => {
    // The agent may be named beside the filters or, as clients of agent servers do, as a member of the metadata.
    const body = await readBody(c, managedSearchBody);
    const { agent_id: inMetadata, ...rest } = body.metadata ?? {};
    const named = body.agent_id ?? inMetadata;
    const agentId = typeof named === "string" ? named.toLowerCase() : undefined;
    const filter = { ...body, metadata: rest };
    return searchThreads(platform, c, managedDeploymentId, filter, agentId, (thread) => {
      const managed = platform.managedThreads.get(thread.thread_id);
      return managed === undefined ? { ...thread } : threadView(managed);
    });
  });

  app.get("/count", described.count, may("read"), (c) => {
    const { agent_id } = readQuery(c, countQuery);
    return c.json({ attention_count: managedThreads.attentionCount(agent_id?.toLowerCase()) });
  });

  app.post("/bulk-modify", described.changeMany, may("update"), async (c) => {
    const { thread_ids, data } = await readBody(c, bulkBody);
    return c.json({ results: thread_ids.map((id) => changeListed(platform, id, data)) });
  });
  app.get("/:thread_id", described.read, may("read"), (c) => c.json(threadView(threadOf(platform, c))));

  app.patch("/:thread_id", described.change, may("update"), async (c) => {
    const body = await readBody(c, updateBody);
    const { thread } = threadOf(platform, c);
    update(platform, thread.thread_id, body);
    return c.json(threadView(requireManagedThread(platform, thread.thread_id)));
  });

  app.delete("/:thread_id", described.remove, may("delete"), async (c) => {
    const id = readId(c, "thread_id");
    if (platform.managedThreads.get(id) !== undefined) await platform.scheduler.removeThread(id);
    return c.body(null, 204);
  });

  return app;
}

/** The thread, or a 404. */
export function requireManagedThread(platform: Platform, id: string): ManagedThread {
  return required(platform.managedThreads.get(id), `Thread ${id} not found`, "thread_not_found");
}

/** Makes a thread, or takes the one that is there when that is welcome. Throws 404 and 409. */
export function makeThread(
  platform: Platform,
  agentId: string,
  body: z.output<typeof newThread>,
): ManagedThread {
  requireAgent(platform, agentId);
  const id = body.thread_id?.toLowerCase() ?? uuid7();
  const existing = platform.managedThreads.get(id);
  if (existing?.agent_id === agentId && body.if_exists === "do_nothing") return existing;
  platform.managedThreads.insert(agentId, id, body.metadata ?? {}, body.options?.test_run ?? false);
  return requireManagedThread(platform, id);
}

function threadOf(platform: Platform, c: Context<Env>): ManagedThread {
  return requireManagedThread(platform, readId(c, "thread_id"));
}

function changeListed(platform: Platform, id: string, data: z.output<typeof updateBody>): JsonObject {
  const found = isUuid(id) ? platform.managedThreads.get(id.toLowerCase()) : undefined;
  if (found === undefined) {
    return { id, status: "failure", error_code: "thread_not_found", message: `Thread ${id} not found` };
  }
  update(platform, found.thread.thread_id, data);
  return { id, status: "success" };
}

/** What belongs to the thread itself and no client can change. */
const fixed = [
  "id",
  "thread_id",
  "agent_id",
  "status",
  "created_at",
  "updated_at",
  "state_updated_at",
  "values",
  "interrupts",
  "has_interrupts",
  "config",
  "test_run",
];

function update(platform: Platform, id: string, body: z.output<typeof updateBody>): void {
  const { title, is_pinned, is_read, metadata, ...rest } = body;
  const extra = Object.entries(rest).filter(([name]) => !fixed.includes(name));
  const change: Partial<ManagedFields> = {
    ...(title === undefined ? {} : { title }),
    ...(is_pinned === undefined ? {} : { is_pinned }),
    ...(is_read === undefined ? {} : { is_read }),
    ...(extra.length === 0 ? {} : { extra: Object.fromEntries(extra) }),
  };
  platform.managedThreads.update(requireManagedThread(platform, id), change, metadata);
}
