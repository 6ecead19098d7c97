/** What was received, gathered to rows: issues with their traces, failed detection runs, events of other types. */

import { eventFactsOf } from "../../api/issueWebhooks/event.ts";
import type { Envelope, IssueObject, RunFailure, TraceLink } from "../../api/issueWebhooks/event.ts";
import type { JournalEntry } from "./issueJournal.ts";
import type { ListeningGap } from "./listeningGap.ts";

/** Everything that one action of the platform led to, for one issue. */
export interface IssueAction {
  readonly requestId: string;
  /** When the first of its events arrived, ISO. */
  readonly at: string;
  /** Whether it opened the issue. */
  opened: boolean;
  readonly traces: TraceLink[];
}

/** What all rows have. */
interface Row {
  /** Stable: `issue:…`, `failure:…` or `event:…`. */
  readonly id: string;
  /** The last event's arrival, ISO. */
  at: string;
  unread: boolean;
  /** As they arrived, unknown fields included. */
  readonly events: Envelope[];
}

/** An issue with all that was told of it. */
export interface IssueRow extends Row {
  readonly kind: "issue";
  issue: IssueObject;
  /** In the order in which they arrived. */
  readonly actions: IssueAction[];
}

/** A detection run that failed. */
export interface FailureRow extends Row {
  readonly kind: "failure";
  readonly failure: RunFailure;
}

/** An event whose type or shape is not known. */
export interface OtherRow extends Row {
  readonly kind: "other";
  readonly type: string;
}

/** One row of the inbox. */
export type InboxRow = IssueRow | FailureRow | OtherRow;

/** The rows that the journal's entries make, and which of them are new. */
export class IssueInbox {
  readonly #rows = new Map<string, InboxRow>();
  readonly #seen = new Set<string>();
  readonly #received = new Map<string, number>();
  readonly #gaps = new Map<string, ListeningGap>();

  /** Takes in one entry of the journal; false when it tells nothing new. */
  take(entry: JournalEntry): boolean {
    switch (entry.kind) {
      case "event":
        return this.#receive(entry.event, entry.at, entry.subscription);
      case "read":
        return entry.rows.map((id) => this.#markRead(id)).includes(true);
      case "removed":
        return entry.rows.map((id) => this.#rows.delete(id)).includes(true);
      case "gap":
        this.#takeGap(entry);
        return true;
      case "seen":
        for (const id of entry.ids) this.#seen.add(id);
        return false;
      default:
        // A later version of the extension wrote it.
        entry satisfies never;
        return false;
    }
  }

  clear(): void {
    this.#rows.clear();
    this.#seen.clear();
    this.#received.clear();
    this.#gaps.clear();
  }

  /** Times in which nobody listened that no person has read of, the last first. */
  get gaps(): readonly ListeningGap[] {
    return [...this.#gaps.values()].reverse();
  }

  /** Whether an event with this id was taken before, shown or forgotten. */
  has(eventId: string): boolean {
    return this.#seen.has(eventId);
  }

  /** How many events were taken. */
  get size(): number {
    return this.#seen.size;
  }

  /** How many events a subscription brought. */
  receivedBy(subscription: string): number {
    return this.#received.get(subscription) ?? 0;
  }

  /** All rows, the last changed first. */
  get rows(): readonly InboxRow[] {
    return [...this.#rows.values()].sort((a, b) => b.at.localeCompare(a.at));
  }

  row(id: string): InboxRow | undefined {
    return this.#rows.get(id);
  }

  get unread(): readonly InboxRow[] {
    return this.rows.filter(({ unread }) => unread);
  }

  #receive(event: Envelope, at: string, subscription: string): boolean {
    if (this.#seen.has(event.id)) return false;
    this.#seen.add(event.id);
    const row = this.#rowFor(event, at);
    row.events.push(event);
    this.#received.set(subscription, this.receivedBy(subscription) + 1);
    row.at = at;
    row.unread = true;
    return true;
  }

  #rowFor(event: Envelope, at: string): InboxRow {
    const telling = eventFactsOf(event);
    switch (telling.kind) {
      case "issue":
        this.#action(telling.issue, event, at).opened = true;
        return this.#issue(telling.issue, at);
      case "trace": {
        const action = this.#action(telling.issue, event, at);
        const row = this.#issue(telling.issue, at);
        if (!tracesOf(row).some((trace) => sameTrace(trace, telling.trace)))
          action.traces.push(telling.trace);
        return row;
      }
      case "failure":
        return this.#failure(telling.failure, event, at);
      case "other":
        return this.#put({ ...emptyRow(`event:${event.id}`, at), kind: "other", type: event.type });
      default:
        return telling satisfies never;
    }
  }

  /** The row of an issue, whichever of its events came first; the last event's description counts. */
  #issue(issue: IssueObject, at: string): IssueRow {
    const id = `issue:${issue.id}`;
    const known = this.#rows.get(id);
    if (known?.kind === "issue") {
      known.issue = issue;
      return known;
    }
    return this.#put({ ...emptyRow(id, at), kind: "issue", issue, actions: [] });
  }

  #action(issue: IssueObject, event: Envelope, at: string): IssueAction {
    const { actions } = this.#issue(issue, at);
    const requestId = event.request_id ?? event.id;
    const known = actions.find((action) => action.requestId === requestId);
    if (known !== undefined) return known;
    const made = { requestId, at, opened: false, traces: [] };
    actions.push(made);
    return made;
  }

  #failure(failure: RunFailure, event: Envelope, at: string): FailureRow {
    const id = failureId(event, failure);
    const known = this.#rows.get(id);
    return known?.kind === "failure" ? known : this.#put({ ...emptyRow(id, at), kind: "failure", failure });
  }

