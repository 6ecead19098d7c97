/** What was received, gathered: issues with their traces, failed detection runs, events of other types. */

import {
  type Envelope,
  eventFactsOf,
  type IssueObject,
  type RunFailure,
  type TraceLink,
} from "../../api/issueWebhooks/event.ts";
import type { JournalEntry } from "./issueJournal.ts";

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

  /** Takes in one entry of the journal; false when it says nothing new. */
  take(entry: JournalEntry): boolean {
    switch (entry.kind) {
      case "event":
        return this.#receive(entry.event, entry.at, entry.subscription);
      case "read":
        return entry.rows.map((id) => this.#markRead(id)).includes(true);
      case "removed":
        return entry.rows.map((id) => this.#facts.delete(id)).includes(true);
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
    this.#facts.clear();
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

  #receive(event: Envelope, at: string, subscription: string): boolean {
    if (this.#seen.has(event.id)) return false;
    this.#seen.add(event.id);
    const facts = this.#factsFor(event, at);
    facts.events.push(event);
    this.#received.set(subscription, this.receivedBy(subscription) + 1);
    facts.at = at;
    facts.unread = true;
    return true;
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

/** The journal's entries without what is too much: the newest things, and the ids of all others. */
export function compacted(
  store: IssueStore,
  entries: readonly JournalEntry[],
  keep: number,
): readonly JournalEntry[] {
  const kept = new Set(store.all.slice(0, keep).flatMap(({ events }) => events.map(({ id }) => id)));
  const ids = entries.flatMap((entry) => {
    if (entry.kind === "seen") return entry.ids;
    return entry.kind === "event" && !kept.has(entry.event.id) ? [entry.event.id] : [];
  });
  const rest = entries.filter((entry) => entry.kind === "event" && kept.has(entry.event.id));
  const gaps = store.gaps.map(({ from, to }) => ({ kind: "gap", from, to }) as const).reverse();
  const read = store.all.filter(({ unread }) => !unread).map(({ id }) => id);
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

/** Two subscriptions report one failed run in two events, which have the action in common. */
function failureId(event: Envelope, { thread_id, run_id = "" }: RunFailure): string {
  return `failure:${event.request_id ?? event.id}/${thread_id}/${run_id}`;
}

/** Two subscriptions report the same trace in two events. */
function sameTrace(a: TraceLink, b: TraceLink): boolean {
  return a.run_id === b.run_id && a.trace_id === b.trace_id;
}

function emptyFacts(id: string, at: string): CommonFacts {
  return { id, at, unread: true, events: [] };
}

/** A time in which nobody listened, until a person has read of it. */
export interface ListeningGap {
  /** Stable: `gap:…`. */
  readonly id: string;
  /** ISO. */
  readonly from: string;
  readonly to: string;
  readonly unread: true;
}

/** "Not listening between 10:02 and 10:09", with seconds or the day where it takes them, as people here write times. */
export function gapWords(gap: Pick<ListeningGap, "from" | "to">, now: Date): string {
  const [from, to] = [new Date(gap.from), new Date(gap.to)];
  const short = to.getTime() - from.getTime() < 120_000;
  const today = from.toDateString() === now.toDateString();
  const format = new Intl.DateTimeFormat(undefined, {
    ...(today ? {} : { month: "short", day: "numeric" }),
    hour: "2-digit",
    minute: "2-digit",
    ...(short ? { second: "2-digit" } : {}),
  });
  return `Not listening between ${format.format(from)} and ${format.format(to)}`;
}
