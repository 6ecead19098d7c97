import { type Context, Hono } from "hono";
import * as z from "zod";
import { record } from "../../kit/schemas.ts";
import { readBody, readId } from "../../http/body.ts";
import type { Env } from "../../http/env.ts";
import { HttpError } from "../../kit/httpError.ts";
import { uuid7 } from "../../kit/ids.ts";
import type { JsonObject } from "../../kit/json.ts";
import { sendPage } from "./page.ts";
import { operation } from "../../http/operation.ts";
import type { Platform } from "../../platform/platform.ts";
import { addSupersteps, supersteps } from "../../platform/stateUpdate.ts";
import { requireThread } from "../../platform/threadState.ts";
import { type Thread, threadSortKeys, threadStatuses } from "../../runtime/threads.ts";

const createBody = z.looseObject({
  thread_id: z.uuid().nullish(),
  metadata: record.nullish(),
  if_exists: z.enum(["raise", "do_nothing"]).nullish(),
  supersteps: supersteps.nullish(),
});

const filterFields = {
  ids: z.array(z.uuid()).nullish(),
  status: z.enum(threadStatuses).nullish(),
  metadata: record.nullish(),
  values: record.nullish(),
};

/** What a search for threads may ask for. */
export const searchBody = z.looseObject({
  ...filterFields,
  limit: z.int().min(1).max(1000).nullish(),
  offset: z.int().min(0).nullish(),
  sort_by: z.enum(threadSortKeys).nullish(),
  sort_order: z.enum(["asc", "desc"]).nullish(),
  select: z.array(z.string()).nullish(),
});

const countBody = z.looseObject(filterFields);
const patchBody = z.looseObject({ metadata: record.nullish() });

const described = {
  create: operation(
    "Make a thread",
    {
      200: "The thread.",
      400: "It is to have a history, but no graph.",
      409: "There is a thread with this ID.",
    },
    { body: createBody },
  ),
  search: operation(
    "Search threads",
    { 200: "The threads of one page; X-Pagination-Total counts them all." },
    { body: searchBody },
  ),
  count: operation("Count threads", { 200: z.int() }, { body: countBody }),
  read: operation("Read a thread", { 200: "The thread.", 404: "There is no such thread." }),
  change: operation(
    "Change the metadata of a thread",
    { 200: "The thread.", 404: "There is no such thread." },
    { body: patchBody },
  ),
  remove: operation("Delete a thread", { 204: "It is deleted.", 404: "There is no such thread." }),
  copy: operation("Copy a thread", { 200: "The copy.", 404: "There is no such thread." }),
};

/** Threads of a deployment: made, found, renamed, copied, deleted. */
export function threadRoutes(platform: Platform): Hono<Env> {
  const { threads } = platform;
  const app = new Hono<Env>();

  app.post("/", described.create, async (c) => {
    const body = await readBody(c, createBody);
    const deploymentId = c.get("deploymentId");
    const threadId = body.thread_id?.toLowerCase() ?? uuid7();
    platform.store.atomically(() => {
      if (threads.get(deploymentId, threadId) === undefined) {
        threads.insert(deploymentId, threadId, body.metadata ?? {});
      } else if (body.if_exists !== "do_nothing") {
        throw new HttpError(409, "Thread already exists");
      }
      if (body.supersteps?.length) addSupersteps(platform, threadId, deploymentId, body.supersteps);
    });
    return c.json(requireThread(platform, deploymentId, threadId));
  });

  app.post("/search", described.search, async (c) =>
    searchThreads(platform, c, c.get("deploymentId"), await readBody(c, searchBody)),
  );

  app.post("/count", described.count, async (c) => {
    const body = await readBody(c, countBody);
    return c.json(threads.count(c.get("deploymentId"), filterOf(body)));
  });

  app.get("/:thread_id", described.read, (c) =>
    c.json(requireThread(platform, c.get("deploymentId"), readId(c, "thread_id"))),
  );

  app.patch("/:thread_id", described.change, async (c) => {
    const threadId = readId(c, "thread_id");
    const body = await readBody(c, patchBody);
    const thread = requireThread(platform, c.get("deploymentId"), threadId);
    threads.setMetadata(threadId, { ...thread.metadata, ...body.metadata });
    return c.json(requireThread(platform, c.get("deploymentId"), threadId));
  });

  app.delete("/:thread_id", described.remove, async (c) => {
    const { thread_id } = requireThread(platform, c.get("deploymentId"), readId(c, "thread_id"));
    await platform.scheduler.removeThread(thread_id);
    return c.body(null, 204);
  });

  app.post("/:thread_id/copy", described.copy, (c) => {
    const deploymentId = c.get("deploymentId");
    const original = requireThread(platform, deploymentId, readId(c, "thread_id"));
    return c.json(requireThread(platform, deploymentId, copy(platform, deploymentId, original)));
  });

  return app;
}

/** Answers with a page of a search, and with where it stands in the answer's headers. */
export function searchThreads(
  platform: Platform,
  c: Context<Env>,
  deploymentId: string,
  body: z.output<typeof searchBody>,
  agentId?: string,
  view: (thread: Thread) => JsonObject = (thread) => ({ ...thread }),
): Response {
  const filter = { ...filterOf(body), agentId };
  const limit = body.limit ?? 10;
  const offset = body.offset ?? 0;
  const order = { sort_by: body.sort_by ?? "created_at", sort_order: body.sort_order ?? "desc" } as const;
  const total = platform.threads.count(deploymentId, filter);
  const found = platform.threads.search(deploymentId, filter, { ...order, limit, offset, total });
  return sendPage(c, found.map(view), body, total);
}

/**
 * Makes a thread with the same metadata, state and history; answers its id. As on an agent server, its row tells nothing
 * of what it stands at before a run: it is idle, without values and questions.
 */
function copy(platform: Platform, deploymentId: string, original: Thread): string {
  const { threads, checkpoints, store } = platform;
  const threadId = uuid7();
  store.atomically(() => {
    threads.insert(deploymentId, threadId, { ...original.metadata, thread_id: threadId });
    checkpoints.copy(original.thread_id, threadId);
  });
  return threadId;
}

function filterOf(body: z.output<typeof countBody>): Parameters<Platform["threads"]["count"]>[1] {
  return {
    ids: body.ids?.map((id) => id.toLowerCase()),
    status: body.status ?? undefined,
    metadata: body.metadata ?? undefined,
    values: body.values ?? undefined,
  };
}
