import { randomUUID } from "node:crypto";
import type { Deliveries } from "./deliveries.ts";
import { uuid5 } from "../kit/ids.ts";
import type { JsonObject } from "../kit/json.ts";
import type { Identity } from "../store/settings.ts";
import { reader, type Store } from "../store/store.ts";
import type { EventType } from "./webhooks.ts";

/** An issue as it is stored and listed. */
export interface Issue {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  /** 0 urgent, 1 high, 2 medium, 3 low. */
  readonly severity: number;
  readonly session_id: string;
  readonly session_name: string;
  readonly traces: readonly Trace[];
  readonly created_at: string;
  readonly updated_at: string;
}

/** A trace that is linked to an issue. `comment` is absent when it is empty. */
export interface Trace {
  readonly run_id: string;
  readonly trace_id: string;
  readonly start_time: string;
  readonly comment?: string | null;
}

/** What is known of a trace when it is linked; the rest is made up. */
export interface TraceOrder {
  readonly run_id?: string | undefined;
  readonly trace_id?: string | undefined;
  readonly start_time?: string | undefined;
  readonly comment?: string | null | undefined;
}

/** What is known of an issue when it is opened. */
export interface IssueOrder {
  readonly name: string;
  readonly description: string;
  readonly severity: number;
  readonly session_name: string;
  readonly traces: readonly TraceOrder[];
}

/** A detection run that did not complete. */
export interface AgentRunFailure {
  readonly session_name: string;
  readonly thread_id: string;
  readonly run_id?: string | undefined;
  readonly status: string;
  readonly error_message?: string | undefined;
}

const tenantName = "Local Platform";

const toIssue = reader<Issue>(["traces"]);

/** The issues, and the events that tell subscribers about them. */
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
  open(order: IssueOrder): { readonly issue: Issue; readonly requestId: string } {
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

  /** Tells that a detection run failed: an event of its project, whatever the severities asked for. */
  reportFailure(failure: AgentRunFailure): string {
    const requestId = randomUUID();
    const sessionId = this.#sessionId(failure.session_name);
    const object = {
      tenant_id: this.#identity.workspaceId,
      tenant_name: tenantName,
      session_id: sessionId,
      session_name: failure.session_name,
      url: `${this.#baseUrl()}/?project=${sessionId}`,
      thread_id: failure.thread_id,
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
