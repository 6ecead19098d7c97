import * as z from "zod";
import { record } from "../kit/schemas.ts";
import { HttpError, required, wrongValue } from "../kit/httpError.ts";
import { type Checkpoint, unfinished } from "../runtime/checkpoint.ts";
import { blank, nextCheckpoint, nextNodes, nodeOf } from "../runtime/executor.ts";
import { applyUpdate, InvalidInputError } from "../runtime/messages.ts";
import type { Thread } from "../runtime/threads.ts";
import type { Platform } from "./platform.ts";

/** How requests name a checkpoint. */
export const checkpointReference = z.looseObject({
  checkpoint_id: z.string().nullish(),
  checkpoint_ns: z.string().nullish(),
});

/** What a thread's state is to become, as clients of an agent server send it. */
export const updateBody = z.looseObject({
  values: z.union([record, z.array(record)]).nullish(),
  as_node: z.string().nullish(),
  checkpoint: checkpointReference.nullish(),
  checkpoint_id: z.string().nullish(),
});

/** The thread, or a 404. */
export function requireThread(platform: Platform, deploymentId: string, threadId: string): Thread {
  return required(platform.threads.get(deploymentId, threadId), `Thread with ID ${threadId} not found`);
}

/** The checkpoint of a thread, or a 404. */
export function requireCheckpoint(platform: Platform, threadId: string, id: string, ns = ""): Checkpoint {
  return required(platform.checkpoints.get(threadId, id, ns), `Checkpoint ${id} not found`);
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
    throw wrongValue(["body", "as_node"], `The graph has no node ${node}.`);
  }
  let values = from.values;
  try {
    for (const update of Array.isArray(body.values) ? body.values : [body.values ?? {}]) {
      values = applyUpdate(values, update);
    }
  } catch (error) {
    if (!(error instanceof InvalidInputError)) throw error;
    throw wrongValue(["body", "values"], error.message);
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
