/** The events that issue webhooks deliver (docs/interface.md, "Webhook event envelope"), as they are on the wire. */

import { isObject } from "../shape.ts";

/** What any event has; types and fields that are not known are kept. */
export interface Envelope {
  /** Unique per delivery and the same in each retry. */
  readonly id: string;
  readonly type: string;
  /** Unix seconds. */
  readonly created?: number;
  /** Shared by all events that one action led to. */
  readonly request_id?: string;
  readonly data: EventData;
}

/** What an event is about; its object is kept as it came. */
export interface EventData {
  readonly object: Readonly<Record<string, unknown>>;
  readonly trace?: Readonly<Record<string, unknown>>;
}

/** An issue in `issue.created` and `issue.trace.added`. */
export interface IssueObject {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  /** 0 urgent, 1 high, 2 medium, 3 low; servers may add others. */
  readonly severity: number;
  readonly tenant_id?: string;
  readonly tenant_name?: string;
  readonly session_id?: string;
  readonly session_name?: string;
  /** Deep link to the issue. */
  readonly url?: string;
}

/** A trace that is linked to an issue. */
export interface TraceLink {
  readonly run_id: string;
  readonly trace_id: string;
  /** RFC 3339. */
  readonly start_time?: string;
  readonly comment?: string | null;
}

/** A detection run that did not complete; it belongs to a project, not to an issue. */
export interface RunFailure {
  readonly tenant_id?: string;
  readonly tenant_name?: string;
  readonly session_id?: string;
  readonly session_name?: string;
  /** Link to the project. */
  readonly url?: string;
  readonly thread_id: string;
  readonly run_id?: string;
  readonly status: string;
  readonly error_message?: string;
  readonly occurred_at?: string;
}

/** What an event says, as far as its type and shape are known. */
export type EventFacts =
  | { readonly kind: "issue"; readonly issue: IssueObject }
  | { readonly kind: "trace"; readonly issue: IssueObject; readonly trace: TraceLink }
  | { readonly kind: "failure"; readonly failure: RunFailure }
  | { readonly kind: "other" };

/** The complete set of types that the platform sends today. */
export const EVENT_TYPES = ["issue.created", "issue.trace.added", "issue.agent_run.failed"] as const;

/** A type that the specification names; others may come, too. */
export type EventType = (typeof EVENT_TYPES)[number];

/** A signed body that holds no event: without an id it can't be kept. */
export class EnvelopeError extends Error {
  override readonly name = "EnvelopeError";
}

/** The event in a delivery's body, whose signature was checked before; throws EnvelopeError. */
export function readEnvelope(body: Uint8Array): Envelope {
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body));
  } catch {
    throw new EnvelopeError("The body is not JSON.");
  }
  const problem = envelopeProblem(value);
  if (problem !== undefined) throw new EnvelopeError(problem);
  return value as Envelope;
}

/** Whether a value that was kept is an event. */
export function isEnvelope(value: unknown): value is Envelope {
  return envelopeProblem(value) === undefined;
}

/** Reads what an event says; "other" for a type or shape that is not known. */
export function eventFactsOf({ type, data }: Envelope): EventFacts {
  const { object, trace } = data;
  switch (type) {
    case "issue.created":
      return isIssue(object) ? { kind: "issue", issue: object } : { kind: "other" };
    case "issue.trace.added":
      return isIssue(object) && isTrace(trace) ? { kind: "trace", issue: object, trace } : { kind: "other" };
    case "issue.agent_run.failed":
      return isFailure(object) ? { kind: "failure", failure: object } : { kind: "other" };
    default:
      return { kind: "other" };
  }
}

/** A severity in the platform's words; an unknown one as its number. */
export function severityLabel(severity: number): string {
  return ["Urgent", "High", "Medium", "Low"][severity] ?? `Severity ${String(severity)}`;
}

/** Each event's id is remembered for long. */
const longestId = 500;

function envelopeProblem(value: unknown): string | undefined {
  if (!isObject(value)) return "The body is not a JSON object.";
  const { id, type, data } = value;
  if (typeof id !== "string" || id === "") return "The event has no ID.";
  if (id.length > longestId) return `The event's ID is longer than ${String(longestId)} characters.`;
  if (typeof type !== "string" || type === "") return "The event has no type.";
  return isObject(data) && isObject(data["object"]) ? undefined : "The event has no data.object.";
}

function isIssue(value: unknown): value is IssueObject {
  return (
    isObject(value) &&
    typeof value["id"] === "string" &&
    typeof value["name"] === "string" &&
    typeof value["severity"] === "number" &&
    areTexts(value, ["description", "url", "tenant_name", "session_name"])
  );
}

function isTrace(value: unknown): value is TraceLink {
  return (
    isObject(value) &&
    typeof value["run_id"] === "string" &&
    typeof value["trace_id"] === "string" &&
    areTexts(value, ["start_time", "comment"])
  );
}

function isFailure(value: unknown): value is RunFailure {
  return (
    isObject(value) &&
    typeof value["thread_id"] === "string" &&
    typeof value["status"] === "string" &&
    areTexts(value, ["run_id", "url", "tenant_name", "session_name", "error_message", "occurred_at"])
  );
}

/** Whether these fields, which may be absent, are nothing else than texts. */
function areTexts(value: Readonly<Record<string, unknown>>, names: readonly string[]): boolean {
  return names.every(
    (name) => value[name] === undefined || value[name] === null || typeof value[name] === "string",
  );
}

/** What was said of a trace, else the start of its id. */
export function traceLabel({ comment, trace_id }: TraceLink): string {
  return typeof comment === "string" && comment !== "" ? comment : `Trace ${trace_id.slice(0, 8)}`;
}