  #put<R extends InboxRow>(row: R): R {
    this.#rows.set(row.id, row);
    return row;
  }

  #takeGap({ from, to }: Pick<ListeningGap, "from" | "to">): void {
    const id = `gap:${from}`;
    this.#gaps.set(id, { id, from, to, unread: true });
    const [oldest] = this.#gaps.keys();
    if (this.#gaps.size > mostGaps && oldest !== undefined) this.#gaps.delete(oldest);
  }

  #markRead(id: string): boolean {
    if (this.#gaps.delete(id)) return true;
    const row = this.#rows.get(id);
    if (row?.unread !== true) return false;
    row.unread = false;
    return true;
  }
}

/** Every trace of an issue, in the order in which they arrived. */
export function tracesOf(row: IssueRow): readonly TraceLink[] {
  return row.actions.flatMap(({ traces }) => traces);
}

/** The journal's entries without what is too much: the newest rows, and the ids of all others. */
export function compacted(
  inbox: IssueInbox,
  entries: readonly JournalEntry[],
  keep: number,
): readonly JournalEntry[] {
  const kept = new Set(inbox.rows.slice(0, keep).flatMap(({ events }) => events.map(({ id }) => id)));
  const ids = entries.flatMap((entry) => {
    if (entry.kind === "seen") return entry.ids;
    return entry.kind === "event" && !kept.has(entry.event.id) ? [entry.event.id] : [];
  });
  const rest = entries.filter((entry) => entry.kind === "event" && kept.has(entry.event.id));
  const gaps = inbox.gaps.map(({ from, to }) => ({ kind: "gap", from, to }) as const).reverse();
  const read = inbox.rows.filter(({ unread }) => !unread).map(({ id }) => id);
  return [
    { kind: "seen", ids: ids.slice(-mostForgotten) },
    ...rest,
    { kind: "read", at: new Date().toISOString(), rows: read },
    ...gaps,
  ];
}

const mostForgotten = 50_000;
/** More of them say no more. */
const mostGaps = 5;

/** Two subscriptions tell of one failed run in two events, which have the action in common. */
function failureId(event: Envelope, { thread_id, run_id = "" }: RunFailure): string {
  return `failure:${event.request_id ?? event.id}/${thread_id}/${run_id}`;
}

/** Two subscriptions tell of the same trace in two events. */
function sameTrace(a: TraceLink, b: TraceLink): boolean {
  return a.run_id === b.run_id && a.trace_id === b.trace_id;
}

function emptyRow(id: string, at: string): Row {
  return { id, at, unread: true, events: [] };
}
