/** The runs that bring a person's answer to a question, or let a thread go on from a breakpoint. */

import type { Json, Run, RunCreate } from "../../api/agentServer/wire.ts";
import { isObject } from "../json/json.ts";
import { settingsOf } from "./runBody.ts";
import type { ActionRequest, AnswerGiver } from "../panel/transcript.ts";

/** Runs that bring an answer of a person say so, so that other windows can tell who answered. */
const answerMark = { answered_with: "agent-operations" };

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
  return { ...settingsOf(asking), assistant_id: assistantId, command: { resume }, metadata: answerMark };
}

/** A run that goes on from a breakpoint, at which the given one stopped. */
export function continuing(assistantId: string, stopped?: Run): RunCreate {
  return { ...settingsOf(stopped), assistant_id: assistantId, input: null, metadata: answerMark };
}

/** The answer that a run was started with, and who gave it, as far as the server says. */
export function answerIn({ kwargs, metadata, assistant_id: assistantId }: Run): {
  readonly resume: Json | undefined;
  readonly giver: AnswerGiver;
} {
  const command = kwargs?.["command"];
  const isOurs = isObject(metadata) && metadata["answered_with"] === answerMark.answered_with;
  return {
    resume: isObject(command) ? (command["resume"] ?? undefined) : undefined,
    giver: isOurs ? { kind: "otherWindow" } : { kind: "run", assistantId },
  };
}

/** An action that a thread asks to be allowed and nothing else beside it, as it was read where it is answered. */
export interface AskedAction {
  /** The server's id of the question, if it gave one. */
  readonly interruptId: string | undefined;
  readonly request: ActionRequest;
}
