/** Everything that passes between the run panel's host and its page: one way each, state down, requests up. */

import type {
  AssistantGraph,
  Json,
  JsonObject,
  MultitaskStrategy,
  StreamMode,
} from "../../api/agentServer/wire.ts";
import type { RemedyAction } from "../../api/advice.ts";
import type { AgentFacts, AgentOptions, InputMode, SentInput, GraphReading } from "./agent.ts";
import type { Landmark } from "./landmarks.ts";
import type { Decision, Entry, Feedback, StepCheckpoints, TranscriptPatch } from "./transcript.ts";

/** The wire's own types that the page needs, so that it depends on nothing but this folder. */
export type { AssistantGraph, Json, JsonObject, MultitaskStrategy, StreamMode };

/**
 * What not every server of threads supports. What isn't known is offered; once a server is known not to support one,
 * only the action for it is missing (docs/interface.md, "Streaming protocol thread endpoints").
 */
export type ThreadCapability = "stop" | "answer" | "rename" | "delete" | "list" | "history" | "repair";

/** What the panel shows beside the transcript. */
export interface PanelState {
  readonly title: string;
  readonly connection: string;
  /** How the connection is marked; absent for one that is like any other. */
  readonly mark?: ConnectionMark | undefined;
  readonly server: string;
  readonly threadId: string | undefined;
  readonly assistants: readonly AssistantChoice[];
  readonly session: SessionState;
  /** A debugger holds the server, which answers nothing until it goes on. */
  readonly paused?: PausedServer | undefined;
  /** What can't be done here: there is no button for it. */
  readonly unsupported: readonly ThreadCapability[];
  /** Events received so far, for the raw list's length. */
  readonly events: number;
  /** Whether the server may keep steps of earlier runs that were not read. */
  readonly earlier: Earlier;
  readonly composer: ComposerDefaults;
  readonly links?: ThreadLinks;
  /** What tokens cost; none where the user set no prices. */
  readonly prices?: Prices;
  /** How far the server's clock is ahead of the host's, in milliseconds; absent where they may say the same. */
  readonly clockAhead?: number;
  /** The workspace has the sources of what runs here. */
  readonly hasSource?: boolean;
}

/** What a million tokens of a model cost, by the model's name, or by how its name begins, with a "*" after. */
export type Prices = Readonly<Record<string, { readonly input: number; readonly output: number }>>;

/** Which threads a thread is bound to, by their ids: the copy in which its stranded run goes on, and the one whose copy it is. */
export interface ThreadLinks {
  readonly continuedIn?: string;
  readonly continuedFrom?: string;
}

/** Where a debugger holds a server. */
export interface PausedServer {
  /** "paused in plan, planner.mts:14". */
  readonly words: string;
  /** It is this thread that stands there. */
  readonly isHere: boolean;
}

/** How a connection is told from others: protected ones by a shield. */
export interface ConnectionMark {
  readonly isProtected: boolean;
  readonly color: "red" | "orange" | "yellow" | "green" | "blue" | "purple";
}

/** What is known of the earlier part of a thread's history. */
export type Earlier = "none" | "more" | "reading";

/** An assistant that a run can be started with. */
export interface AssistantChoice {
  readonly id: string;
  readonly name: string;
  /** The graph that it runs, where the server names graphs. */
  readonly graph?: string;
  readonly description?: string;
  /** An input to try, offered in an empty thread. */
  readonly example?: string;
}

/** What goes on between the host and the server right now. */
export type SessionState =
  | { readonly kind: "loading" }
  | { readonly kind: "idle" }
  | {
      readonly kind: "streaming";
      readonly runId: string | undefined;
      readonly idleMs?: number;
      /** Why it seems that nobody carries the run on, in words, and the nodes before which the thread stands. */
      readonly stranded?: { readonly text: string; readonly next: readonly string[] };
    }
  | { readonly kind: "reconnecting"; readonly runId: string; readonly attempt: number }
  | { readonly kind: "stopping"; readonly runId: string }
  | { readonly kind: "detached"; readonly runId: string }
  | ({ readonly kind: "failed" } & Failure);

/** A failure in words that a person can act on. */
export interface Failure {
  readonly message: string;
  /** What can be done about it, the most helpful first. */
  readonly actions: readonly FailureAction[];
}

