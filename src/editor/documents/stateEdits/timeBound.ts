/** Work that somebody else's data can make endless, such as checking against a server's schema: it is given up. */

import { createContext, Script } from "node:vm";

/** What the work comes to; undefined when it takes longer. It holds everything up meanwhile. */
export function within<T>(ms: number, work: () => T): T | undefined {
  try {
    return new Script("work()").runInContext(createContext({ work }), { timeout: ms }) as T;
  } catch (error) {
    // It is no Error of this realm.
    if ((error as { readonly code?: unknown }).code === "ERR_SCRIPT_EXECUTION_TIMEOUT") return undefined;
    throw error;
  }
}
