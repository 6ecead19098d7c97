/** What an agent asks of a person, in the forms that are known, and the answer in the server's words. */

import type { Json, JsonObject } from "../../../api/agentServer/wire.ts";
import { fieldOf, isList, isObject, sameJson, textOf } from "../../json/json.ts";
import type {
  ActionRequest,
  Decision,
  DecisionType,
  FreeQuestion,
  QuestionOption,
} from "../../panel/transcript.ts";

const decisionTypes: readonly DecisionType[] = ["approve", "edit", "reject", "respond"];
const usualDecisions: readonly DecisionType[] = ["approve", "edit", "reject"];
const questionKeys = ["question", "message", "prompt", "query", "text", "instruction", "instructions"];
const optionKeys = ["options", "choices"];
/** More than these are nothing to choose from by buttons; they are read as what the agent says beside its question. */
const mostOptions = 50;
const proposalKeys = ["default", "default_value", "defaultValue"];
const severalKeys = ["multiple", "multi", "multi_select", "multiSelect"];

/** The action requests of an interrupt's value; none when it asks something else, in free form. */
export function actionRequests(value: Json): readonly ActionRequest[] {
  if (!isObject(value)) return [];
  const actions = fieldOf(value, "action_requests", "actionRequests");
  if (!isList(actions)) return [];
  const configs = fieldOf(value, "review_configs", "reviewConfigs");
  const reviews = isList(configs) ? configs.filter(isObject) : [];
  return actions.filter(isObject).map((action, position) => actionRequest(action, position, reviews));
}

/** Whether two questions ask for the same actions. */
export function sameRequests(some: readonly ActionRequest[], others: readonly ActionRequest[]): boolean {
  const plain = (requests: readonly ActionRequest[]): Json =>
    requests.map(({ name, args }) => ({ name, args }));
  return sameJson(plain(some), plain(others));
}

/** A question in free form: a text, or an object that has one; undefined for any other value. */
export function freeQuestion(value: Json): FreeQuestion | undefined {
  if (typeof value === "string") return { text: value, options: [], several: false };
  if (!isObject(value)) return undefined;
  const textKey = questionKeys.find((key) => textOf(value[key]) !== undefined);
  if (textKey === undefined) return undefined;
  const optionsKey = optionKeys.find((key) => {
    const count = optionsIn(value[key]).length;
    return count > 0 && count <= mostOptions;
  });
  const options = optionsKey === undefined ? [] : optionsIn(value[optionsKey]);
  const proposalKey = proposalKeys.find((key) => value[key] !== undefined && value[key] !== null);
  const proposal = proposalKey === undefined ? undefined : value[proposalKey];
  const used = [textKey, optionsKey, proposalKey, ...severalKeys];
  const rest = Object.entries(value).filter(([key, field]) => !used.includes(key) && field !== undefined);
  return {
    text: textOf(value[textKey]) ?? "",
    options,
    several: options.length > 0 && (isList(proposal) || severalKeys.some((key) => value[key] === true)),
    ...(proposal !== undefined && { proposal }),
    ...(rest.length > 0 && { rest: Object.fromEntries(rest) }),
  };
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

function optionsIn(value: Json | undefined): readonly QuestionOption[] {
  if (!isList(value)) return [];
  return value.flatMap((option) => {
    if (!isObject(option))
      return isList(option) || option === null ? [] : { label: String(option), value: option };
    const label = textOf(fieldOf(option, "label", "title", "name", "text", "value", "id"));
    const sent = fieldOf(option, "value", "id", "key") ?? label;
    return label === undefined || sent === undefined ? [] : { label, value: sent };
  });
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
