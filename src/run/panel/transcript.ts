/**
 * A thread's conversation as data: what the run panel shows, folded from stream events and thread state.
 * Entries are replaced, never mutated, once they were handed out; `order` lists them from top to bottom.
 */

import type { Json, JsonObject, MultitaskStrategy, RunStatus } from "../../api/agentServer/wire.ts";

/**
 * A lane is the part of a run that one subgraph (a subagent) writes; it is drawn as a rail of its own.
 * Its id is the path of the subgraph, joined by "|"; the root graph is "".
 */
export type LaneId = string;

/** Where a run begins: who ran, how it stands, what it cost. */
export interface RunEntry {
  readonly kind: "run";
  readonly id: string;
  readonly runId: string;
  readonly assistantId: string;
  readonly status: RunStatus;
  readonly strategy?: MultitaskStrategy | (string & {});
  /** Epoch milliseconds. */
  readonly startedAt?: number;
  readonly endedAt?: number;
  readonly error?: string;
  /** Token counts as the server reported them; absent is not zero. */
  readonly usage?: Usage;
}

/** Token counts. */
export interface Usage {
  readonly input: number;
  readonly output: number;
  readonly total: number;
}

/** Which entry it is, and where it belongs; not every entry is known to belong to a run. */
interface InLane {
  readonly id: string;
  readonly runId?: string;
  readonly lane: LaneId;
}

/** What a person or a model said. */
export interface MessageEntry extends InLane {
  readonly kind: "message";
  /** "human", "ai", "system", or whatever else the server says. */
  readonly role: string;
  readonly name?: string;
  readonly text: string;
  readonly streaming: boolean;
  /** The run was stopped before the message was complete. */
  readonly partial?: boolean;
  readonly usage?: Usage;
}

/** A tool call with what came of it; its id is the call's. */
export interface ToolEntry extends InLane {
  readonly kind: "tool";
  readonly name: string;
  /** Arguments as JSON text; incomplete while they stream in. */
  readonly args: string;
  readonly result?: string;
  readonly status: "pending" | "running" | "done" | "error" | "stopped";
  readonly startedAt?: number;
  readonly endedAt?: number;
}

/** Consecutive custom events of one lane, bounded: how many, and the latest. */
export interface CustomEntry extends InLane {
  readonly kind: "custom";
  readonly count: number;
  readonly latest: Json;
  /** Index of the first of them in the raw event list. */
  readonly firstEvent: number;
}

/** A subgraph's lane: its entries carry `lane` equal to this entry's `lane`. */
export interface LaneEntry extends InLane {
  readonly kind: "lane";
  readonly parent: LaneId;
  readonly name: string;
  readonly status: "running" | "done" | "error" | "stopped" | "interrupted";
  readonly startedAt?: number;
  readonly endedAt?: number;
}

/** What a person should know of the conversation itself. */
export interface NoticeEntry extends InLane {
  readonly kind: "notice";
  readonly level: "info" | "warning" | "error";
  readonly text: string;
  /** Evidence a person may want to open: an unknown event's data, an error body. */
  readonly detail?: string;
}

/** What the agent wants to do and asks about. */
export interface ActionRequest {
  readonly name: string;
  readonly args: Json;
  readonly description?: string;
  readonly allowed: readonly DecisionType[];
}

/** The ways to answer a question. */
export type DecisionType = "approve" | "edit" | "reject" | "respond";

/** An answer to one action. */
export type Decision =
  | { readonly type: "approve" }
  | { readonly type: "edit"; readonly edited_action: { readonly name: string; readonly args: Json } }
  | { readonly type: "reject"; readonly message?: string }
  | { readonly type: "respond"; readonly message: string };

/** The run waits for a person; without `requests` the value is free-form and is answered with JSON or text. */
export interface InterruptEntry extends InLane {
  readonly kind: "interrupt";
  readonly requests: readonly ActionRequest[];
  readonly value: Json;
  readonly state: "open" | "sending" | "answered" | "elsewhere" | "failed";
  /** What was answered, or why sending failed. */
  readonly answer?: string;
}

/** One feedback key of a run. The pre-signed URL stays in the host and is no part of this. */
export interface FeedbackKey {
  readonly key: string;
  readonly state: "open" | "sending" | "sent" | "failed";
  readonly given?: Feedback;
  readonly error?: string;
}

/** What a person thinks of a run, for one key. */
export interface Feedback {
  readonly score?: number;
  readonly value?: number;
  readonly comment?: string;
  readonly correction?: JsonObject;
  readonly metadata?: JsonObject;
}

/** Where feedback on a run can be given, by the keys that the server has an address for. */
export interface FeedbackEntry {
  readonly kind: "feedback";
  readonly id: string;
  readonly runId: string;
  readonly lane: LaneId;
  readonly keys: readonly FeedbackKey[];
}

/** One block of the conversation. */
export type Entry =
  | RunEntry
  | MessageEntry
  | ToolEntry
  | CustomEntry
  | LaneEntry
  | NoticeEntry
  | InterruptEntry
  | FeedbackEntry;

/** A change to a transcript: entries set (new or replaced), then text appended. Rows are moved, but never go. */
export interface TranscriptPatch {
  readonly set: readonly Entry[];
  readonly append: readonly { readonly id: string; readonly text: string }[];
  /** The whole order when it changed other than by appending the new entries of `set`. */
  readonly order?: readonly string[];
}

/** The rows of a transcript as the page holds them. */
export class TranscriptCopy {
  #rows: Entry[];
  #indexes = new Map<string, number>();

  constructor(entries: readonly Entry[] = []) {
    this.#rows = [...entries];
    this.#index();
  }

  get entries(): readonly Entry[] {
    return this.#rows;
  }

  /** Applies one patch; the array of rows is a new one afterwards. */
  apply(patch: TranscriptPatch): void {
    const rows = [...this.#rows];
    const added = this.#replace(rows, patch);
    for (const { id, text } of patch.append) {
      const index = this.#indexes.get(id);
      const entry = index === undefined ? undefined : rows[index];
      if (index !== undefined && entry !== undefined) rows[index] = grown(entry, text);
    }
    this.#rows = rows;
    if (patch.order !== undefined) {
      const order = new Map(patch.order.map((id, index) => [id, index]));
      rows.sort((a, b) => (order.get(a.id) ?? Infinity) - (order.get(b.id) ?? Infinity));
    }
    if (added || patch.order !== undefined) this.#index();
  }

  #replace(rows: Entry[], patch: TranscriptPatch): boolean {
    const before = rows.length;
    for (const entry of patch.set) {
      const index = this.#indexes.get(entry.id);
      if (index === undefined) {
        this.#indexes.set(entry.id, rows.length);
        rows.push(entry);
      } else rows[index] = entry;
    }
    return rows.length > before;
  }

  #index(): void {
    this.#indexes = new Map(this.#rows.map((entry, index) => [entry.id, index]));
  }
}

function grown(entry: Entry, text: string): Entry {
  if (entry.kind === "message") return { ...entry, text: entry.text + text };
  if (entry.kind === "tool") return { ...entry, args: entry.args + text };
  return entry;
}
