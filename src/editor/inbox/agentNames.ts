/** What managed agents are called: each is asked for once, however many of its threads wait. */

import { ApiError } from "../../api/errors.ts";
import { isTransient } from "../../api/retry.ts";

/** An agent whose name nobody tells, perhaps because it was deleted. */
const nameless = "managed agent";

/** The agents' names, by connection and id. */
export class AgentNames {
  readonly #names = new Map<string, Promise<string>>();

  /** The name that `ask` gives, else a plain word; after a transient failure the next caller asks again. */
  of(connectionId: string, agentId: string, ask: () => Promise<string>): Promise<string> {
    if (agentId === "") return Promise.resolve(nameless);
    const key = `${connectionId} ${agentId}`;
    const known = this.#names.get(key);
    if (known !== undefined) return known;
    const name = ask().catch((error: unknown) => {
      if (isTransient(error) || wasLeft(error)) this.#names.delete(key);
      return nameless;
    });
    this.#names.set(key, name);
    return name;
  }
}

/** A view that was hidden meanwhile ends its requests. */
function wasLeft(error: unknown): boolean {
  return error instanceof ApiError && error.kind === "aborted";
}
