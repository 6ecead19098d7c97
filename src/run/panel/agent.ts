/** What host and page say to each other about one agent: what it takes, and how it is run. */

import type { AssistantGraph, Json, MultitaskStrategy, StreamMode } from "../../api/agentServer/wire.ts";

/** What is known of an agent beside its name. */
export interface AgentFacts {
  readonly assistantId: string;
  readonly schemas: AgentSchemas;
  /** As a person left them; in a page they go on from there. */
  readonly options: AgentOptions;
  /** What it was sent in this window, the newest last. */
  readonly sent?: readonly SentInput[];
  /** The nodes of its graph, as far as they were asked for and its server tells them. */
  readonly nodes?: readonly string[];
}

/**
 * The JSON Schemas of what an agent takes, as far as its server has told: the first answer may take 20 seconds. Until
 * then it may be remembered from an earlier one whether it takes messages.
 */
export type AgentSchemas =
  /** Its server describes no agents, and runs them as they are. */
  | { readonly kind: "undescribed" }
  | { readonly kind: "asking"; readonly takesMessages?: boolean }
  | ({ readonly kind: "known" } & KnownSchemas)
  | { readonly kind: "failed"; readonly message: string; readonly takesMessages?: boolean };

/** Each is absent where the server has none for it. */
export interface KnownSchemas {
  readonly input?: Json;
  readonly context?: Json;
  readonly config?: Json;
}

/** How an agent is run: texts as they were typed, so that nothing that was begun is lost. Absent is never chosen. */
export interface AgentOptions {
  readonly mode?: InputMode;
  readonly streamModes?: readonly StreamMode[];
  /** "default" leaves it to the server. */
  readonly strategy?: MultitaskStrategy | "default";
  /** Separated by commas. */
  readonly feedbackKeys?: string;
  /** A JSON object. */
  readonly metadata?: string;
  /** A JSON object: what the graph is told beside its state. */
  readonly context?: string;
  /** A JSON object: `config.configurable`. */
  readonly configurable?: string;
  /** How many steps a run may take. */
  readonly recursionLimit?: string;
  /** Nodes separated by commas, or "*" for each. */
  readonly interruptBefore?: string;
  readonly interruptAfter?: string;
}

/** An input as it stands in the composer's box. */
export interface SentInput {
  readonly mode: "text" | "json";
  readonly text: string;
}

/** How an input is written. */
export type InputMode = "text" | "form" | "json";

/** The graph of an agent, or in words why nobody knows it. */
export type GraphReading =
  | { readonly kind: "known"; readonly graph: AssistantGraph }
  | { readonly kind: "unknown"; readonly message: string };
