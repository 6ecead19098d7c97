/** Everything that passes between the run panel's host and its page: one way each, state down, requests up. */

import type { Json, JsonObject, MultitaskStrategy, StreamMode } from "../../api/agentServer/wire.ts";
import type { RemedyAction } from "../../api/errors.ts";
import type { Decision, Entry, Feedback, TranscriptPatch } from "./transcript.ts";

/** The wire's own types that the page needs, so that it depends on nothing but this folder. */
export type { Json, JsonObject, MultitaskStrategy, StreamMode };

/**
 * What not every server of threads supports. What isn't known is offered; once a server is known not to support one,
 * only the action for it is missing (docs/interface.md, "Streaming protocol thread endpoints").
 */
export type ThreadCapability = "stop" | "answer" | "rename" | "delete" | "list" | "history";

/** What the panel shows beside the transcript. */
export interface PanelState {
  readonly title: string;
  readonly connection: string;
  readonly server: string;
  readonly threadId: string | undefined;
  readonly assistants: readonly AssistantChoice[];
  readonly session: SessionState;
  /** What can't be done here: there is no button for it. */
  readonly unsupported: readonly ThreadCapability[];
  /** Events received so far, for the raw list's length. */
  readonly events: number;
  readonly composer: ComposerDefaults;
}

/** An assistant that a run can be started with. */
export interface AssistantChoice {
  readonly id: string;
  readonly name: string;
  readonly description?: string;
  /** An input to try, offered in an empty thread. */
  readonly example?: string;
}

/** What goes on between the host and the server right now. */
export type SessionState =
  | { readonly kind: "loading" }
  | { readonly kind: "idle" }
  | { readonly kind: "streaming"; readonly runId: string | undefined; readonly idleMs?: number }
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
}

/** One received event in the raw list. */
export interface RawEvent {
  readonly index: number;
  readonly id?: string;
  readonly event: string;
  readonly data: string;
  /** Epoch milliseconds of arrival. */
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
  /** A request was refused before it was sent; the composer keeps its text. */
  | { readonly type: "refused"; readonly request: FromWebview["type"]; readonly message: string }
  /** The run was accepted; the composer may clear. */
  | { readonly type: "accepted" }
  | { readonly type: "focusComposer" }
  /** Leads the reader to what was said or asked last. */
  | { readonly type: "focusLastMessage" };

/** What the page sends to the host: requests, and what it painted. */
export type FromWebview =
  | { readonly type: "ready" }
  /** The page painted this revision; the host sends the next patch. */
  | { readonly type: "painted"; readonly revision: number }
  | { readonly type: "start"; readonly request: RunRequest }
  | { readonly type: "stop" }
  | { readonly type: "detach" }
  | { readonly type: "reattach" }
  /** Does something about a failure. */
  | { readonly type: "remedy"; readonly action: RemedyAction }
  | { readonly type: "decide"; readonly interruptId: string; readonly decisions: readonly Decision[] }
  | { readonly type: "resume"; readonly interruptId: string; readonly value: Json }
  | { readonly type: "feedback"; readonly runId: string; readonly key: string; readonly feedback: Feedback }
  | { readonly type: "raw"; readonly search: string; readonly offset: number; readonly limit: number }
  | { readonly type: "copy"; readonly text: string }
  /** Copy all events that match `search` (all when empty) as JSONL. */
  | { readonly type: "copyEvents"; readonly search: string }
  | { readonly type: "openExternal"; readonly url: string };
