/** A thread that goes back to an old checkpoint with every turn: a run was once sent with it, and servers keep that. */

import type { JsonObject, RunCreate } from "../../api/agentServer/wire.ts";
import type { StateNow } from "../fold/threadState.ts";
import { isObject } from "../json/json.ts";

/** Finds it in what the thread's row says, and takes it out with the next run. */
export class StuckCheckpoint {
  #id: string | undefined;

  /** Looks at the thread; a warning in words when such a checkpoint is found. */
  read({ row }: StateNow): string | undefined {
    this.#id = stuckCheckpoint(row?.config);
    if (this.#id === undefined) return undefined;
    return `The configuration of this thread names a checkpoint (${this.#id}), since a run was once sent with it: each turn goes back there, and what came later is dropped. The next run from here takes it out.`;
  }

  /** The run, so that it goes on from the newest state, and all that follow it. */
  mend(body: RunCreate): RunCreate {
    return mended(body, this.#id);
  }
}

/** The checkpoint that a thread's configuration names; undefined for none. */
export function stuckCheckpoint(config: JsonObject | undefined): string | undefined {
  const configurable = config?.["configurable"];
  const id = isObject(configurable) ? configurable["checkpoint_id"] : undefined;
  return typeof id === "string" && id !== "" ? id : undefined;
}

/**
 * Whether a run without input executes again what ended well beside a failed step: servers do so as soon as the thread's
 * configuration has a place for a checkpoint, also where a run has taken the checkpoint out.
 */
export function repeatsSteps(config: JsonObject | undefined): boolean {
  const configurable = config?.["configurable"];
  return isObject(configurable) && "checkpoint_id" in configurable;
}

/** The run, so that it goes on from the newest state whatever checkpoint its thread's configuration names. */
export function mended(body: RunCreate, stuckAt: string | undefined): RunCreate {
  if (stuckAt === undefined) return body;
  const { configurable } = body.config ?? {};
  return {
    ...body,
    config: {
      ...body.config,
      configurable: { ...(isObject(configurable) && configurable), checkpoint_id: null },
    },
  };
}
