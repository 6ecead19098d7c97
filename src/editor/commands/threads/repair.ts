/** Repairing a thread: what failed is tried again or skipped, and it goes on from where it stands, or from before. */

import { isObject } from "../../../api/shape.ts";
import { problemText, readJsonObject } from "../../../run/json/jsonText.ts";
import { laterNodes, nodesOf } from "../../../run/repair/graph.ts";
import { findMessage, regeneratePlan, resendPlan } from "../../../run/repair/messages.ts";
import { failedNodes, forkPlan, goOnPlan, type Plan, skipPlan } from "../../../run/repair/plan.ts";
import {
  CourseRefusal,
  type CourseThread,
  readPosition,
  type ThreadPosition,
} from "../../../run/repair/threadPosition.ts";
import { checkpointIn } from "../../../run/history/pages.ts";
import type { ThreadState } from "../../../api/agentServer/wire.ts";
import type { RepairAction } from "../../../run/panel/messages.ts";
import type { ThreadRef } from "../../connections/connection.ts";
import type { StateEdits } from "../../documents/stateEdits/stateEdits.ts";
import { askChoice, askText, type Choice } from "../../kit/ask/questions.ts";
import { hasTexts, refIn, textIn } from "../../kit/ask/meant.ts";
import { abortable } from "../../kit/notice.ts";
import { setContext } from "../../kit/contexts.ts";
import { CONTEXTS } from "../../kit/ids.ts";
import { NotPossibleError } from "../../kit/remedies.ts";
import type { RunPanels } from "../../runPanel/runPanels.ts";
import type { Services } from "../../services.ts";
import { changeCourse, type CourseChange } from "../../threads/course/courseChange.ts";
import { chooseState } from "./threadHistory.ts";

type Verb = RepairAction["verb"];

const title = "Repair Thread";

/** Asks what is to be done unless the action says it, tells what that means, and does it. */
export async function repairThread(
  services: Services,
  { panels, stateEdits }: { readonly panels: RunPanels; readonly stateEdits: StateEdits },
  thread: ThreadRef,
  action: RepairAction | undefined,
): Promise<void> {
  const server = services.threadHosts.of(thread).runs;
  const course = (signal: AbortSignal): CourseThread => ({ server, threadId: thread.threadId, signal });
  const readNow = <T>(read: (course: CourseThread) => Promise<T>): Promise<T> =>
    abortable("Looking at the thread", (signal) => read(course(signal)));
  const asked = action ?? (await askAction(await readNow(readPosition)));
  const asking = { services, thread, readNow };
  if (asked.verb === "edit")
    return stateEdits.open(thread, asked.checkpointId ?? (await askState(asking, "Edit State")));
  const change = await changeFor(asked, asking);
  await changeCourse(services, thread, change);
  // A walkthrough counts what a person reached by any way.
  setContext(CONTEXTS.courseChanged, true);
  panels.open(thread);
}

/** The action that the page, or another caller, put beside the thread. */
export function actionIn(value: unknown): RepairAction | undefined {
  return refIn(value, (named) => {
    const action = isObject(named) ? named["action"] : undefined;
    return isAction(action) ? action : undefined;
  });
}

/** The texts that an action must have, and those that it may. */
const texts: { readonly [verb in Verb]: readonly [must: readonly string[], may: readonly string[]] } = {
  continue: [[], []],
  step: [[], []],
  to: [[], []],
  retry: [[], ["checkpointId"]],
  from: [[], ["checkpointId"]],
  edit: [[], ["checkpointId"]],
  skip: [[], ["node"]],
  regenerate: [["message"], []],
  resend: [["message"], ["text"]],
};

function isAction(value: unknown): value is RepairAction {
  const verb = textIn(value, "verb") ?? "";
  if (!isObject(value) || !isVerb(verb)) return false;
  const [must, may] = texts[verb];
  const given = may.filter((name) => value[name] !== undefined);
  return hasTexts(value, ...must, ...given);
}

function isVerb(value: string): value is Verb {
  return Object.hasOwn(texts, value);
}

interface Asking {
  readonly services: Services;
  readonly thread: ThreadRef;
  readonly readNow: <T>(read: (course: CourseThread) => Promise<T>) => Promise<T>;
}

