/** The nodes that ran after one checkpoint: how each ended in a run, what it said, wrote, asked, or failed with. */

import type { Interrupt, Json } from "../../api/agentServer/wire.ts";
import { isObject } from "../json/json.ts";
import type { OutcomeField } from "../panel/transcript.ts";
import { type KeptCheckpoint, type KeptTask, type KeptValues, messageKey } from "./checkpoints.ts";
import { type Attempt, questionsOf } from "./keptQuestions.ts";

/** A node that ran. */
export interface KeptStep {
  readonly taskId: string;
  /** Empty where the server does not say which node ran. */
  readonly node: string;
  readonly status: "done" | "error" | "interrupted" | "stopped" | "running";
  /** Epoch milliseconds, by the server's clock. */
  readonly startedAt: number | undefined;
  readonly endedAt: number | undefined;
  readonly wrote: KeptValues | undefined;
  /** What it wrote is kept only together with what ran beside it. */
  readonly wroteTogether: boolean;
  /** What was new in the conversation after it. */
  readonly messages: readonly Json[];
  /** Whether a state has them, where those without an id of their own have one. */
  readonly isInState: boolean;
  readonly error: Json | undefined;
  readonly questions: readonly Interrupt[];
  /** It asked something that the server does not keep, for it asked again later. */
  readonly lostQuestion: boolean;
  /** It failed with something that the server does not keep, for it failed again later. */
  readonly lostError: boolean;
  /** The error may be one of a later run that was stopped. */
  readonly isErrorUnsure: boolean;
  /** What is kept of how it ended, where there is no checkpoint after it. */
  readonly outcome: readonly OutcomeField[];
  /** The checkpoints before and after it. */
  readonly before: string;
  readonly after: string | undefined;
}

/** A run that came to the nodes after a checkpoint, and the checkpoint that it made after them. */
export type TriedStep = Attempt & { readonly next?: KeptCheckpoint };

/** The nodes that ran after a checkpoint, as far as one of the runs that tried them ran them. */
export function stepsFrom(
  from: KeptCheckpoint,
  tried: readonly TriedStep[],
  mine: number,
): readonly KeptStep[] {
  const now = tried[mine];
  if (now === undefined) return [];
  const questions = questionsOf(from.tasks, tried, from.coming);
  const finishedLater = tried.slice(mine + 1).some(({ finished }) => finished);
  const asks = from.tasks.some(({ interrupts }) => interrupts.length > 0);
  const ran = from.tasks.flatMap((task) => {
    const asked = questions.get(task.id);
    const status =
      asked === undefined
        ? statusOf(task, from.tasks, tried, mine, { asks, finishedLater })
        : asked.get(now.run.run_id)?.status;
    return status === undefined ? [] : [{ task, status, asked: asked?.get(now.run.run_id) }];
  });
  const others = from.tasks.filter((task) => !ran.some((one) => one.task === task));
  const next = tried.find((one) => one.next !== undefined)?.next;
  const said = messagesOf(
    ran.map(({ task }) => task),
    asks ? others : [],
    next?.change?.messages ?? [],
  );
  // What a node returned is only in the whole state, where a node beside it failed.
  const silent = ran.filter(({ task, status }) => status === "done" && task.result === undefined);
  const left = messagesOf(
    silent.map(({ task }) => task),
    from.tasks.filter(({ result }) => result !== undefined),
    next === undefined ? from.left : [],
  );
  return ran.map(({ task, status, asked }): KeptStep => {
    const done = status === "done";
    const failedLater = status === "error" && asked === undefined && failsIn(tried.slice(mine + 1));
    const isErrorUnsure = status === "error" && asked === undefined && isStoppedIn(tried.slice(mine + 1));
    const isLost = failedLater || asked?.lost === true;
    const messages = said.get(task) ?? left.get(task) ?? (next === undefined ? undefined : []);
    const own = task.result ?? (from.tasks.length === 1 ? now.next?.change : undefined);
    return {
      taskId: task.id,
      node: task.node,
      status,
      startedAt: now.startedAt,
      endedAt: status === "running" ? undefined : now.endedAt,
      wrote: done ? (own ?? keysOnly(tried)) : undefined,
      wroteTogether: done && own === undefined,
      // What it said beside a node that asks comes into the conversation with what that one says.
      messages: done ? (messages ?? task.messages) : [],
      isInState: messages !== undefined,
      error: status === "error" && !isLost ? task.error : undefined,
      questions: asked?.again === true || (status === "interrupted" && !isLost) ? task.interrupts : [],
      lostQuestion: status === "interrupted" && isLost,
      lostError: status === "error" && isLost,
      isErrorUnsure,
      outcome: now.next === undefined && !isLost ? outcomeOf(task, status) : [],
      before: from.id,
      after: now.next?.id,
    };
  });
}

