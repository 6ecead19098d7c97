/** What the streaming protocol's backends send and take (docs/interface.md, "Streaming protocol thread endpoints"), as on the wire. */

import type { Json, JsonObject } from "../agentServer/wire.ts";

/** One event of a thread; events of a channel that is not known are kept. */
export interface ProtocolEvent {
  /** Counts up per thread, across its runs. */
  readonly seq?: number;
  readonly event_id?: string;
  /** The channel: "messages", "values", "lifecycle", … */
  readonly method: string;
  readonly params: {
    /** The subgraph that it comes from; empty for the root. */
    readonly namespace: readonly string[];
    /** Epoch milliseconds. */
    readonly timestamp?: number;
    readonly node?: string;
    readonly data: Json;
    readonly interrupts?: Json;
  };
}

/** One line of a chat's side bar. */
export interface ChatThread {
  readonly id: string;
  readonly title?: string | null;
  /** ISO. */
  readonly updatedAt?: string | null;
}

/** What a command was answered with, when it was taken. */
export interface CommandResult {
  readonly run_id?: string;
  readonly values?: JsonObject;
}

/** Every channel there is: only a subscriber of all of them sees no gap in the sequence numbers. */
export const CHANNELS = [
  "values",
  "updates",
  "messages",
  "tools",
  "lifecycle",
  "input",
  "checkpoints",
  "tasks",
  "custom",
] as const;

/**
 * A command that was understood and refused; the HTTP status of that is 200. `code` is the protocol's, for example
 * "unknown_command", "invalid_argument" or "no_such_interrupt".
 */
export class ProtocolError extends Error {
  override readonly name = "ProtocolError";
  readonly code: string;
  readonly status = 200;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}
