/** What was received, gathered: issues with their traces, failed detection runs, events of other types. */

import {
  type Envelope,
  eventFactsOf,
  type IssueObject,
  type RunFailure,
  type TraceLink,
} from "../../api/issueWebhooks/event.ts";
import type { EventEntry, JournalEntry } from "./journalEntry.ts";
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

/** What is common to all that was received. */
interface CommonFacts {
  /** Stable: `issue:…`, `failure:…` or `event:…`. */
  readonly id: string;
  /** The last event's arrival, ISO. */
  at: string;
  unread: boolean;
  /** As they arrived, unknown fields included. */
  readonly events: Envelope[];
}

/** An issue with all that arrived about it. */
export interface IssueFacts extends CommonFacts {
  readonly kind: "issue";
  issue: IssueObject;
  /** In the order in which they arrived. */
  readonly actions: IssueAction[];
}

/** A detection run that failed. */
export interface FailureFacts extends CommonFacts {
  readonly kind: "failure";
  readonly failure: RunFailure;
}

/** An event whose type or shape is not known. */
export interface OtherFacts extends CommonFacts {
  readonly kind: "other";
  readonly type: string;
}

/** One thing that was received. */
export type ReceivedFacts = IssueFacts | FailureFacts | OtherFacts;

/** What the journal's entries say together, and which of it is new. */
export class IssueStore {
  readonly #facts = new Map<string, ReceivedFacts>();
  readonly #seen = new Set<string>();
  readonly #received = new Map<string, number>();
  readonly #gaps = new Map<string, ListeningGap>();
  /** The events that are kept, the first received first: their rows and what they take. */
  readonly #held = new Map<string, HeldEvent>();
  readonly #mostBytes: number;
  #bytes = 0;

  /** Keeps the newest events, as many as take no more than `mostBytes`; of the others it knows the ids. */
  constructor(mostBytes = 64 * 1024 * 1024) {
    this.#mostBytes = mostBytes;
  }

