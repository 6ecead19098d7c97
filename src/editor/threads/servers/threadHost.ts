/** Where threads live: on an agent server, with a managed agent, or on a chat backend; its users need not know which. */

import type { AssistantSchemas, JsonObject, ThreadState } from "../../../api/agentServer/wire.ts";
import type { AssistantChoice, ThreadCapability, ThreadLinks } from "../../../run/panel/messages.ts";
import type { CallOptions } from "../../../api/http.ts";
import type { RunServer } from "../../../run/session/server.ts";
import type { NotPossibleError } from "../../kit/remedies.ts";

/** What a run panel shows beside a conversation. */
export interface HostFacts {
  readonly name: string;
  readonly assistants: readonly AssistantChoice[];
  /** What the thread was called by a person or the platform. */
  readonly title: string | undefined;
  readonly links?: ThreadLinks;
}

/** What a small request says of a thread: one of the two differs after each change. */
export interface ThreadVersion {
  /** The status as the server spells it, "gone", or another text that changes with the thread. */
  readonly status: string;
  /** One timestamp, or several with a blank between them where a server has one for each part of a thread. */
  readonly updatedAt: string;
}

/** Names a saved state of a thread. */
export interface CheckpointName {
  readonly checkpointId: string;
  /** The namespace of the subgraph whose state it is; absent for the thread's own graph. */
  readonly checkpointNs?: string | undefined;
}

/** What a server of threads is known not to support, with the error for a person who asks for it all the same. */
export type Unsupported = ReadonlyMap<ThreadCapability, NotPossibleError>;

/** How many states of a thread are asked for at a time. */
export const statesAtOnce = 20;

/** For the context value of a thread's row, which menus ask: `unsupported:rename unsupported:delete`. */
export function unsupportedWords(unsupported: Unsupported): string {
  return [...unsupported.keys()].map((capability) => `unsupported:${capability}`).join(" ");
}

/** What lists or shows a thread works with its host: the agent server, managed agent or chat backend that it lives on. */
export interface ThreadHost {
  /** For a run session. */
  readonly runs: RunServer;
  /** Actions for these are not offered; it may grow with each answer. */
  readonly unsupported: Unsupported;
  /** How many threads that were made here it has lost; absent where it lists all that it has. */
  readonly lost?: number;
  /** What an agent takes; absent where the server does not describe its agents. */
  schemas?(assistantId: string, options: CallOptions): Promise<AssistantSchemas>;
  facts(threadId: string | undefined, options: CallOptions): Promise<HostFacts>;
  /** What the thread is now; undefined where only its whole state would tell. */
  version(threadId: string, options: CallOptions): Promise<ThreadVersion | undefined>;
  /** The thread's state as the server has it: the newest, or that of a checkpoint. */
  state(threadId: string, at?: CheckpointName): Promise<unknown>;
  /** All its states, the newest first, read page by page as they are consumed. */
  history(threadId: string, options: CallOptions): AsyncIterable<ThreadState>;
  /** How the thread began, as a title; absent where the lists of the server have all titles. */
  began?(threadId: string, metadata: JsonObject, options: CallOptions): Promise<string | undefined>;
  rename(threadId: string, title: string): Promise<unknown>;
  /** Rejects with an ApiError; a thread that is gone may be one. */
  delete(threadId: string): Promise<void>;
}