/** What can be done about a failure, as a button. */
export interface FailureAction {
  readonly title: string;
  readonly action: RemedyAction;
}

/** What a new run starts with when nobody chooses anything else. */
export interface ComposerDefaults {
  readonly assistantId: string | undefined;
  readonly streamModes: readonly StreamMode[];
  readonly strategy: MultitaskStrategy | undefined;
  readonly feedbackKeys: readonly string[];
}

/** A run as the page asks for it. */
export interface RunRequest {
  readonly assistantId: string;
  readonly input: { readonly text: string } | { readonly json: Json };
  readonly streamModes: readonly StreamMode[];
  readonly metadata?: JsonObject;
  readonly strategy?: MultitaskStrategy;
  readonly feedbackKeys?: readonly string[];
  /** What the graph is told beside its state. */
  readonly context?: JsonObject;
  readonly configurable?: JsonObject;
  /** How many steps it may take. */
  readonly recursionLimit?: number;
  /** Nodes of the agent's own graph; "*" for each. */
  readonly interruptBefore?: "*" | readonly string[];
  readonly interruptAfter?: "*" | readonly string[];
}

/** A node or a tool whose source is wanted. */
export interface SourceRequest {
  readonly of: "node" | "tool";
  /** Its name, after the names of the nodes whose subgraphs it is in, the outer one first. */
  readonly path: readonly string[];
  /** The run that it is a part of, or the assistant. */
  readonly runId?: string | undefined;
  readonly assistantId?: string | undefined;
}

/** How the course of a thread is to be changed; messages are named by their entries. */
export type RepairAction =
  | { readonly verb: "continue" | "step" | "to" }
  /** A step that failed, or runs again from the state before it. */
  | { readonly verb: "retry" | "from"; readonly checkpointId?: string }
  /** Opens a state, which goes on from there once it is saved. */
  | { readonly verb: "edit"; readonly checkpointId?: string }
  | { readonly verb: "skip"; readonly node?: string }
  | { readonly verb: "regenerate"; readonly message: string }
  | { readonly verb: "resend"; readonly message: string; readonly text?: string };

/** What a drawing is saved as, by how such files end. */
export type GraphFormat = "svg" | "mmd";

/** One received event in the raw list. */
export interface RawEvent {
  readonly index: number;
  readonly id?: string;
  readonly event: string;
  readonly data: string;
  /** Epoch milliseconds of arrival, by the server's clock. */
  readonly at: number;
}

/** What the host sends to the page. */
export type ToWebview =
  /** The whole state: answers `ready`, so a page that was reloaded recovers. */
  | {
      readonly type: "snapshot";
      readonly revision: number;
      readonly state: PanelState;
      readonly entries: readonly Entry[];
    }
  | {
      readonly type: "patch";
      readonly revision: number;
      readonly patch: TranscriptPatch;
      readonly events: number;
    }
  | { readonly type: "state"; readonly state: PanelState }
  /** What is known of an agent: answers `agent`, and comes again with each change. */
  | { readonly type: "agent"; readonly agent: AgentFacts }
  /** Answers `graph`. */
  | {
      readonly type: "graph";
      readonly assistantId: string;
      readonly isOpened: boolean;
      readonly graph: GraphReading;
    }
  /** Of the paths that `findFiles` asked about, those that the workspace has a file for. */
  | { readonly type: "files"; readonly found: readonly string[] }
  /** A page of the raw list: the matches of `search` (all events when empty) from `offset`. */
  | {
      readonly type: "rawPage";
      readonly search: string;
      readonly offset: number;
      readonly total: number;
      readonly events: readonly RawEvent[];
      /** How many older events are not kept any more. */
      readonly dropped?: number;
    }
  /** A request was refused; the composer keeps its text. `shown` where why is said elsewhere. */
  | {
      readonly type: "refused";
      readonly request: FromWebview["type"];
      readonly message: string;
      readonly shown?: true;
    }
  /** The run, or the answer, was accepted; the composer may clear. */
  | { readonly type: "accepted"; readonly request: "start" | "resume" }
  | { readonly type: "focusComposer" }
  /** A saved input comes into the composer, with how its agent is run. */
  | {
      readonly type: "fill";
      readonly assistantId: string;
      readonly input: SentInput;
      readonly options: AgentOptions;
    }
  /** What is in the composer is to be saved: answered by `saveInput`. */
  | { readonly type: "askInput" }
  | { readonly type: "search" }
  /** The timeline is to be shown, or hidden again. */
  | { readonly type: "timeline" }
  /** The graph of this agent is to be shown; where nothing ran yet, it is the one that runs next. */
  | { readonly type: "showGraph"; readonly assistantId: string }
  /** A run was started from elsewhere: the reader is to see what comes at the end. */
  | { readonly type: "follow" }
  /** Leads the reader to a place of the transcript. */
  | { readonly type: "goTo"; readonly landmark: Landmark };

