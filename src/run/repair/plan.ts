/** What is to change the course of a thread: a state that is written, a run, and what that means before it is done. */

import type { Json, Run, RunCreate, StateUpdate, ThreadState } from "../../api/agentServer/wire.ts";
import { waitingIn } from "../fold/threadState.ts";
import type { KeptCheckpoint, KeptTask } from "../history/checkpoints.ts";
import { checkpointIn } from "../history/pages.ts";
import { callsAfter, callsWaiting, type ToolCallMade } from "./calls.ts";
import { laterNodes, nextNodes, nodesOf } from "./graph.ts";
import { settingsOf } from "../session/runBody.ts";
import { mended, repeatsSteps, stuckCheckpoint } from "../session/stuckCheckpoint.ts";
import { CourseRefusal, type ThreadPosition } from "./threadPosition.ts";

/** A change of course; `carryOut` does it as long as the thread stands where it stood. */
export interface Plan {
  /** The newest checkpoint at that time. */
  readonly head: string | undefined;
  /** What is written before the run. */
  readonly update: StateUpdate | undefined;
  readonly run: RunCreate;
  readonly effects: Effects;
}

/** What a change of course means. */
export interface Effects {
  /** The nodes that run first. */
  readonly first: readonly PlannedNode[];
  /** Those that may come after them, as far as the graph tells. */
  readonly later: readonly string[];
  /** Tools that were called after the point from which it runs. */
  readonly made: readonly ToolCallMade[];
  /** Calls that the first nodes are to answer: a node that failed may have made them. */
  readonly waiting: readonly ToolCallMade[];
  /** The history is longer than what was read: more tools may have been called. */
  readonly isCut: boolean;
}

/** A node that is to run. */
export interface PlannedNode {
  readonly name: string;
  /** It ran there before, at least in part. */
  readonly again: boolean;
}

/** How far a run goes: to the end, one step, or to a node. */
export type Reach = "end" | "step" | { readonly before: readonly string[] };

/** Runs on from where the thread stands: what failed is tried again, what was not reached is run. */
export function goOnPlan(position: ThreadPosition, reach: Reach = "end"): Plan {
  const { state } = position;
  const first = [...pendingNodes(position), ...repeatedNodes(position)];
  if (waitingIn(state).interrupts.length > 0)
    throw new CourseRefusal(
      "The thread waits for an answer: it goes on when its question is answered.",
      "Answer the question, or run from an earlier state to leave it.",
    );
  const waiting = first.some(({ again }) => again) ? callsWaiting(state) : [];
  return {
    head: checkpointIn(state),
    update: undefined,
    run: runFrom(position, position.runs.at(-1), reach),
    effects: { ...effectsOf(position, first), waiting },
  };
}

/** Goes on after a step that failed or has not run, as if it had returned these values. */
export function skipPlan(position: ThreadPosition, node: string, values: Json): Plan {
  const { state, graph } = position;
  refuseMissing(position, [node]);
  const pending = pendingNodes(position);
  if (!pending.some(({ name }) => name === node)) throw notThere(position, node);
  const others = pending.filter(({ name }) => name !== node);
  const next = graph === undefined ? [] : nextNodes(graph, node);
  const checkpointId = checkpointIn(state);
  const after = next.filter((name) => !others.some((other) => other.name === name));
  return {
    head: checkpointId,
    update: {
      // Where two people write at once, naming the checkpoint keeps one of the two results out of the thread. With nodes
      // beside this one it must not be named: what they returned would be dropped.
      ...(state.next.length === 1 &&
        state.tasks.length === 1 &&
        checkpointId !== undefined && { checkpoint: { checkpoint_id: checkpointId } }),
      ...{ values, as_node: node },
    },
    run: runFrom(position, position.runs.at(-1)),
    effects: effectsOf(position, [...others, ...after.map((name) => ({ name, again: false }))]),
  };
}

/** What is written at a checkpoint, and as which node. */
export interface Fork {
  readonly checkpointId: string;
  /** Null to change nothing. */
  readonly values: Json;
  /** Whose result it is; undefined for what ran last, which a server may not be able to tell. */
  readonly asNode?: string | undefined;
}

/** Runs from an earlier state, as it is or with other values; `target` is that state. */
export function forkPlan(
  position: ThreadPosition,
  target: ThreadState,
  { checkpointId, values, asNode }: Fork,
): Plan {
  const { checkpoints, graph, runs, state } = position;
  const known = checkpoints.get(checkpointId);
  const ran = checkpoints.childrenOf(checkpointId).length > 0;
  const next = asNode === undefined || graph === undefined ? target.next : nextNodes(graph, asNode);
  const first = next.map((name) => ({ name, again: ran || known?.tasks.some(wasTried) === true }));
  if (asNode === undefined && next.length === 0)
    throw new CourseRefusal(
      "The thread was finished there: no step comes after that state.",
      "Choose an earlier state, or send a new message.",
    );
  refuseMissing(position, [
    ...(asNode === undefined ? target.next : []),
    ...(asNode === undefined ? [] : [asNode]),
  ]);
  const made = callsAfter(checkpoints, { state: target, checkpointId });
  return {
    head: checkpointIn(state),
    update: {
      checkpoint: { checkpoint_id: checkpointId },
      values,
      ...(asNode !== undefined && { as_node: asNode }),
    },
    run: runFrom(
      position,
      runs.find(({ run_id: id }) => id === known?.runId),
    ),
    effects: { ...effectsOf(position, first), made },
  };
}

