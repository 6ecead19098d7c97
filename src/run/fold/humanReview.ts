/** Human-in-the-loop payloads: what an agent asks to be allowed to do, and the answer in the server's words. */

import type { Json, JsonObject } from "../../api/agentServer/wire.ts";
import { fieldOf, isList, isObject, textOf } from "../json/json.ts";
import type { ActionRequest, Decision, DecisionType } from "../panel/transcript.ts";

const decisionTypes: readonly DecisionType[] = ["approve", "edit", "reject", "respond"];
const usualDecisions: readonly DecisionType[] = ["approve", "edit", "reject"];

/** The action requests of an interrupt's value; none when it asks something else, in free form. */
export function actionRequests(value: Json): readonly ActionRequest[] {
  if (!isObject(value)) return [];
  const actions = fieldOf(value, "action_requests", "actionRequests");
  if (!isList(actions)) return [];
  const configs = fieldOf(value, "review_configs", "reviewConfigs");
  const reviews = isList(configs) ? configs.filter(isObject) : [];
  return actions.filter(isObject).map((action, position) => actionRequest(action, position, reviews));
}

/** The `resume` value for one decision per action request, in their order; both spellings of "edited action". */
export function resumeValue(decisions: readonly Decision[]): JsonObject {
  return { decisions: decisions.map(wireDecision) };
}

/** A `resume` value in words; one that answers several interrupts holds an answer by each one's id. */
export function answerText(resume: Json, interruptId: string | undefined): string {
  const own = isObject(resume) && interruptId !== undefined ? resume[interruptId] : undefined;
  const answer = own ?? resume;
  const decisions = isObject(answer) ? answer["decisions"] : undefined;
  if (!isList(decisions)) return typeof answer === "string" ? answer : JSON.stringify(answer);
  return decisions.map((decision) => (isObject(decision) ? decisionText(decision) : "")).join("; ");
}

/** Why these decisions can't be sent; undefined when they can. */
export function decisionProblem(
  requests: readonly ActionRequest[],
  decisions: readonly Decision[],
): string | undefined {
  if (decisions.length !== requests.length) {
    return `${requests.length} decisions are needed, one for each action; ${decisions.length} were given.`;
  }
  for (const [position, request] of requests.entries()) {
    const type = decisions[position]?.type;
    if (type !== undefined && !request.allowed.includes(type)) {
      return `The agent does not allow “${type}” for ${request.name}; it allows ${request.allowed.join(", ")}.`;
    }
  }
  return undefined;
}

function actionRequest(action: JsonObject, position: number, reviews: readonly JsonObject[]): ActionRequest {
  const name = textOf(fieldOf(action, "name", "action")) ?? "action";
  const review = reviews.find(
    (config, index) => (reviewedAction(config) ?? (index === position && name)) === name,
  );
  const listed = review === undefined ? undefined : fieldOf(review, "allowed_decisions", "allowedDecisions");
  const known = isList(listed) ? decisionTypes.filter((type) => listed.includes(type)) : [];
  const description = textOf(action["description"]);
  return {
    name,
    args: fieldOf(action, "args", "arguments") ?? {},
    allowed: known.length > 0 ? known : usualDecisions,
    ...(description !== undefined && { description }),
  };
}

function decisionText(decision: JsonObject): string {
  const type = textOf(decision["type"]) ?? "decided";
  const edited = fieldOf(decision, "edited_action", "editedAction");
  if (isObject(edited))
    return `${type} ${textOf(edited["name"]) ?? ""} ${JSON.stringify(edited["args"] ?? {})}`;
  const message = textOf(decision["message"]);
  return message === undefined ? type : `${type}: ${message}`;
}

function reviewedAction(config: JsonObject): string | undefined {
  return textOf(fieldOf(config, "action_name", "actionName"));
}

function wireDecision(decision: Decision): JsonObject {
  if (decision.type !== "edit") return decision;
  return { type: "edit", edited_action: decision.edited_action, editedAction: decision.edited_action };
}
