import * as z from "zod";
import { HttpError, wrongValue } from "../kit/httpError.ts";
import { isObject, type JsonObject } from "../kit/json.ts";
import { record } from "../kit/schemas.ts";
import type { Agent } from "../runtime/agent.ts";
import {
  blank,
  type Checkpoint,
  inputCheckpoint,
  nextCheckpoint,
  nextNodes,
  nodeOf,
  repeated,
  startNode,
  valuesAfter,
} from "../runtime/checkpoint.ts";
import { applyUpdate, InvalidInputError, type State } from "../runtime/messages.ts";
import type { Platform } from "./platform.ts";
import { checkpointReference, requireCheckpoint, requireThread } from "./threadState.ts";

const values = z.union([record, z.array(record)]).nullish();

/** What a thread's state is to become, as clients of an agent server send it. */
export const updateBody = z.looseObject({
  values,
  as_node: z.string().nullish(),
  checkpoint: checkpointReference.nullish(),
  checkpoint_id: z.string().nullish(),
});

const command = z.looseObject({
  update: record.nullish(),
  goto: z.union([z.string(), z.array(z.string())]).nullish(),
});
const update = z.looseObject({ values, as_node: z.string(), command: command.nullish() });

/** A history that a new thread is to have, oldest first: what its steps changed, and as which nodes. */
export const supersteps = z.array(z.looseObject({ updates: z.array(update).min(1) }));

type Update = z.output<typeof update>;

/** Changes the state of a thread by hand; answers the checkpoint that this makes. Throws 400, 409 and 422. */
export function updateState(
  platform: Platform,
  threadId: string,
  deploymentId: string,
  body: z.output<typeof updateBody>,
): Checkpoint {
  const { checkpoints, scheduler, threads, store } = platform;
  if (scheduler.isBusy(threadId)) throw new HttpError(409, "Thread is busy");
  const id = body.checkpoint?.checkpoint_id ?? body.checkpoint_id;
  const base =
    typeof id === "string" ? requireCheckpoint(platform, threadId, id) : checkpoints.head(threadId);
  const from = base ?? beforeAnything(threadId);
  const agent = agentOf(platform, deploymentId, threadId, from);
  const { as_node: node } = body;
  const updated =
    node === undefined || node === null
      ? withoutNode(agent, from, body.values)
      : updatedAs(agent, from, [{ values: body.values, as_node: node }]);
  store.atomically(() => {
    checkpoints.insert(updated);
    threads.setValues(threadId, updated.values);
  });
  return updated;
}

/** Gives a thread a history step by step, as if its graph had run. Throws 400, 409 and 422. */
export function addSupersteps(
  platform: Platform,
  threadId: string,
  deploymentId: string,
  steps: z.output<typeof supersteps>,
): void {
  const { checkpoints, scheduler, threads } = platform;
  if (scheduler.isBusy(threadId)) throw new HttpError(409, "Thread is busy");
  let from = checkpoints.head(threadId) ?? beforeAnything(threadId);
  const agent = agentOf(platform, deploymentId, threadId, from);
  for (const { updates } of steps) {
    from = updatedAs(agent, from, updates);
    checkpoints.insert(from);
  }
  threads.setValues(threadId, from.values);
}

/** A first update is step 0, as if an input had come before it. */
function beforeAnything(threadId: string): Checkpoint {
  const before = blank(threadId);
  return { ...before, metadata: { ...before.metadata, step: -1 } };
}

function agentOf(platform: Platform, deploymentId: string, threadId: string, from: Checkpoint): Agent {
  const { metadata } = requireThread(platform, deploymentId, threadId);
  const graphId = from.metadata.graph_id ?? metadata.graph_id;
  const agent = typeof graphId === "string" ? platform.findAgent(graphId) : undefined;
  if (agent === undefined) throw new HttpError(400, `Thread ${threadId} has no graph ID`);
  return agent;
}

/** No values at all repeat the state; others count as what the last node to run changed. */
function withoutNode(agent: Agent, from: Checkpoint, changed: Update["values"]): Checkpoint {
  if (changed === undefined || changed === null) return repeated(agent, from, null, "update");
  return updatedAs(agent, from, [{ values: changed, as_node: from.node ?? startNode }]);
}

/** The checkpoint after updates of one step, each as if a node had made it. */
function updatedAs(agent: Agent, from: Checkpoint, updates: readonly Update[]): Checkpoint {
  const [only] = updates;
  if (updates.length === 1 && only !== undefined) {
    if (only.as_node === "__end__") return ended(agent, from, only.values);
    if (only.as_node === "__input__") {
      const base = from.id === "" ? undefined : from;
      return inputCheckpoint(agent, from.thread_id, null, base, merged(only));
    }
    if (only.as_node === "__copy__") {
      return { ...repeated(agent, from, null, "fork"), parent_id: from.parent_id };
    }
  }
  let state = from.values;
  for (const one of updates) {
    if (one.as_node !== startNode && nodeOf(agent, one.as_node) === undefined) {
      throw wrongValue(["body", "as_node"], `The graph has no node ${one.as_node}.`);
    }
    state = changedBy(state, one);
  }
  const next = updates.flatMap(({ as_node: name, command: moved }) =>
    moved?.goto === undefined || moved.goto === null ? nextNodes(agent, [{ name }], state) : moved.goto,
  );
  const unknown = next.find((name) => nodeOf(agent, name) === undefined);
  if (unknown !== undefined) throw wrongValue(["body", "goto"], `The graph has no node ${unknown}.`);
  const updated = nextCheckpoint(agent, from, null, "update", state, [...new Set(next)]);
  return { ...updated, node: updates.at(-1)?.as_node ?? from.node };
}

/** What the steps of a checkpoint that ended well changed, and what follows them; steps that wait are given up. */
function ended(agent: Agent, from: Checkpoint, changed: Update["values"]): Checkpoint {
  const state = changedBy(valuesAfter(from), { values: changed, as_node: "__end__" });
  const done = from.tasks.filter(({ result }) => result !== null);
  const next = nextCheckpoint(agent, from, null, "update", state, nextNodes(agent, done, state));
  return { ...next, node: "__end__" };
}

function changedBy(state: State, one: Update): State {
  try {
    return applyUpdate(applyAll(state, one.values), one.command?.update ?? {});
  } catch (error) {
    if (!(error instanceof InvalidInputError)) throw error;
    throw wrongValue(["body", "values"], error.message);
  }
}

function applyAll(state: State, changed: Update["values"]): State {
  return (Array.isArray(changed) ? changed : [changed ?? {}]).reduce(applyUpdate, state);
}

function merged({ values: input }: Update): JsonObject {
  if (isObject(input)) return input;
  throw wrongValue(["body", "values"], "An input must be an object.");
}
