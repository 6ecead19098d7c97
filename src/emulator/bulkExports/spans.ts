import { uuid5 } from "../kit/ids.ts";
import { isObject, type JsonObject } from "../kit/json.ts";
import { type Checkpoint, namespaceOf, takesInput, type Task } from "../runtime/checkpoint.ts";
import type { Message, Usage } from "../runtime/messages.ts";
import type { Run } from "../runtime/runs.ts";
import type { TraceRow } from "./traceRow.ts";

/** Something that took time within a run: the run itself, a step, or a call of a model or a tool. */
export interface Span {
  readonly id: string;
  /** Null for the run itself; a span whose parent is not there belongs to the run. */
  readonly parentId: string | null;
  readonly name: string;
  readonly type: TraceRow["run_type"];
  readonly start: Date;
  readonly end: Date | null;
  readonly status: TraceRow["status"];
  readonly inputs: unknown;
  readonly outputs: unknown;
  readonly error: string | null;
  readonly usage: Usage | undefined;
}

/**
 * The steps of a run and their calls, from the checkpoints that it made and those that it went on from, of all
 * namespaces in order. A step is what lies between two checkpoints; what is new in the second one came of it.
 */
export function spansOf(run: Run, checkpoints: readonly Checkpoint[]): Span[] {
  const own = checkpoints.filter(({ run_id }) => run_id === run.run_id);
  const byId = new Map(checkpoints.map((checkpoint) => [checkpoint.id, checkpoint]));
  const after = own
    .filter(({ metadata }) => metadata.source === "loop")
    .sort((left, right) => depth(right) - depth(left));
  const counted = new Set<string>();
  const done = after.flatMap((next) => {
    const before = byId.get(next.parent_id ?? "");
    return before === undefined || takesInput(before) ? [] : between(run, checkpoints, before, next, counted);
  });
  const followed = new Set(after.map(({ parent_id }) => parent_id));
  const open = own.filter(({ id }) => !followed.has(id)).flatMap((before) => unended(run, before));
  return renamed(run, checkpoints, [...done, ...open]);
}

/**
 * The spans under ids of their own run: a step that an earlier run began is in that one's trace under the step's id
 * already.
 */
function renamed(run: Run, checkpoints: readonly Checkpoint[], spans: readonly Span[]): Span[] {
  const begun = checkpoints.filter(({ run_id }) => run_id !== run.run_id).flatMap(({ tasks }) => tasks);
  const names = new Map(begun.map(({ id }) => [id, uuid5(run.run_id, id)]));
  return spans.map((span) => ({
    ...span,
    id: names.get(span.id) ?? span.id,
    parentId: names.get(span.parentId ?? "") ?? span.parentId,
  }));
}

/** Whether a run is over. */
export function isOver(run: Run): boolean {
  return run.status !== "pending" && run.status !== "running";
}

/** The steps between two checkpoints; `counted` holds the messages that inner steps have accounted for. */
function between(
  run: Run,
  checkpoints: readonly Checkpoint[],
  before: Checkpoint,
  next: Checkpoint,
  counted: Set<string>,
): Span[] {
  const end = new Date(next.created_at);
  const changed = changes(before, next);
  const stopped = run.status === "interrupted" && next === lastOf(checkpoints, "");
  const only = before.tasks.length === 1;
  const steps = before.tasks.map((task): Span => {
    const inner = lastOf(checkpoints, namespaceOf(before, task))?.values;
    return {
      ...step(run, before, task, end),
      status: stopped && task.result === null ? "interrupted" : "success",
      outputs: task.result ?? (only ? changed : (inner ?? null)),
      error: null,
    };
  });
  const said = newMessages(before, next).filter(({ id }) => !counted.has(id));
  for (const { id } of said) counted.add(id);
  // Of parallel steps it is not recorded which one wrote which message.
  const [first] = steps;
  const speaker = only || first === undefined ? first : { ...first, id: first.parentId ?? run.run_id };
  return speaker === undefined ? [] : [...steps, ...calls(speaker, before, said)];
}

/** The steps in which a run failed or stopped to ask a person. */
function unended(run: Run, before: Checkpoint): Span[] {
  const end = isOver(run) ? new Date(run.updated_at) : null;
  return before.tasks
    .filter(({ error, interrupts }) => error !== null || interrupts.length > 0)
    .map((task) => ({ ...step(run, before, task, end), outputs: null }));
}

function step(run: Run, before: Checkpoint, task: Task, end: Date | null): Span {
  const began = before.run_id === run.run_id ? before.created_at : run.created_at;
  const error = run.status === "error" ? task.error : null;
  return {
    id: task.id,
    parentId: /:([^:|]+)$/.exec(before.ns)?.[1] ?? run.run_id,
    name: task.name,
    type: "chain",
    start: new Date(began),
    end,
    status: error === null ? "interrupted" : "error",
    inputs: before.values,
    outputs: task.result,
    error,
    usage: undefined,
  };
}

/** The calls that messages tell of. Nothing finer than the step's time is known of them. */
function calls(speaker: Span, before: Checkpoint, said: readonly Message[]): Span[] {
  const known = [...before.values.messages, ...said].flatMap(({ tool_calls }) => tool_calls ?? []);
  return said.flatMap((message): Span[] => {
    const span = { ...speaker, id: uuid5(speaker.id, message.id), parentId: speaker.id, outputs: message };
    if (message.type === "ai") {
      const inputs = { messages: before.values.messages };
      return [
        { ...span, type: "llm", name: message.name ?? speaker.name, inputs, usage: message.usage_metadata },
      ];
    }
    if (message.type !== "tool") return [];
    const call = known.find(({ id }) => id === message.tool_call_id);
    const name = message.name ?? call?.name ?? "tool";
    const status = message.status === "error" ? "error" : "success";
    return [{ ...span, type: "tool", name, status, inputs: call?.args ?? null }];
  });
}

function lastOf(checkpoints: readonly Checkpoint[], ns: string): Checkpoint | undefined {
  return checkpoints.findLast((checkpoint) => checkpoint.ns === ns);
}

function depth({ ns }: Checkpoint): number {
  return ns === "" ? 0 : ns.split("|").length;
}

function newMessages(before: Checkpoint, next: Checkpoint): Message[] {
  const known = new Set(before.values.messages.map(({ id }) => id));
  return next.values.messages.filter((message) => isMessage(message) && !known.has(message.id));
}

/** The members of a state that a step changed; of its messages the new ones. */
function changes(before: Checkpoint, next: Checkpoint): JsonObject {
  const changed = Object.entries(next.values).filter(([name, value]) => {
    return name !== "messages" && JSON.stringify(value) !== JSON.stringify(before.values[name]);
  });
  return { ...Object.fromEntries(changed), messages: newMessages(before, next) };
}

function isMessage(value: unknown): boolean {
  return isObject(value) && typeof value.id === "string";
}
