/** Where states stand in the tree of a thread's history, as they are read from the newest to the oldest. */

import type { ThreadState } from "../../api/agentServer/wire.ts";
import { checkpointIn } from "./pages.ts";

/** Where one state stands. */
export interface Branching {
  /** 0 for the branch of the head, on which the thread goes on; one more for each branch beside it. */
  readonly lane: number;
  /** Whether no state that was read comes after it. */
  readonly isEnd: boolean;
  /** How many branches go on from it. */
  readonly ways: number;
}

/** Follows each branch from its end back to where it begins. */
export class Branches {
  /** By lane, the state that comes next on it; undefined for a lane that is free again. */
  #awaited: (string | undefined)[] = [];

  /** States are given the newest first, each once. */
  next(state: ThreadState): Branching {
    const id = checkpointIn(state);
    const lanes = [...this.#awaited.keys()].filter((lane) => id !== undefined && this.#awaited[lane] === id);
    const free = this.#awaited.indexOf(undefined, 1);
    const fresh = free > 0 ? free : this.#awaited.length;
    const [lane = fresh] = lanes;
    for (const ended of lanes) this.#awaited[ended] = undefined;
    this.#awaited[lane] = state.parent_checkpoint?.checkpoint_id;
    return { lane, isEnd: lanes.length === 0, ways: lanes.length };
  }
}
