/**
 * What a panel's page may ask for: each message is checked first, since the page shows what agents say; and which
 * requests change something, so that a person is asked on a protected connection.
 */

import type { FromWebview } from "../../run/panel/messages.ts";
import type { GuardedAct } from "../connections/guard.ts";
import { isRemedyAction } from "../kit/remedies.ts";

type Fields = Readonly<Record<string, unknown>>;
type Check = (value: unknown) => boolean;
type RequestType = FromWebview["type"];

/** Everything but what the page says of itself. */
export type PageRequest = Exclude<FromWebview, { readonly type: "ready" | "painted" }>;

/** How a person is asked about a request that changes something. */
export interface PageChange extends Pick<GuardedAct, "question" | "verb" | "isUrgent" | "detail"> {
  /** What it is called in the audit log. */
  readonly action: string;
}

const text: Check = (value) => typeof value === "string";
const index: Check = (value) => Number.isSafeInteger(value) && Number(value) >= 0;
const anything: Check = (value) => value !== undefined;
const object: Check = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
const optional =
  (check: Check): Check =>
  (value) =>
    value === undefined || check(value);
const listOf =
  (check: Check): Check =>
  (value) =>
    Array.isArray(value) && value.every(check);
const shape =
  (checks: Readonly<Record<string, Check>>): Check =>
  (value) =>
    object(value) && Object.entries(checks).every(([name, check]) => check((value as Fields)[name]));
const oneOf =
  (...values: readonly unknown[]): Check =>
  (value) =>
    values.includes(value);

const strategies = ["reject", "enqueue", "interrupt", "rollback"];
const breakpoints: Check = (value) => value === "*" || listOf(text)(value);

const runRequest = shape({
  assistantId: text,
  input: (value) => shape({ text })(value) || shape({ json: anything })(value),
  streamModes: listOf(text),
  metadata: optional(object),
  strategy: optional(oneOf(...strategies)),
  feedbackKeys: optional(listOf(text)),
  context: optional(object),
  configurable: optional(object),
  recursionLimit: optional(index),
  interruptBefore: optional(breakpoints),
  interruptAfter: optional(breakpoints),
});

const inputMode = oneOf("text", "form", "json");

const agentOptions = shape({
  mode: optional(inputMode),
  streamModes: optional(listOf(text)),
  strategy: optional(oneOf("default", ...strategies)),
  feedbackKeys: optional(text),
  metadata: optional(text),
  context: optional(text),
  configurable: optional(text),
  recursionLimit: optional(text),
  interruptBefore: optional(text),
  interruptAfter: optional(text),
});

const decision: Check = (value) =>
  shape({ type: oneOf("approve") })(value) ||
  shape({ type: oneOf("edit"), edited_action: shape({ name: text, args: anything }) })(value) ||
  shape({ type: oneOf("reject"), message: optional(text) })(value) ||
  shape({ type: oneOf("respond"), message: text })(value);

const feedback = shape({
  score: optional(Number.isFinite),
  value: optional(Number.isFinite),
  comment: optional(text),
  correction: optional(object),
  metadata: optional(object),
});

const stepCheckpoints = shape({
  before: text,
  after: optional(text),
  outcome: optional(shape({ taskId: text, fields: listOf(oneOf("result", "error", "interrupts")) })),
});

const action: Check = (value) =>
  shape({ verb: oneOf("continue", "step", "to") })(value) ||
  shape({ verb: oneOf("retry", "from", "edit"), checkpointId: optional(text) })(value) ||
  shape({ verb: oneOf("skip"), node: optional(text) })(value) ||
  shape({ verb: oneOf("regenerate"), message: text })(value) ||
  shape({ verb: oneOf("resend"), message: text, text: optional(text) })(value);

const requests: Readonly<Record<RequestType, Check>> = {
  ready: anything,
  painted: shape({ revision: index }),
  agent: shape({ assistantId: text, again: optional(oneOf(true, false)) }),
  nodes: shape({ assistantId: text }),
  graph: shape({ assistantId: text, isOpened: oneOf(true, false) }),
  options: shape({ assistantId: text, options: agentOptions }),
  start: shape({ request: runRequest }),
  stop: anything,
  detach: anything,
  reattach: anything,
  remedy: shape({ action: (value) => isRemedyAction(value) }),
  decide: shape({ interruptId: text, decisions: listOf(decision) }),
  resume: shape({ interruptId: text, value: anything }),
  feedback: shape({ runId: text, key: text, feedback }),
  raw: shape({ search: text, offset: index, limit: index }),
  copy: shape({ text }),
  copyEvents: shape({ search: text }),
  openExternal: shape({ url: text }),
  savePicture: shape({ data: text }),
  openText: shape({ text, language: text }),
  saveGraph: shape({ name: text, format: oneOf("svg", "mmd"), text }),
  saveInput: shape({
    input: (value) =>
      shape({ mode: inputMode, request: runRequest })(value) || shape({ problem: text })(value),
  }),
  readEarlier: anything,
  readRuns: shape({ runIds: listOf(text) }),
  compareStep: shape({ name: text, lane: text, checkpoints: stepCheckpoints }),
  repair: shape({ action }),
  continueInCopy: anything,
  openSource: shape({
    source: shape({
      of: oneOf("node", "tool"),
      path: listOf(text),
      runId: optional(text),
      assistantId: optional(text),
    }),
  }),
  findFiles: shape({ paths: listOf(text) }),
  openFile: shape({ path: text, line: index, column: optional(index) }),
  openLinked: shape({ link: oneOf("continuedIn", "continuedFrom") }),
};

/** What a message of the page asks for; undefined for any other message. */
export function pageRequestOf(message: unknown): FromWebview | undefined {
  if (!object(message)) return undefined;
  const { type } = message as Fields;
  if (typeof type !== "string" || !Object.hasOwn(requests, type)) return undefined;
  return requests[type as RequestType](message) ? (message as FromWebview) : undefined;
}

const changes: { readonly [Type in PageRequest["type"]]?: PageChange } = {
  start: { action: "Run", question: "Start this run?", verb: "Run" },
  stop: { action: "Stop Run", question: "Stop this run?", verb: "Stop", isUrgent: true },
  decide: { action: "Answer", question: "Send this answer?", verb: "Send" },
  resume: { action: "Answer", question: "Send this answer?", verb: "Send" },
  feedback: { action: "Give Feedback", question: "Send this feedback?", verb: "Send" },
};

const longestShown = 300;

/** What a request changes, and as much of what it sends as a question has room for; undefined when it changes nothing. */
export function changeIn(request: PageRequest): PageChange | undefined {
  const change = changes[request.type];
  const sent = sentText(request);
  const detail = sent.length <= longestShown ? sent : `${sent.slice(0, longestShown)}…`;
  return change === undefined ? undefined : { ...change, detail };
}

function sentText(request: PageRequest): string {
  if (request.type === "decide") return request.decisions.map(({ type }) => type).join(", ");
  if (request.type === "resume") return plain(request.value);
  if (request.type !== "start") return "";
  const { input } = request.request;
  return "text" in input ? input.text : plain(input.json);
}

function plain(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