/** A step of which the server does not say which node ran: its graph is not one that the server knows. */
export function namelessStep({ id }: KeptCheckpoint, { next, startedAt }: TriedStep): KeptStep {
  return {
    taskId: id,
    node: "",
    status: "done",
    startedAt,
    endedAt: next?.at,
    wrote: next?.change,
    wroteTogether: false,
    messages: next?.change?.messages ?? [],
    isInState: true,
    error: undefined,
    questions: [],
    lostQuestion: false,
    lostError: false,
    isErrorUnsure: false,
    outcome: [],
    before: id,
    after: next?.id,
  };
}

/** Whether the same nodes failed again: the server keeps what a node failed with last. */
function failsIn(later: readonly Attempt[]): boolean {
  return later.some(({ run, finished }) => run.status === "error" && !finished);
}

/** Whether a run was stopped in the same nodes: it may have failed there before it was. */
function isStoppedIn(later: readonly Attempt[]): boolean {
  return later.some(
    ({ run, finished }) => !finished && (run.status === "interrupted" || run.status === "timeout"),
  );
}

/** What a task says of how a run left it that did not get past it. */
function outcomeOf(task: KeptTask, status: KeptStep["status"]): readonly OutcomeField[] {
  const [result, error] = [task.result === undefined ? [] : ["result" as const], task.error];
  switch (status) {
    case "interrupted":
      return ["interrupts"];
    case "error":
      return error === undefined ? [] : ["error", ...result];
    case "done":
      return result;
    default:
      return [];
  }
}

/** How a node that asked nothing ended in one of the runs that tried it; undefined when that run did not run it. */
function statusOf(
  task: KeptTask,
  tasks: readonly KeptTask[],
  tried: readonly Attempt[],
  mine: number,
  { asks, finishedLater }: { readonly asks: boolean; readonly finishedLater: boolean },
): KeptStep["status"] | undefined {
  const now = tried[mine];
  if (now === undefined) return undefined;
  // Beside a node that asks, it ran with it the first time, and is not run again.
  if (asks && mine > 0 && tried[0]?.run.status === "success") return undefined;
  const returned = task.result !== undefined && !finishedLater;
  if (now.finished || (asks && now.run.status === "success")) return "done";
  switch (now.run.status) {
    case "success":
      return undefined;
    case "error":
      if (task.error !== undefined || tasks.length === 1) return "error";
      return returned ? "done" : "stopped";
    case "interrupted":
    case "timeout":
      return returned ? "done" : "stopped";
    default:
      return returned ? "done" : "running";
  }
}

/** It was done, but kept only together with those beside it: what each of them wrote can't be told apart. */
function keysOnly(tried: readonly TriedStep[]): KeptValues | undefined {
  const change = tried.find(({ next }) => next !== undefined)?.next?.change;
  return change && { keys: change.keys, text: undefined };
}

/**
 * The new messages by the task that said them; what nobody returned came from the first that does not say what it did.
 * What the others said is not theirs.
 */
function messagesOf(
  tasks: readonly KeptTask[],
  others: readonly KeptTask[],
  messages: readonly Json[],
): ReadonlyMap<KeptTask, readonly Json[]> {
  const silent = tasks.find(({ result }) => result === undefined) ?? tasks[0];
  const byTask = new Map<KeptTask, Json[]>();
  for (const message of messages) {
    const keys = keysOf(message);
    const isSaidBy = ({ said }: KeptTask): boolean => keys.some((key) => said.has(key));
    const speaker = tasks.find(isSaidBy) ?? (others.some(isSaidBy) ? undefined : silent);
    if (speaker === undefined) continue;
    const own = byTask.get(speaker);
    if (own === undefined) byTask.set(speaker, [message]);
    else own.push(message);
  }
  return byTask;
}

/** A message gets its id when it is put into the state, so what a node returned may have none. */
function keysOf(message: Json): readonly string[] {
  if (!isObject(message)) return [messageKey(message)];
  return [messageKey(message), messageKey({ ...message, id: undefined })];
}
