import type { JsonObject } from "../kit/json.ts";
import type { State } from "./messages.ts";

/** A question that a graph stopped at. */
export interface Interrupt {
  readonly id: string;
  readonly value: unknown;
}

/** A step that is next at a checkpoint, and how it ended. */
export interface Task {
  readonly id: string;
  readonly name: string;
  error: string | null;
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

/** The namespace in which a task of a checkpoint runs a graph of its own. */
export function namespaceOf(checkpoint: Checkpoint, task: Task): string {
  return [checkpoint.ns, `${task.name}:${task.id}`].filter((segment) => segment !== "").join("|");
}

/** Every question that a checkpoint waits for. */
export function pendingInterrupts(checkpoint: Checkpoint): Interrupt[] {
  return unfinished(checkpoint).flatMap(({ interrupts }) => interrupts);
}

/** Pending questions by the task that asked. */
export function interruptsByTask(checkpoint: Checkpoint): Record<string, readonly Interrupt[]> {
  const asking = unfinished(checkpoint).filter(({ interrupts }) => interrupts.length > 0);
  return Object.fromEntries(asking.map(({ id, interrupts }) => [id, interrupts]));
}
