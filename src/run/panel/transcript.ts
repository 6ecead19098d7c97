/**
 * A thread's conversation as data: what the run panel shows, folded from stream events and thread state.
 * Entries are replaced, never mutated, once they were handed out; `order` lists them from top to bottom.
 */

import type { Json, JsonObject, MultitaskStrategy, RunStatus } from "../../api/agentServer/wire.ts";
import type { Picture } from "../json/pictures.ts";

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
  /** The server does not keep what it streamed: progress it reported and times of tools are missing. */
  readonly eventsLost?: true;
  /** How much of it the thread left behind, since it went on from a state before that. */
  readonly left?: "whole" | "part" | undefined;
  /** The web address of its trace, where its metadata has one. */
  readonly trace?: string;
  /** What it streamed and what its subgraphs did is read when it comes in sight. */
  readonly unread?: true | undefined;
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
  /** The model that said it, where the server names it. */
  readonly model?: string;
  /** When its first token came after its step began, in milliseconds, as this window saw it. */
  readonly firstTokenMs?: number;
  readonly pictures?: readonly Picture[];
}

/** A tool call with what came of it; its id is the call's. */
export interface ToolEntry extends InLane {
  readonly kind: "tool";
  readonly name: string;
  /** Arguments as JSON text; incomplete while they stream in. */
  readonly args: string;
  readonly result?: string;
  /** What the tool hands to programs beside its result, as JSON text that may be cut; its pictures are in `pictures`. */
  readonly artifact?: string;
  readonly pictures?: readonly Picture[];
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

/** A node that ran; what it said stands below it. */
export interface StepEntry extends InLane {
  readonly kind: "step";
  /** The node's; empty where the server does not keep it. */
  readonly name: string;
  readonly status: "running" | "done" | "error" | "stopped" | "interrupted";
  /** Epoch milliseconds, by the server's clock where the server tells it. */
  readonly startedAt?: number;
  readonly endedAt?: number;
  /** The keys of the state that it wrote. */
  readonly keys: readonly string[];
  /** What it wrote but for messages, as JSON text that may be cut. */
  readonly wrote?: string;
  /** What of it can be compared, as far as the server keeps it. */
  readonly checkpoints?: StepCheckpoints;
  /** What the server does not keep of it, in words. */
  readonly unkept?: string;
}

/** The checkpoints before and after a step, in the namespace that is its lane. */
export interface StepCheckpoints {
  readonly before: string;
  /** Missing where the step did not get through. */
  readonly after?: string;
  /** What is kept of one that did not: some fields of a task of the checkpoint before it. */
  readonly outcome?: StepOutcome;
}

/** What a server keeps of how a task ended. */
export interface StepOutcome {
  readonly taskId: string;
  readonly fields: readonly OutcomeField[];
}

export type OutcomeField = "result" | "error" | "interrupts";

/** What a run was given beside messages, or what the state held beside them when it ended. */
export interface ValuesEntry extends InLane {
  readonly kind: "values";
  readonly of: "input" | "result";
  readonly keys: readonly string[];
  /** JSON text that may be cut. */
  readonly text: string;
}

/** A subgraph's lane: its entries carry `lane` equal to this entry's `lane`. */
export interface LaneEntry extends InLane {
  readonly kind: "lane";
  readonly parent: LaneId;
  readonly name: string;
  /** What a subagent was told to do. */
  readonly task?: string;
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
  /** Of an error: the node that failed. */
  readonly node?: string;
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

/** A question in free form, as far as its value has a shape that is known. */
export interface FreeQuestion {
  /** Text or Markdown. */
  readonly text: string;
  /** Answers to choose from; empty for none. */
  readonly options: readonly QuestionOption[];
  /** Whether several options may be chosen: the answer is their list. */
  readonly several: boolean;
  /** The answer that the agent proposes. */
  readonly proposal?: Json;
  /** What else the agent says beside the question. */
  readonly rest?: JsonObject;
}

/** An answer to choose, and what is sent for it. */
export interface QuestionOption {
  readonly label: string;
  readonly value: Json;
}

/** Who answered a question, where that was not this window. */
export type AnswerGiver =
  | { readonly kind: "otherWindow" }
  | { readonly kind: "run"; readonly assistantId: string };

/**
 * The run waits for a person. Without `requests` the value is free-form, and is answered with JSON or text; with
 * `next` nothing is asked: the thread stopped at a breakpoint, and goes on with these nodes.
 */
export interface InterruptEntry extends InLane {
  readonly kind: "interrupt";
  readonly requests: readonly ActionRequest[];
  readonly value: Json;
  /** The question, where the value has a known shape. */
  readonly question?: FreeQuestion;
  readonly next?: readonly string[];
  /** "elsewhere": it waits no more, and nobody knows why; "dropped": a new run was started instead of an answer. */
  readonly state: "open" | "sending" | "answered" | "elsewhere" | "dropped" | "failed";
  /** What was answered, or why sending failed. */
  readonly answer?: string;
  readonly giver?: AnswerGiver;
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
  | StepEntry
  | ValuesEntry
  | CustomEntry
  | LaneEntry
  | NoticeEntry
  | InterruptEntry
  | FeedbackEntry;

/** A change to a transcript: entries set (new or replaced), then text appended. Rows are moved, but never go. */
export interface TranscriptPatch {
  readonly set: readonly Entry[];
  readonly append: readonly { readonly id: string; readonly text: string }[];
  /** All entries in their order, when that changed other than by appending the new ones of `set`; what is not listed is gone. */
  readonly order?: readonly string[];
}
