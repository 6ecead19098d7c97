import { Hono } from "hono";
import type { Context } from "hono";
import * as z from "zod";
import { readBody, readId, readQuery } from "../http/body.ts";
import type { Env } from "../http/env.ts";
import { HttpError } from "../http/httpError.ts";
import { isObject } from "../json.ts";
import { operation } from "../http/operation.ts";
import type { Platform } from "../platform.ts";
import { unfinished } from "../runtime/checkpoint.ts";
import type { Checkpoint } from "../runtime/checkpoint.ts";
import { emptyThreadState, reference } from "../runtime/checkpoints.ts";
import { blank, nextCheckpoint, nextNodes, nodeOf } from "../runtime/executor.ts";
import { applyUpdate, InvalidInputError } from "../runtime/messages.ts";
import { requireThread } from "./threads.ts";

const record = z.record(z.string(), z.unknown());
const flag = z.stringbool({ truthy: ["true", "1", "yes"], falsy: ["false", "0", "no", ""] }).optional();

/** How requests name a checkpoint. */
export const checkpointReference = z.looseObject({
  checkpoint_id: z.string().nullish(),
  checkpoint_ns: z.string().nullish(),
});

const updateBody = z.looseObject({
  values: z.union([record, z.array(record)]).nullish(),
  as_node: z.string().nullish(),
  checkpoint: checkpointReference.nullish(),
  checkpoint_id: z.string().nullish(),
});

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

const stateQuery = z.object({ subgraphs: flag });
const historyQuery = z.object({
  limit: z.coerce.number().int().min(1).max(1000).default(10),
  before: z.string().optional(),
});

const described = {
  read: operation({
    summary: "Read the state of a thread",
    answers: { 200: "The state.", 404: "There is no such thread." },
    query: stateQuery,
  }),
  readAt: operation({
    summary: "Read the state at a checkpoint",
    answers: { 200: "The state.", 404: "There is no such thread or checkpoint." },
    query: stateQuery,
  }),
  lookUp: operation({
    summary: "Read the state at a checkpoint of any namespace",
    answers: { 200: "The state.", 404: "There is no such thread or checkpoint." },
    body: lookupBody,
  }),
  change: operation({
    summary: "Change the state of a thread",
    answers: {
      200: "The checkpoint that was made.",
      404: "There is no such thread.",
      409: "A run is in progress.",
    },
    body: updateBody,
  }),
  list: operation({
    summary: "List the states of a thread",
    answers: { 200: "The states, newest first.", 404: "There is no such thread." },
    query: historyQuery,
  }),
  search: operation({
    summary: "Search the states of a thread",
    answers: { 200: "The states, newest first.", 404: "There is no such thread." },
    body: historyBody,
  }),
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
    return c.json(head === undefined ? emptyThreadState : checkpoints.threadState(head, subgraphs));
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
    if (found === undefined) throw new HttpError(404, "Checkpoint not found");
    return c.json(checkpoints.threadState(found, subgraphs ?? false));
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
    const body = await readBody(c, historyBody);
    const listed = checkpoints.history(thread_id, {
      limit: body.limit ?? 10,
      before: beforeId(body.before),
      metadata: body.metadata ?? undefined,
      ns: body.checkpoint?.checkpoint_ns ?? undefined,
    });
    return c.json(listed.map((checkpoint) => checkpoints.threadState(checkpoint)));
  });

  return app;
}

/** The checkpoint of a thread, or a 404. */
export function requireCheckpoint(platform: Platform, threadId: string, id: string, ns = ""): Checkpoint {
  const found = platform.checkpoints.get(threadId, id, ns);
  if (found === undefined) throw new HttpError(404, `Checkpoint ${id} not found`);
  return found;
}

/** Changes the state of a thread by hand; answers the checkpoint that this makes. Throws 400, 409 and 422. */
export function updateState(
  platform: Platform,
  threadId: string,
  deploymentId: string,
  body: z.output<typeof updateBody>,
): Checkpoint {
  const { checkpoints, scheduler } = platform;
  if (scheduler.isBusy(threadId)) throw new HttpError(409, "Thread is busy");
  const id = body.checkpoint?.checkpoint_id ?? body.checkpoint_id;
  const base =
    typeof id === "string" ? requireCheckpoint(platform, threadId, id) : checkpoints.head(threadId);
  const from = base ?? blank(threadId);
  const { metadata } = requireThread(platform, deploymentId, threadId);
  const graphId = from.metadata.graph_id ?? metadata.graph_id;
  const agent = typeof graphId === "string" ? platform.findAgent(graphId) : undefined;
  if (agent === undefined) throw new HttpError(400, `Thread ${threadId} has no graph ID`);

  const node = body.as_node ?? from.node ?? "__start__";
  if (node !== "__start__" && node !== "__end__" && nodeOf(agent, node) === undefined) {
    throw new HttpError(422, [
      { loc: ["body", "as_node"], msg: `The graph has no node ${node}.`, type: "value_error" },
    ]);
  }
  let values = from.values;
  try {
    for (const update of Array.isArray(body.values) ? body.values : [body.values ?? {}]) {
      values = applyUpdate(values, update);
    }
  } catch (error) {
    if (!(error instanceof InvalidInputError)) throw error;
    throw new HttpError(422, [{ loc: ["body", "values"], msg: error.message, type: "value_error" }]);
  }
  const after = node === "__start__" ? agent.entry : nextNodes(agent, [{ name: node }], values);
  const next = node === "__end__" ? [] : after;
  const updated = { ...nextCheckpoint(agent, from, null, "update", values, next), node };
  platform.store.atomically(() => {
    checkpoints.insert(updated);
    const interrupted = unfinished(updated).length > 0;
    platform.threads.setState(threadId, interrupted ? "interrupted" : "idle", values, {});
  });
  return updated;
}

/** The id of the checkpoint before which a history begins, in whatever form it was named. */
export function beforeId(before: z.output<typeof beforeReference> | null | undefined): string | undefined {
  if (before === null || before === undefined) return undefined;
  if (typeof before === "string") return before;
  const inner = isObject(before.configurable) ? before.configurable : before;
  return typeof inner.checkpoint_id === "string" ? inner.checkpoint_id : undefined;
}
