/** What lets a waiting thread go on: an answer to what it asks, or the next step after a breakpoint. */

import type { Json, JsonObject, Run, RunCreate } from "../../api/agentServer/wire.ts";
import { actionRequests, decisionProblem, sameRequests } from "../fold/drafts/humanReview.ts";
import { type StateNow, waitingIn } from "../fold/threadState.ts";
import type { ActionRequest, Decision } from "../panel/transcript.ts";
import { answerMark, settingsAgain } from "./runBody.ts";
import type { ThreadNow } from "./server.ts";
import { mended, stuckCheckpoint } from "./stuckCheckpoint.ts";

/** An action that a thread asks to be allowed and nothing else beside it, as it was read where it is answered. */
export interface AskedAction {
  /** The server's id of the question, if it gave one. */
  readonly interruptId: string | undefined;
  readonly request: ActionRequest;
}

/** What lets a waiting thread go on. */
export interface Answer {
  /** Why it is not to be sent to a thread in this state; undefined when it is. */
  readonly refusal: (state: StateNow) => string | undefined;
  /** The run that brings it to a thread that was read before. */
  readonly body: (assistantId: string, before: ThreadNow) => RunCreate;
}

/** Answers the one action that a thread asks about. */
export function decideStep(action: AskedAction, decision: Decision): Answer {
  return {
    refusal: (state) =>
      waitsFor(action, decision, state) ? undefined : "This thread does not wait for that answer any more.",
    body: (assistantId, before) => {
      const value = resumeValue([decision]);
      return fromNewest(before, answering(assistantId, action.interruptId, value, before.runs.at(-1)));
    },
  };
}

/** Goes on from the breakpoint at which a thread stopped. */
export const continueStep: Answer = {
  refusal: (state) => (isStopped(state) ? undefined : "This thread does not stand at a breakpoint any more."),
  body: (assistantId, before) => fromNewest(before, continuing(assistantId, before.runs.at(-1))),
};

/** The run, whatever old checkpoint its thread goes back to. */
function fromNewest({ state }: ThreadNow, body: RunCreate): RunCreate {
  return mended(body, stuckCheckpoint(state.row?.config));
}

/**
 * Whether a thread still waits for this answer. Compared by the id of the question and by what it asks, since a
 * server may give the next question the same id; without ids, the question has to be the only one.
 */
function waitsFor({ interruptId, request }: AskedAction, decision: Decision, state: StateNow): boolean {
  const { interrupts } = waitingIn(state);
  if (interruptId === undefined && interrupts.length > 1) return false;
  const asked = interrupts.find(
    ({ id, value }) =>
      (interruptId === undefined || id === interruptId) && sameRequests(actionRequests(value), [request]),
  );
  return asked !== undefined && decisionProblem(actionRequests(asked.value), [decision]) === undefined;
}

/** Whether it stopped; a server that does not list questions leaves it to the nodes that come next. */
function isStopped(state: StateNow): boolean {
  const { stopped, interrupts, next } = waitingIn(state);
  return stopped ?? (interrupts.length === 0 && next.length > 0 && state.row?.status === "interrupted");
}

/**
 * A run that goes on with an answer: by the question's id where the server gave one, so that it reaches no other. The
 * run that asks was told things that are no part of the state: they are told again.
 */
export function answering(
  assistantId: string,
  questionId: string | undefined,
  answer: Json,
  asking?: Run,
): RunCreate {
  const resume = questionId === undefined ? answer : { [questionId]: answer };
  return { ...settingsAgain(asking), assistant_id: assistantId, command: { resume }, metadata: answerMark };
}

/** A run that goes on from a breakpoint, at which the given one stopped. */
export function continuing(assistantId: string, stopped?: Run): RunCreate {
  return { ...settingsAgain(stopped), assistant_id: assistantId, input: null, metadata: answerMark };
}

/** The `resume` value for one decision per action request, in their order; both spellings of "edited action". */
export function resumeValue(decisions: readonly Decision[]): JsonObject {
  return { decisions: decisions.map(wireDecision) };
}

function wireDecision(decision: Decision): JsonObject {
  if (decision.type !== "edit") return decision;
  return { type: "edit", edited_action: decision.edited_action, editedAction: decision.edited_action };
}
