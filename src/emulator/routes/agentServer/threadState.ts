import { type Context, Hono } from "hono";
import * as z from "zod";
import { lenientFlag, record } from "../../kit/schemas.ts";
import { readBody, readId, readQuery } from "../../http/body.ts";
import type { Env } from "../../http/env.ts";
import { required } from "../../kit/httpError.ts";
import { isObject } from "../../kit/json.ts";
import { operation } from "../../http/operation.ts";
import type { Platform } from "../../platform/platform.ts";
import { updateBody, updateState } from "../../platform/stateUpdate.ts";
import { checkpointReference, requireCheckpoint, requireThread } from "../../platform/threadState.ts";
import { emptyThreadState, type HistoryQuery, reference } from "../../runtime/checkpoints.ts";

const lookupBody = z.looseObject({ checkpoint: checkpointReference, subgraphs: z.boolean().nullish() });

const beforeReference = z.union([
  z.string(),
  z.looseObject({ configurable: checkpointReference }),
  checkpointReference,
]);

/** Which states of a history are wanted. */
export const historyBody = z.looseObject({
  limit: z.int().min(1).max(1000).nullish(),
  before: beforeReference.nullish(),
  metadata: record.nullish(),
  checkpoint: checkpointReference.nullish(),
});

const stateQuery = z.object({ subgraphs: lenientFlag.optional() });
const historyQuery = z.object({
  limit: z.coerce.number().int().min(1).max(1000).default(10),
  before: z.string().optional(),
});

const described = {
  read: operation(
    "Read the state of a thread",
    { 200: "The state.", 404: "There is no such thread." },
    { query: stateQuery },
  ),
  readAt: operation(
    "Read the state at a checkpoint",
    { 200: "The state.", 404: "There is no such thread or checkpoint." },
    { query: stateQuery },
  ),
  lookUp: operation(
    "Read the state at a checkpoint of any namespace",
    { 200: "The state.", 404: "There is no such thread or checkpoint." },
    { body: lookupBody },
  ),
  change: operation(
    "Change the state of a thread",
    { 200: "The checkpoint that was made.", 404: "There is no such thread.", 409: "A run is in progress." },
    { body: updateBody },
  ),
  list: operation(
    "List the states of a thread",
    { 200: "The states, newest first.", 404: "There is no such thread." },
    { query: historyQuery },
  ),
  search: operation(
    "Search the states of a thread",
    { 200: "The states, newest first.", 404: "There is no such thread." },
    { body: historyBody },
  ),
};

/** The state of a thread: now, at its checkpoints, and changed by hand. */
export function threadStateRoutes(platform: Platform): Hono<Env> {
  const { checkpoints } = platform;
  const app = new Hono<Env>();
  const threadOf = (c: Context<Env>) =>
    requireThread(platform, c.get("deploymentId"), readId(c, "thread_id"));

  app.get("/:thread_id/state", described.read, (c) => {
    const thread = threadOf(c);
    const { subgraphs } = readQuery(c, stateQuery);
    const head = checkpoints.head(thread.thread_id);
    return c.json(head === undefined ? emptyThreadState : checkpoints.headState(head, subgraphs));
  });

  app.get("/:thread_id/state/:checkpoint_id", described.readAt, (c) => {
    const { subgraphs } = readQuery(c, stateQuery);
    const found = requireCheckpoint(platform, threadOf(c).thread_id, c.req.param("checkpoint_id"));
    return c.json(checkpoints.threadState(found, subgraphs));
  });

  app.post("/:thread_id/state/checkpoint", described.lookUp, async (c) => {
    const { thread_id } = threadOf(c);
    const { checkpoint, subgraphs } = await readBody(c, lookupBody);
    const ns = checkpoint.checkpoint_ns ?? "";
    const found =
      typeof checkpoint.checkpoint_id === "string"
        ? requireCheckpoint(platform, thread_id, checkpoint.checkpoint_id, ns)
        : checkpoints.head(thread_id, ns);
    return c.json(checkpoints.threadState(required(found, "Checkpoint not found"), subgraphs ?? false));
  });

  app.post("/:thread_id/state", described.change, async (c) => {
    const { thread_id } = threadOf(c);
    const body = await readBody(c, updateBody);
    const updated = updateState(platform, thread_id, c.get("deploymentId"), body);
    return c.json({ checkpoint: reference(updated, updated.id) });
  });

  app.get("/:thread_id/history", described.list, (c) => {
    const { thread_id } = threadOf(c);
    const query = readQuery(c, historyQuery);
    return c.json(
      checkpoints.history(thread_id, query).map((checkpoint) => checkpoints.threadState(checkpoint)),
    );
  });

  app.post("/:thread_id/history", described.search, async (c) => {
    const { thread_id } = threadOf(c);
    const listed = checkpoints.history(thread_id, historyOf(await readBody(c, historyBody)));
    return c.json(listed.map((checkpoint) => checkpoints.threadState(checkpoint)));
  });

  return app;
}

/** The query for the states that a request wants. */
export function historyOf(body: z.output<typeof historyBody>): HistoryQuery {
  return {
    limit: body.limit ?? 10,
    before: beforeId(body.before),
    metadata: body.metadata ?? undefined,
    ns: body.checkpoint?.checkpoint_ns ?? undefined,
    id: body.checkpoint?.checkpoint_id ?? undefined,
  };
}

/** The id of the checkpoint before which a history begins, in whatever form it was named. */
function beforeId(before: z.output<typeof beforeReference> | null | undefined): string | undefined {
  if (before === null || before === undefined) return undefined;
  if (typeof before === "string") return before;
  const inner = isObject(before.configurable) ? before.configurable : before;
  return typeof inner.checkpoint_id === "string" ? inner.checkpoint_id : undefined;
}
