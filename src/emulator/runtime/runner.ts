import { HttpError } from "../kit/httpError.ts";
import { isObject } from "../kit/json.ts";
import {
  blank,
  type Checkpoint,
  inputCheckpoint,
  nextCheckpoint,
  nodeOf,
  pendingInterrupts,
  repeated,
  takesInput,
  undone,
  unfinished,
} from "./checkpoint.ts";
import type { Checkpoints } from "./checkpoints.ts";
import { type Ending, Executor } from "./executor.ts";
import type { GraphEvent } from "./graphEvent.ts";
import { applyUpdate, InvalidInputError } from "./messages.ts";
import { Projector } from "./projector.ts";
import type { Command } from "./runs.ts";
import type { FollowedRun, Ticket } from "./ticket.ts";

/** A run had nothing to do: no input, and nothing has run on the thread. */
class EmptyInputError extends Error {
  override readonly name = "EmptyInputError";
}

/** Executes a run from where it starts; answers where it ended, or undefined when there was nothing to resume. */
export async function executeRun(
  checkpoints: Checkpoints,
  ticket: Ticket,
  followed?: FollowedRun,
): Promise<Ending | undefined> {
  const { run, agent, log } = ticket;
  const { kwargs } = run;
  log.append("metadata", JSON.stringify({ run_id: run.run_id, attempt: 1 }));
  const projector = new Projector(kwargs.stream_mode, kwargs.subgraphs, run.run_id, (event, data) =>
    log.append(event, data),
  );
  const scope = {
    threadId: run.thread_id,
    runId: run.run_id,
    assistantId: run.assistant_id,
    graphId: agent.name,
    configurable: isObject(kwargs.config.configurable) ? kwargs.config.configurable : {},
    signal: ticket.signal,
    keepsPartial: () => ticket.reason !== "stranded",
    emit: (event: GraphEvent) => {
      projector.project(event);
      followed?.project(event);
    },
    room: async (signal: AbortSignal) => {
      await log.room(signal);
      await followed?.room(signal);
    },
  };
  const breakpoints = { before: kwargs.interrupt_before, after: kwargs.interrupt_after };
  const executor = new Executor(checkpoints, scope, breakpoints);
  const found = startingPoint(checkpoints, executor, ticket);
  if (found === undefined) return undefined;
  const start = kwargs.repeats ? undone(found) : found;
  if (start.run_id !== run.run_id) {
    ticket.goesOnFrom = checkpoints.get(run.thread_id, start.id);
    // A run that makes no checkpoint at its start tells of the one from which it goes on.
    if (takesInput(start)) scope.emit({ type: "values", ns: [], values: start.values });
    scope.emit({ type: "checkpoint", ns: [], checkpoint: start });
  }
  return await executor.run(agent, start);
}

function startingPoint(checkpoints: Checkpoints, executor: Executor, ticket: Ticket): Checkpoint | undefined {
  const { run, agent } = ticket;
  const { kwargs } = run;
  const head = checkpoints.head(run.thread_id);
  const base = kwargs.checkpoint_id === null ? head : checkpoints.get(run.thread_id, kwargs.checkpoint_id);
  if (kwargs.checkpoint_id !== null && base === undefined) throw new HttpError(404, "Checkpoint not found");
  const isOld = base?.id !== head?.id;
  if (kwargs.command !== null) return commanded(executor, ticket, base, isOld, kwargs.command);
  if (kwargs.input !== null) {
    const parsed = agent.input.safeParse(kwargs.input);
    if (!parsed.success) {
      const [issue] = parsed.error.issues;
      throw new InvalidInputError(`input.${issue?.path.join(".") ?? ""}: ${issue?.message ?? "invalid"}`);
    }
    return executor.enter(inputCheckpoint(agent, run.thread_id, run.run_id, base, kwargs.input));
  }
  if (base === undefined) {
    throw new EmptyInputError("There is no input, and nothing has run on this thread that could go on.");
  }
  // As on an agent server: a run that repeats makes a copy to go on from, unless it names the head or that is one already.
  const { source } = base.metadata;
  const copies = kwargs.repeats && kwargs.checkpoint_id === null && source !== "update" && source !== "fork";
  return isOld || copies ? executor.enter(repeated(agent, base, run.run_id, "fork")) : base;
}

function commanded(
  executor: Executor,
  ticket: Ticket,
  base: Checkpoint | undefined,
  isOld: boolean,
  command: Command,
): Checkpoint | undefined {
  const { run, agent } = ticket;
  let start = base ?? blank(run.thread_id);
  if (command.goto !== undefined) {
    const unknown = command.goto.find((name) => nodeOf(agent, name) === undefined);
    if (unknown !== undefined) throw new InvalidInputError(`The graph has no node ${unknown} to go to.`);
  }
  if (isOld && pendingInterrupts(start).length === 0) {
    start = executor.enter(repeated(agent, start, run.run_id, "fork"));
  }
  if (command.update !== undefined || command.goto !== undefined) {
    const update = isObject(command.update) ? command.update : {};
    const pending = new Map(start.tasks.map((task) => [task.name, { ...task, error: null }]));
    const next = new Set([...pending.keys(), ...(command.goto ?? [])]);
    const values = applyUpdate(start.values, update);
    const moved = nextCheckpoint(agent, start, run.run_id, "input", values, [...next]);
    // What waits goes on to wait, with its question, beside the nodes that are named.
    const tasks = moved.tasks.map((task) => pending.get(task.name) ?? task);
    start = executor.enter({ ...moved, tasks });
  }
  if (command.resume !== undefined) answer(start, command.resume);
  const isOver = start === base && start.tasks.length === 0;
  return start.id === "" || (isOver && command.resume !== undefined) ? undefined : start;
}

/** What names a question in an answer. */
const interruptId = /^[0-9a-f]{32}$/;

/**
 * Gives the waiting steps their answers: by the ids of their questions, or the same to all. An answer to a question
 * that does not wait goes to no other one. Where none waits yet, an answer without an id is for what is asked next.
 */
function answer(checkpoint: Checkpoint, resume: unknown): void {
  const next = unfinished(checkpoint);
  const asking = next.filter(({ interrupts }) => interrupts.length > 0);
  const waiting = asking.length > 0 ? asking : next;
  const ids = isObject(resume) ? Object.keys(resume) : [];
  const byId = ids.length > 0 && ids.every((id) => interruptId.test(id));
  for (const task of waiting) {
    const id = task.interrupts[0]?.id ?? "";
    if (!byId) task.answers = [...task.answers, resume];
    else if (isObject(resume) && id in resume) task.answers = [...task.answers, resume[id]];
  }
}
