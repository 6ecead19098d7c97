/** The schema of a state, as its server tells it, and what it refuses: a first answer may take 20 seconds. */

import { createContext, Script } from "node:vm";
import type { AssistantSchemas, Json } from "../../../api/agentServer/wire.ts";
import { SchemaCheck } from "../../../run/schema/check.ts";
import type { Problem } from "../../../run/schema/problems.ts";

/** A schema that needs longer for a state is not checked against. */
const mostMs = 500;

/** What is known of a state's schema. */
export class StateSchema {
  #check: SchemaCheck | "asking" | "none" = "asking";

  /** Asks the server in the background; `changed` is called with its answer. */
  constructor(ask: () => Promise<AssistantSchemas | undefined>, changed: () => void) {
    void ask()
      .then((answer) => answer?.state_schema ?? undefined)
      .catch(() => undefined)
      .then((schema) => {
        this.#check =
          schema === undefined ? "none" : (within(mostMs, () => new SchemaCheck(schema)) ?? "none");
        changed();
      });
  }

  /** What the schema refuses; a string says why it was not asked. */
  problems(state: Json): readonly Problem[] | string {
    if (this.#check === "asking") return "The schema of the state is not loaded yet.";
    if (this.#check === "none") return "The server has no schema to check the state against.";
    const { check } = { check: this.#check };
    const found = within(mostMs, () => check.check(state));
    if (found === undefined) return "The schema of the state takes too long to be checked against.";
    return "problems" in found ? found.problems : found.unchecked;
  }
}

/**
 * The result of `work`, or undefined after `ms` milliseconds, since somebody else's data may make it last for ever.
 * It blocks the extension host meanwhile.
 */
export function within<T>(ms: number, work: () => T): T | undefined {
  try {
    return new Script("work()").runInContext(createContext({ work }), { timeout: ms }) as T;
  } catch (error) {
    // It is no Error of this realm.
    if ((error as { readonly code?: unknown }).code === "ERR_SCRIPT_EXECUTION_TIMEOUT") return undefined;
    throw error;
  }
}