/** The nodes that come next where the thread stands; throws CourseRefusal when there are none. */
export function pendingNodes(position: ThreadPosition): readonly PlannedNode[] {
  const { state, checkpoints } = position;
  const head = checkpoints.get(checkpointIn(state) ?? "");
  const broken = endedBadly(position.runs.at(-1), head);
  const names = [...new Set(state.next)];
  refuseMissing(position, names);
  if (names.length === 0) throw nothingLeft(position, broken);
  const failed = failedNodes(position);
  return names.map((name) => ({ name, again: broken || failed.includes(name) }));
}

/** The steps that ended well where the thread stands, and are executed again with what failed beside them. */
function repeatedNodes({ state, checkpoints }: ThreadPosition): readonly PlannedNode[] {
  if (!repeatsSteps(state.row?.config)) return [];
  const tasks = checkpoints.get(checkpointIn(state) ?? "")?.tasks ?? [];
  const ended = tasks.filter(({ result, node }) => result !== undefined && !state.next.includes(node));
  return [...new Set(ended.map(({ node }) => node))].map((name) => ({ name, again: true }));
}

/** The steps that failed where the thread stands; a server may also tell an error of those that it stopped beside them. */
export function failedNodes({ state, checkpoints }: ThreadPosition): readonly string[] {
  const tasks = checkpoints.get(checkpointIn(state) ?? "")?.tasks ?? [];
  const failed = tasks.filter(({ error, node }) => error !== undefined && state.next.includes(node));
  return [...new Set(failed.map(({ node }) => node))];
}

/** A run without input, as the given run was: what it was told beside its input is no part of the state. */
function runFrom(position: ThreadPosition, like: Run | undefined, reach: Reach = "end"): RunCreate {
  const run = {
    ...settingsOf(like),
    assistant_id: like?.assistant_id ?? position.assistantId,
    input: null,
    // Of two people who do this at once, one is told.
    multitask_strategy: "reject",
    ...(reach !== "end" && { interrupt_before: reach === "step" ? ("*" as const) : reach.before }),
  } as const;
  return mended(run, stuckCheckpoint(position.state.row?.config));
}

function effectsOf({ graph, end }: ThreadPosition, first: readonly PlannedNode[]): Effects {
  const names = first.map(({ name }) => name);
  const later = graph === undefined ? [] : laterNodes(graph, names);
  return {
    first,
    later: later.filter((name) => !names.includes(name)),
    made: [],
    waiting: [],
    isCut: end === "budget",
  };
}

/** Whether the newest run ended before it was through, where the thread stands now. */
function endedBadly(run: Run | undefined, head: KeptCheckpoint | undefined): boolean {
  if (run === undefined || !["error", "interrupted", "timeout"].includes(run.status)) return false;
  const isWritten = head?.source === "update" || head?.source === "fork";
  return !isWritten || Date.parse(run.created_at) >= (head.at ?? 0);
}

function wasTried({ error, result }: KeptTask): boolean {
  return error !== undefined || result !== undefined;
}

function refuseMissing(position: ThreadPosition, names: readonly string[]): void {
  const { graph } = position;
  if (graph === undefined) return;
  const nodes = nodesOf(graph);
  // A server may show less of a graph than runs.
  if (nodes.length === 0) return;
  const missing = names.find((name) => !nodes.includes(name) && name !== "__start__");
  if (missing !== undefined) throw notThere(position, missing);
}

function notThere({ graph, state }: ThreadPosition, node: string): CourseRefusal {
  const nodes = graph === undefined ? [] : nodesOf(graph);
  if (graph === undefined || nodes.includes(node))
    return new CourseRefusal(
      `The thread does not stand before the step “${node}” any more.`,
      state.next.length === 0 ? "It is finished." : `It stands before ${state.next.join(", ")}.`,
    );
  return new CourseRefusal(
    `The graph has no step “${node}” any more: it was changed since the run.`,
    `Its steps are now ${nodes.join(", ")}. Run from an earlier state, or write a state as one of them.`,
  );
}

function nothingLeft({ graph }: ThreadPosition, broken: boolean): CourseRefusal {
  if (!broken)
    return new CourseRefusal(
      "The thread is finished: no step is left to run.",
      "Run from an earlier state, or send a new message.",
    );
  const nodes = graph === undefined ? "" : ` Its steps are now ${nodesOf(graph).join(", ")}.`;
  return new CourseRefusal(
    "The last run did not end well, and yet no step is left to run: the graph was changed since.",
    `Run from an earlier state, or write a state as one of its steps.${nodes}`,
  );
}