  /** Takes in one entry of the journal, which takes so many bytes; false when it says nothing new. */
  take(entry: JournalEntry, bytes = 0): boolean {
    switch (entry.kind) {
      case "event":
        return this.#receive(entry, bytes);
      case "read":
        return entry.rows.map((id) => this.#markRead(id)).includes(true);
      case "removed":
        return entry.rows.map((id) => this.#remove(id)).includes(true);
      case "gap":
        this.#takeGap(entry);
        return true;
      case "seen":
        for (const id of entry.ids) this.#seen.add(id);
        return false;
      default:
        return entry satisfies never;
    }
  }

  /** From now on holds what the other one holds, which is given up. */
  replaceBy(other: IssueStore): void {
    replaceEntries(this.#facts, other.#facts);
    replaceEntries(this.#received, other.#received);
    replaceEntries(this.#gaps, other.#gaps);
    replaceEntries(this.#held, other.#held);
    this.#seen.clear();
    for (const id of other.#seen) this.#seen.add(id);
    this.#bytes = other.#bytes;
  }

  /** The newest events, by id: of the newest `rows` rows, and as many as take no more than `bytes`. */
  newest(rows: number, bytes: number): ReadonlySet<string> {
    const shown = new Set(this.all.slice(0, rows).map(({ id }) => id));
    const newest = new Set<string>();
    let left = bytes;
    for (const [id, held] of [...this.#held].reverse()) {
      if (!shown.has(held.row)) continue;
      left -= held.bytes;
      if (left < 0) break;
      newest.add(id);
    }
    return newest;
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

  /** All that was received, the last changed first. */
  get all(): readonly ReceivedFacts[] {
    return [...this.#facts.values()].sort((a, b) => b.at.localeCompare(a.at));
  }

  get(id: string): ReceivedFacts | undefined {
    return this.#facts.get(id);
  }

  get unread(): readonly ReceivedFacts[] {
    return this.all.filter(({ unread }) => unread);
  }

  #receive({ event, at, subscription }: EventEntry, bytes: number): boolean {
    if (this.#seen.has(event.id)) return false;
    this.#seen.add(event.id);
    const facts = this.#factsFor(event, at);
    facts.events.push(event);
    this.#received.set(subscription, this.receivedBy(subscription) + 1);
    facts.at = at;
    facts.unread = true;
    this.#held.set(event.id, { row: facts.id, bytes });
    this.#bytes += bytes;
    for (const [id] of this.#held) {
      if (this.#bytes <= this.#mostBytes) break;
      this.#forget(id);
    }
    return true;
  }

  /** Gives up an event, and its row when that was the last one of it. */
  #forget(eventId: string): void {
    const held = this.#held.get(eventId);
    const facts = held === undefined ? undefined : this.#facts.get(held.row);
    if (held === undefined || facts === undefined) return;
    this.#held.delete(eventId);
    this.#bytes -= held.bytes;
    const [event] = facts.events.splice(
      facts.events.findIndex(({ id }) => id === eventId),
      1,
    );
    if (facts.events.length === 0) this.#facts.delete(facts.id);
    else if (facts.kind === "issue" && event !== undefined) withoutTrace(facts, event);
  }

  #remove(row: string): boolean {
    for (const { id } of this.#facts.get(row)?.events ?? []) {
      this.#bytes -= this.#held.get(id)?.bytes ?? 0;
      this.#held.delete(id);
    }
    return this.#facts.delete(row);
  }

  #factsFor(event: Envelope, at: string): ReceivedFacts {
    const about = eventFactsOf(event);
    switch (about.kind) {
      case "issue":
        this.#action(about.issue, event, at).opened = true;
        return this.#issue(about.issue, at);
      case "trace": {
        const action = this.#action(about.issue, event, at);
        const facts = this.#issue(about.issue, at);
        if (!tracesOf(facts).some((trace) => sameTrace(trace, about.trace))) action.traces.push(about.trace);
        return facts;
      }
      case "failure":
        return this.#failure(about.failure, event, at);
      case "other":
        return this.#put({ ...emptyFacts(`event:${event.id}`, at), kind: "other", type: event.type });
      default:
        return about satisfies never;
    }
  }

  /** What is known of an issue, whichever of its events came first; the last event's description counts. */
  #issue(issue: IssueObject, at: string): IssueFacts {
    const id = `issue:${issue.id}`;
    const known = this.#facts.get(id);
    if (known?.kind === "issue") {
      known.issue = issue;
      return known;
    }
    return this.#put({ ...emptyFacts(id, at), kind: "issue", issue, actions: [] });
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

  #failure(failure: RunFailure, event: Envelope, at: string): FailureFacts {
    const id = failureId(event, failure);
    const known = this.#facts.get(id);
    return known?.kind === "failure" ? known : this.#put({ ...emptyFacts(id, at), kind: "failure", failure });
  }

  #put<F extends ReceivedFacts>(facts: F): F {
    this.#facts.set(facts.id, facts);
    return facts;
  }

  #takeGap({ from, to }: Pick<ListeningGap, "from" | "to">): void {
    const id = `gap:${from}`;
    this.#gaps.set(id, { id, from, to, unread: true });
    const [oldest] = this.#gaps.keys();
    if (this.#gaps.size > mostGaps && oldest !== undefined) this.#gaps.delete(oldest);
  }

  #markRead(id: string): boolean {
    if (this.#gaps.delete(id)) return true;
    const facts = this.#facts.get(id);
    if (facts?.unread !== true) return false;
    facts.unread = false;
    return true;
  }
}

/** Every trace of an issue, in the order in which they arrived. */
export function tracesOf(facts: IssueFacts): readonly TraceLink[] {
  return facts.actions.flatMap(({ traces }) => traces);
}

/** More of them say no more. */
const mostGaps = 5;

/** Two subscriptions report one failed run in two events, which have the action in common. */
function failureId(event: Envelope, { thread_id, run_id = "" }: RunFailure): string {
  return `failure:${event.request_id ?? event.id}/${thread_id}/${run_id}`;
}

/** Two subscriptions report the same trace in two events. */
function sameTrace(a: TraceLink, b: TraceLink): boolean {
  return a.run_id === b.run_id && a.trace_id === b.trace_id;
}

interface HeldEvent {
  readonly row: string;
  readonly bytes: number;
}

/** The trace that an event brought goes with it: it holds all that the event says of it. */
function withoutTrace({ actions }: IssueFacts, { data: { trace } }: Envelope): void {
  for (const { traces } of actions) {
    const at = traces.findIndex((known: object) => known === trace);
    if (at >= 0) traces.splice(at, 1);
  }
}

function replaceEntries<V>(map: Map<string, V>, other: ReadonlyMap<string, V>): void {
  map.clear();
  for (const [key, value] of other) map.set(key, value);
}

function emptyFacts(id: string, at: string): CommonFacts {
  return { id, at, unread: true, events: [] };
}
