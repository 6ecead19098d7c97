/** What a panel's page may ask for: each message is checked first, since the page shows what agents say. */

import type { FromWebview } from "../../run/panel/messages.ts";
import { isRemedyAction } from "../kit/remedies.ts";

type Fields = Readonly<Record<string, unknown>>;
type Check = (value: unknown) => boolean;
type RequestType = FromWebview["type"];

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
