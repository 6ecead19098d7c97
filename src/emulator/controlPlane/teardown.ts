import type { Engine, Scheduler } from "../runtime/scheduler.ts";
import type { Deployment } from "./deployment.ts";
import type { Rollout, RolloutParts } from "./rollout.ts";

/** What a teardown works on. */
export interface TeardownParts extends Engine, RolloutParts {
  readonly scheduler: Scheduler;
  readonly rollout: Rollout;
}

/** Deletes deployments: asked for now, done a moment later, with all that they hold. */
export class Teardown {
  readonly #parts: TeardownParts;
  readonly #timers = new Map<string, NodeJS.Timeout>();
  readonly #working = new Set<Promise<void>>();
  #stopped = false;

  constructor(parts: TeardownParts) {
    this.#parts = parts;
  }

  /** Takes up the deletions that were not done when the process ended. */
  start(): void {
    for (const { id } of this.#parts.deployments.list({ status: "AWAITING_DELETE" }, -1, 0))
      this.#schedule(id);
  }

  /** Resolves when nothing is being deleted any more; what is not done goes on at the next start. */
  async stop(): Promise<void> {
    this.#stopped = true;
    for (const timer of this.#timers.values()) clearTimeout(timer);
    this.#timers.clear();
    await Promise.allSettled(this.#working);
  }

  /** Begins to delete a deployment; from now on it is no longer served. */
  begin(deployment: Deployment): void {
    const { deployments, revisions, rollout } = this.#parts;
    for (const revision of revisions.unfinished(deployment.id)) rollout.interrupt(revision);
    deployments.update(deployment.id, { status: "AWAITING_DELETE" });
    this.#schedule(deployment.id);
  }

  /** Deletes it now. */
  async finish(deploymentId: string): Promise<void> {
    const work = this.#delete(deploymentId);
    this.#working.add(work);
    await work.finally(() => this.#working.delete(work));
  }

  async #delete(deploymentId: string): Promise<void> {
    clearTimeout(this.#timers.get(deploymentId));
    this.#timers.delete(deploymentId);
    const { store, threads, deployments, revisions, revisionLogs } = this.#parts;
    const order = { sort_by: "thread_id", sort_order: "asc", limit: 500, offset: 0 } as const;
    for (;;) {
      const page = threads.search(deploymentId, {}, order);
      if (page.length === 0) break;
      if (this.#stopped) return;
      for (const { thread_id } of page) await this.#parts.scheduler.removeThread(thread_id);
    }
    store.atomically(() => {
      revisionLogs.deleteOf(deploymentId);
      revisions.deleteOf(deploymentId);
      deployments.delete(deploymentId);
    });
  }

  #schedule(deploymentId: string): void {
    clearTimeout(this.#timers.get(deploymentId));
    const timer = setTimeout(() => {
      this.finish(deploymentId).catch((error: unknown) => {
        console.error(`Deployment ${deploymentId} could not be deleted:`, error);
      });
    }, this.#parts.rolloutSettings.stepMs);
    this.#timers.set(deploymentId, timer);
  }
}
