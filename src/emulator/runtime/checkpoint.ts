import { uuid7 } from "../kit/ids.ts";
import type { JsonObject } from "../kit/json.ts";
import type { Graph, GraphNode } from "./agent.ts";
import { applyUpdate, type State } from "./messages.ts";

/** A question that a graph stopped at. */
export interface Interrupt {
  readonly id: string;
  readonly value: unknown;
}

/** A step that is next at a checkpoint, and how it ended. */
export interface Task {
  readonly id: string;
  readonly name: string;
  /** Why it failed; stays when it ends well in a later run, as on an agent server. */
  error: string | null;
  /** What it asked; stays when it ends well in a later run, as on an agent server. */
  interrupts: readonly Interrupt[];
  /** What the step changed; null while it has not ended well. */
  result: JsonObject | null;
  /** The answers given to its interrupts so far, in order. */
  answers: readonly unknown[];
  readonly subgraph: boolean;
}

/** How a checkpoint came about. */
export type CheckpointSource = "input" | "loop" | "update" | "fork";

/** The state of a graph between two steps. */
export interface Checkpoint {
  readonly thread_id: string;
  /** "" for the root graph, else `node:task` segments joined by "|". */
  readonly ns: string;
  readonly id: string;
  readonly parent_id: string | null;
  readonly run_id: string | null;
  /** The node whose result made this state. */
  readonly node: string | null;
  readonly values: State;
  readonly tasks: Task[];
  readonly metadata: JsonObject & { readonly source: CheckpointSource; readonly step: number };
  readonly created_at: string;
}

/** The steps that a checkpoint still waits for. */
export function unfinished(checkpoint: Checkpoint): Task[] {
  return checkpoint.tasks.filter(({ result }) => result === null);
}

/** Whether a checkpoint is the one before a run's input, which its only step takes into the state. */
export function takesInput(checkpoint: Checkpoint): boolean {
  return checkpoint.tasks.some(({ name }) => name === startNode);
}

/** The namespace in which a task of a checkpoint runs a graph of its own. */
export function namespaceOf(checkpoint: Checkpoint, task: Task): string {
  return [checkpoint.ns, `${task.name}:${task.id}`].filter((segment) => segment !== "").join("|");
}

/** Every question that a checkpoint waits for. */
export function pendingInterrupts(checkpoint: Checkpoint): Interrupt[] {
  return unfinished(checkpoint).flatMap(({ interrupts }) => interrupts);
}

/** What each step that a checkpoint still waits for asks, as agent servers list it: also those that ask nothing. */
export function interruptsByTask(checkpoint: Checkpoint): Record<string, readonly Interrupt[]> {
  return Object.fromEntries(unfinished(checkpoint).map(({ id, interrupts }) => [id, interrupts]));
}

/** The step that takes a run's input into the state. It is done as soon as it is made. */
export const startNode = "__start__";

/** The checkpoint that a new input makes on top of another (or of nothing): the state before the input. */
export function inputCheckpoint(
  graph: Graph,
  threadId: string,
  runId: string | null,
  base: Checkpoint | undefined,
  input: JsonObject,
  ns: readonly string[] = [],
): Checkpoint {
  const from = base ?? blank(threadId, ns.join("|"));
  const before = nextCheckpoint(graph, from, runId, "input", from.values, [startNode]);
  return { ...before, tasks: before.tasks.map((task) => ({ ...task, result: input })) };
}

/** A checkpoint after another: next step, new id, and the tasks of the nodes that come next. */
export function nextCheckpoint(
  graph: Graph,
  from: Checkpoint,
  runId: string | null,
  source: CheckpointSource,
  values: State,
  next: readonly string[],
): Checkpoint {
  return {
    thread_id: from.thread_id,
    ns: from.ns,
    id: uuid7(),
    parent_id: from.id === "" ? null : from.id,
    run_id: runId,
    node: source === "loop" ? (from.tasks.at(-1)?.name ?? from.node) : from.node,
    values,
    tasks: next.map((name) => newTask(graph, name)),
    metadata: {
      source,
      step: from.metadata.step + 1,
      parents: {},
      thread_id: from.thread_id,
      graph_id: graph.name,
      ...(runId === null ? {} : { run_id: runId }),
    },
    created_at: new Date().toISOString(),
  };
}

/** The same state once more, with all its steps still to do. */
export function repeated(
  graph: Graph,
  from: Checkpoint,
  runId: string | null,
  source: CheckpointSource,
): Checkpoint {
  const names = from.tasks.map(({ name }) => name);
  const again = nextCheckpoint(graph, from, runId, source, from.values, names);
  const input = from.tasks.find(({ name }) => name === startNode)?.result ?? null;
  const tasks = again.tasks.map((task) => (task.name === startNode ? { ...task, result: input } : task));
  return { ...again, tasks };
}

/** A checkpoint whose steps are all to do, also those that ended well. */
export function undone(checkpoint: Checkpoint): Checkpoint {
  const tasks = checkpoint.tasks.map((task) => (task.name === startNode ? task : { ...task, result: null }));
  return { ...checkpoint, tasks };
}

/** A state before anything: the base of a thread's first checkpoint. */
export function blank(threadId: string, ns = ""): Checkpoint {
  return {
    thread_id: threadId,
    ns,
    id: "",
    parent_id: null,
    run_id: null,
    node: null,
    values: { messages: [] },
    tasks: [],
    metadata: { source: "input", step: -2 },
    created_at: new Date().toISOString(),
  };
}

/** The state with what the finished steps of a checkpoint changed. */
export function valuesAfter({ values, tasks }: Checkpoint): State {
  return tasks.reduce((state, { result }) => applyUpdate(state, result ?? {}), values);
}

/** The node of a graph that a client named. */
export function nodeOf(graph: Graph, name: string): GraphNode | undefined {
  return Object.hasOwn(graph.nodes, name) ? graph.nodes[name] : undefined;
}

/** The nodes that follow a set of finished steps. */
export function nextNodes(
  graph: Graph,
  tasks: readonly { readonly name: string }[],
  values: State,
): string[] {
  const next = new Set<string>();
  for (const { name } of tasks) {
    const node = nodeOf(graph, name);
    const targets = name === startNode ? graph.entry : (node?.next?.(values) ?? node?.targets ?? []);
    for (const target of targets) next.add(target);
  }
  return [...next];
}

function newTask(graph: Graph, name: string): Task {
  const subgraph = nodeOf(graph, name)?.subgraph !== undefined;
  return { id: uuid7(), name, error: null, interrupts: [], result: null, answers: [], subgraph };
}
