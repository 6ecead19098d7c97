/** Where threads live: on an agent server, or with a managed agent. Whoever works with a thread need not know. */

import type { AssistantChoice } from "../../run/messages.ts";
import type { CallOptions, RunServer } from "../../run/server.ts";

/** What a run panel shows beside a conversation. */
export interface HostFacts {
  readonly name: string;
  readonly assistants: readonly AssistantChoice[];
  /** What the thread was called by a person or the platform. */
  readonly title: string | undefined;
}

/** One place where threads live, and all that is done with a thread by whoever lists it or shows it. */
export interface ThreadHost {
  /** For a run session. */
  readonly runs: RunServer;
  facts(threadId: string | undefined, options: CallOptions): Promise<HostFacts>;
  /** The thread's state as the server tells it. */
  state(threadId: string): Promise<unknown>;
  rename(threadId: string, title: string): Promise<void>;
  /** Rejects with an ApiError; a thread that is gone may be one. */
  delete(threadId: string): Promise<void>;
}