/** What is in the composer, to be saved as a file; or why that can't be. */
type ComposerInput =
  | { readonly mode: InputMode; readonly request: RunRequest }
  | { readonly problem: string };

/** What the page sends to the host: requests, what it painted, and that what puts the focus somewhere arrived. */
export type FromWebview =
  | { readonly type: "ready" }
  | { readonly type: "arrived" }
  /** The page painted this revision; the host sends the next patch. */
  | { readonly type: "painted"; readonly revision: number }
  /** The agent that is chosen: what it takes is asked for, `again` after a failure. */
  | { readonly type: "agent"; readonly assistantId: string; readonly again?: boolean }
  | { readonly type: "nodes"; readonly assistantId: string }
  /** The graph of an agent is wanted, its subgraphs opened or as one node each. */
  | { readonly type: "graph"; readonly assistantId: string; readonly isOpened: boolean }
  /** What was changed about how an agent is run. */
  | { readonly type: "options"; readonly assistantId: string; readonly options: AgentOptions }
  | { readonly type: "start"; readonly request: RunRequest }
  | { readonly type: "stop" }
  | { readonly type: "detach" }
  | { readonly type: "reattach" }
  | { readonly type: "remedy"; readonly action: RemedyAction }
  | { readonly type: "decide"; readonly interruptId: string; readonly decisions: readonly Decision[] }
  | { readonly type: "resume"; readonly interruptId: string; readonly value: Json }
  | { readonly type: "feedback"; readonly runId: string; readonly key: string; readonly feedback: Feedback }
  | { readonly type: "raw"; readonly search: string; readonly offset: number; readonly limit: number }
  | { readonly type: "copy"; readonly text: string }
  /** Copy all events that match `search` (all when empty) as JSONL. */
  | { readonly type: "copyEvents"; readonly search: string }
  | { readonly type: "openExternal"; readonly url: string }
  /** Opens a text in an editor tab of its own; its language as people name it, "" for none. */
  | { readonly type: "openText"; readonly text: string; readonly language: string }
  /** Saves a picture, given in base64, as a file of the person's choice. */
  | { readonly type: "savePicture"; readonly data: string }
  /** Saves the drawing of a graph as a file of the person's choice: as SVG, or as a Mermaid flowchart. */
  | { readonly type: "saveGraph"; readonly name: string; readonly format: GraphFormat; readonly text: string }
  | { readonly type: "saveInput"; readonly input: ComposerInput }
  | { readonly type: "readEarlier" }
  | { readonly type: "repair"; readonly action: RepairAction }
  /** Go on with a stranded run in a copy of the thread. */
  | { readonly type: "continueInCopy" }
  | { readonly type: "openSource"; readonly source: SourceRequest }
  /** Paths as they stand in texts: whether there are such files is to be looked up. */
  | { readonly type: "findFiles"; readonly paths: readonly string[] }
  /** Opens a file of the workspace at a line; lines and columns count from 1. */
  | { readonly type: "openFile"; readonly path: string; readonly line: number; readonly column?: number }
  | { readonly type: "openLinked"; readonly link: keyof ThreadLinks }
  /** Runs came in sight of which more is to be read. */
  | { readonly type: "readRuns"; readonly runIds: readonly string[] }
  /** Compare the state before a step with the one after it, or with what it left. */
  | {
      readonly type: "compareStep";
      readonly name: string;
      readonly lane: string;
      readonly checkpoints: StepCheckpoints;
    };