async function changeFor(
  action: Exclude<RepairAction, { readonly verb: "edit" }>,
  asking: Asking,
): Promise<CourseChange> {
  const { readNow } = asking;
  switch (action.verb) {
    case "continue": {
      const plan = goOnPlan(await readNow(readPosition));
      return { plan, name: "Continue", verb: "Continue" };
    }
    case "step": {
      const plan = goOnPlan(await readNow(readPosition), "step");
      return { plan, name: "Run one step", verb: "Run" };
    }
    case "to": {
      const position = await readNow(readPosition);
      const node = await askNode(position);
      return { plan: goOnPlan(position, { before: [node] }), name: `Run to “${node}”`, verb: "Run" };
    }
    case "retry":
      return retry(action, asking);
    case "skip": {
      const position = await readNow(readPosition);
      const node = action.node ?? failedNodes(position)[0] ?? position.state.next[0] ?? "";
      const values = await askResult(node);
      return { plan: skipPlan(position, node, values), name: `Skip “${node}”`, verb: "Skip" };
    }
    case "from": {
      const { checkpointId } = action;
      return runFrom(checkpointId ?? (await askState(asking, "Run from Earlier State")), asking);
    }
    case "resend": {
      const found = await readNow((course) => findMessage(course, messageRef(action.message)));
      const text =
        action.text ??
        (await askText({ title: "Edit and Resend" }, { prompt: "The message instead.", value: found.text }));
      return { plan: resendPlan(found, text), name: "Resend the edited message", verb: "Resend" };
    }
    case "regenerate": {
      const found = await readNow((course) => findMessage(course, messageRef(action.message)));
      return { plan: regeneratePlan(found), name: "Regenerate the answer", verb: "Regenerate" };
    }
    default:
      return action satisfies never;
  }
}

/** A step that failed earlier, before the thread went on, runs again from the state before it. */
async function retry(
  { checkpointId }: { readonly checkpointId?: string | undefined },
  asking: Asking,
): Promise<CourseChange> {
  const position = await asking.readNow(readPosition);
  if (checkpointId !== undefined && checkpointId !== checkpointIn(position.state))
    return runFrom(checkpointId, asking);
  const plan = goOnPlan(position);
  const names = plan.effects.first.map(({ name }) => name).join(", ");
  return { plan, name: `Retry “${names}”`, verb: "Retry" };
}

async function runFrom(checkpointId: string, { readNow }: Asking): Promise<CourseChange> {
  let target: ThreadState | undefined;
  const position = await readNow((course) =>
    readPosition(course, (state) => {
      if (checkpointIn(state) === checkpointId) target = state;
      return target !== undefined;
    }),
  );
  if (target === undefined)
    throw new CourseRefusal(
      "The server does not keep that state any more.",
      "Choose another one of the thread's earlier states.",
    );
  const plan = forkPlan(position, target, { checkpointId, values: null });
  return { plan, name: `Run again from before ${target.next.join(", ")}`, verb: "Run" };
}

/** What can be done where the thread stands, the most likely first. */
async function askAction(position: ThreadPosition): Promise<RepairAction> {
  const [failed] = failedNodes(position);
  const next = position.state.next.join(", ");
  const row = (label: string, verb: Verb, description = ""): Choice<RepairAction> => ({
    label,
    description,
    value: { verb } as RepairAction,
  });
  const choices = [
    ...(failed === undefined
      ? []
      : [row(`Retry “${failed}”`, "retry"), row(`Skip “${failed}” with a result of your own…`, "skip")]),
    ...(next === ""
      ? []
      : [
          row("Continue", "continue", `with ${next}`),
          row("Run one step", "step", next),
          row("Run to a breakpoint…", "to"),
        ]),
    ...(failed === undefined && next !== ""
      ? [row(`Skip “${position.state.next[0] ?? ""}” with a result of your own…`, "skip")]
      : []),
    row("Run from an earlier state…", "from"),
    row("Edit a state and go on from there…", "edit"),
  ];
  return askChoice({ title }, choices, {
    placeholder: next === "" ? "The thread is finished." : `The thread stands before ${next}.`,
  });
}

async function askNode({ graph, state }: ThreadPosition): Promise<string> {
  if (graph === undefined)
    throw new NotPossibleError("The server does not tell the steps of its graph.", "Run one step at a time.");
  const later = laterNodes(graph, state.next);
  const nodes = [...later, ...nodesOf(graph).filter((node) => !later.includes(node))];
  const choices = nodes
    .filter((node) => !state.next.includes(node) || later.includes(node))
    .map((node) => ({
      label: node,
      description: later.includes(node) ? "" : "not on the way from here",
      value: node,
    }));
  return askChoice({ title: "Run to a Breakpoint" }, choices, {
    placeholder: "Before which step is it to stop? Steps of subgraphs can't be chosen.",
  });
}

async function askResult(node: string): Promise<Plan["run"]["input"] & object> {
  const text = await askText(
    { title: `Skip “${node}”` },
    {
      prompt: "What the step returns instead, as a JSON object: it is merged into the state. {} for nothing.",
      value: "{}",
      problem: (typed) => {
        const reading = readJsonObject(typed);
        return "problem" in reading ? problemText(reading.problem) : undefined;
      },
    },
  );
  return JSON.parse(text) as Plan["run"]["input"] & object;
}

async function askState({ services, thread }: Asking, question: string): Promise<string> {
  const { checkpointId } = (await chooseState(services, thread, { title: question })).item;
  return checkpointId;
}

/** A message that a run was sent with is known by its index in it; others have an id. */
function messageRef(entryId: string): Parameters<typeof findMessage>[1] {
  const [, runId, index] = /^input:(.+):(\d+)$/.exec(entryId) ?? [];
  if (runId !== undefined) return { runId, index: Number(index) };
  return { id: entryId.replace(/^message:/, "") };
}
