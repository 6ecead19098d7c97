/** The schemas of states, as servers tell them, and what they refuse: a first answer may take 20 seconds. */

import type { AssistantSchemas, Json } from "../../../api/agentServer/wire.ts";
import { SchemaCheck } from "../../../run/schema/check.ts";
import type { Problem } from "../../../run/schema/problems.ts";
import { within } from "./timeBound.ts";

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
    if (this.#check === "asking") return "The server has not told the schema of the state yet.";
    if (this.#check === "none") return "The server tells no schema of the state that can be checked against.";
    const { check } = { check: this.#check };
    const found = within(mostMs, () => check.check(state));
    if (found === undefined) return "The schema of the state takes too long to be checked against.";
    return "problems" in found ? found.problems : found.unchecked;
  }
}
