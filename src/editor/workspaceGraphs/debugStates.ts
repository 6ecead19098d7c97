/** Which servers a debugger is attached to, and where those stand that it holds. */

import { basename } from "node:path";

/** Where a server stands that the debugger holds; what the debugger has not told yet, or can't, is absent. */
export interface Pause {
  /** The node of the graph. */
  readonly node?: string | undefined;
  readonly threadId?: string | undefined;
  /** In the project's own sources; the line is counted from 1. */
  readonly location?: { readonly file: string; readonly line: number } | undefined;
  /** What was thrown there. */
  readonly thrown?: string | undefined;
}

/** A debugger is attached. */
export interface DebugState {
  /** Absent while the server goes on. */
  readonly pause?: Pause;
  readonly pausesOnExceptions: boolean;
}

/** The state of each project's server, by the project's id. */
export class DebugStates {
  readonly #states = new Map<string, DebugState>();
  readonly #holds = new Map<string, PromiseWithResolvers<undefined>>();
  readonly #changed: () => void;

  constructor(changed: () => void) {
    this.#changed = changed;
  }

  /** Undefined where no debugger is attached. */
  of(id: string): DebugState | undefined {
    return this.#states.get(id);
  }

  /** Whether a debugger is attached to any server. */
  get any(): boolean {
    return this.#states.size > 0;
  }

  /** Whether any server is held. */
  get anyHeld(): boolean {
    return this.#holds.size > 0;
  }

  /** What to wait for before the server can answer; undefined while it is not held. */
  heldUntil(id: string): Promise<unknown> | undefined {
    return this.#holds.get(id)?.promise;
  }

  set(id: string, state: DebugState | undefined): void {
    if (JSON.stringify(state) === JSON.stringify(this.#states.get(id))) return;
    if (state === undefined) this.#states.delete(id);
    else this.#states.set(id, state);
    const hold = this.#holds.get(id);
    if (state?.pause === undefined) this.#holds.delete(id);
    else if (hold === undefined) this.#holds.set(id, Promise.withResolvers<undefined>());
    if (state?.pause === undefined) hold?.resolve(undefined);
    this.#changed();
  }
}

/** "paused in plan, planner.mts:14", as far as that is known. */
export function pauseWords({ node, location, thrown }: Pause): string {
  const at = location && `${basename(location.file)}:${String(location.line)}`;
  const where = [node, at].filter((part) => part !== undefined).join(", ");
  const paused = where === "" ? "paused in the debugger" : `paused in ${where}`;
  return thrown === undefined ? paused : `${paused}: ${thrown}`;
}
