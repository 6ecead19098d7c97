import { randomUUID } from "node:crypto";
import * as z from "zod";
import type { Deliveries } from "./deliveries.ts";
import { uuid5, uuid7 } from "../kit/ids.ts";
import type { JsonObject } from "../kit/json.ts";
import type { Identity } from "../access/identity.ts";
import { reader, type Store } from "../store/store.ts";
import type { EventType } from "./webhooks.ts";

const sessionName = z.string().min(1).max(255).default("default").describe("The tracing project.");

/** A trace to link to an issue: what is known of it; the rest is made up. */
export const traceBody = z.looseObject({
  comment: z.string().nullish(),
  run_id: z.uuid().optional(),
  trace_id: z.uuid().optional(),
  start_time: z.iso.datetime({ offset: true }).optional(),
});

/** An issue to open. */
export const issueBody = z.looseObject({
  name: z.string().min(1),
  description: z.string().default(""),
  severity: z.int().min(0).max(3).describe("0 urgent, 1 high, 2 medium, 3 low."),
  session_name: sessionName,
  traces: z.array(traceBody).max(1000).default([]),
});

/** A detection run that failed. */
export const agentRunFailureBody = z.looseObject({
  session_name: sessionName,
  thread_id: z.string().min(1).optional(),
  run_id: z.string().min(1).optional(),
  status: z.string().min(1).default("error"),
  error_message: z.string().min(1).optional(),
});

/** A trace that is linked to an issue. `comment` is absent when it is empty. */
export const trace = z.object({
  run_id: z.string(),
  trace_id: z.string(),
  start_time: z.string(),
  comment: z.string().nullish(),
});

/** An issue as it is stored and listed. */
export const issue = z.object({
  id: z.uuid(),
  name: z.string(),
  description: z.string(),
  severity: z.int(),
  session_id: z.uuid(),
  session_name: z.string(),
  traces: z.array(trace),
  created_at: z.string(),
  updated_at: z.string(),
});

/** An issue as it is stored and listed. */
export type Issue = z.output<typeof issue>;
type Trace = z.output<typeof trace>;
type TraceOrder = z.output<typeof traceBody>;

const tenantName = "Local Platform";

const toIssue = reader<Issue>(["traces"]);

/** The issues, and the events about them for subscribers. */
export class Issues {
  readonly #store: Store;
  readonly #identity: Identity;
  readonly #deliveries: Deliveries;
  readonly #baseUrl: () => string;

  constructor(store: Store, identity: Identity, deliveries: Deliveries, baseUrl: () => string) {
    this.#store = store;
    this.#identity = identity;
    this.#deliveries = deliveries;
    this.#baseUrl = baseUrl;
  }

  /** Opens an issue: one `issue.created` and one `issue.trace.added` per trace, under one request id. */
  open(order: z.output<typeof issueBody>): { readonly issue: Issue; readonly requestId: string } {
    const now = new Date().toISOString();
    const issue: Issue = {
      id: randomUUID(),
      name: order.name,
      description: order.description,
      severity: order.severity,
      session_id: this.#sessionId(order.session_name),
      session_name: order.session_name,
      traces: order.traces.map(newTrace),
      created_at: now,
      updated_at: now,
    };
    const requestId = randomUUID();
    this.#store.atomically(() => {
      this.#store.insert("issues", issue);
      this.#announce("issue.created", requestId, issue);
      for (const trace of issue.traces) this.#announce("issue.trace.added", requestId, issue, trace);
    });
    return { issue, requestId };
  }

  /** Links one more trace to an issue. */
  addTrace(issue: Issue, order: TraceOrder): { readonly trace: Trace; readonly requestId: string } {
    const trace = newTrace(order);
    const requestId = randomUUID();
    this.#store.atomically(() => {
      const change = { traces: [...issue.traces, trace], updated_at: new Date().toISOString() };
      this.#store.update("issues", { id: issue.id }, change);
      this.#announce("issue.trace.added", requestId, issue, trace);
    });
    return { trace, requestId };
  }

  /** Reports that a detection run failed: an event of its project, whatever the severities asked for. */
  reportFailure(failure: z.output<typeof agentRunFailureBody>): string {
    const requestId = randomUUID();
    const sessionId = this.#sessionId(failure.session_name);
    const object = {
      tenant_id: this.#identity.workspaceId,
      tenant_name: tenantName,
      session_id: sessionId,
      session_name: failure.session_name,
      url: `${this.#baseUrl()}/?project=${sessionId}`,
      thread_id: failure.thread_id ?? uuid7(),
      ...(failure.run_id === undefined ? {} : { run_id: failure.run_id }),
      status: failure.status,
      ...(failure.error_message === undefined ? {} : { error_message: failure.error_message }),
      occurred_at: new Date().toISOString(),
    };
    this.#store.atomically(() => {
      this.#deliveries.enqueue({ type: "issue.agent_run.failed", requestId, data: { object } });
    });
    return requestId;
  }

  get(id: string): Issue | undefined {
    return toIssue(this.#store.get("SELECT * FROM issues WHERE id = ?", id));
  }

  /** Issues, newest first. */
  list(limit: number, offset: number): Issue[] {
    return this.#store
      .all("SELECT * FROM issues ORDER BY rowid DESC LIMIT ? OFFSET ?", limit, offset)
      .map(toIssue);
  }

  /** The newest issues of a project. */
  ofProject(sessionId: string, limit: number): Issue[] {
    return this.#store
      .all("SELECT * FROM issues WHERE session_id = ? ORDER BY rowid DESC LIMIT ?", sessionId, limit)
      .map(toIssue);
  }

  #announce(type: EventType, requestId: string, issue: Issue, trace?: Trace): void {
    const object: JsonObject = {
      id: issue.id,
      name: issue.name,
      description: issue.description,
      severity: issue.severity,
      tenant_id: this.#identity.workspaceId,
      tenant_name: tenantName,
      session_id: issue.session_id,
      session_name: issue.session_name,
      url: `${this.#baseUrl()}/?issue=${issue.id}`,
    };
    const data = trace === undefined ? { object } : { object, trace };
    this.#deliveries.enqueue({ type, requestId, data, severity: issue.severity });
  }

  /** A project is known by its name: the same name has the same id for ever. */
  #sessionId(name: string): string {
    return uuid5(this.#identity.workspaceId, name);
  }
}

function newTrace(order: TraceOrder): Trace {
  const runId = order.run_id ?? randomUUID();
  return {
    run_id: runId,
    trace_id: order.trace_id ?? runId,
    start_time: order.start_time ?? new Date().toISOString(),
    ...(order.comment === undefined || order.comment === "" ? {} : { comment: order.comment }),
  };
}
