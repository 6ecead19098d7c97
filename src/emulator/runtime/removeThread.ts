import type { Engine, Scheduler } from "./scheduler.ts";

/** Stops the thread's runs and deletes all there is of it. */
export async function removeThread(
  engine: Engine & { readonly scheduler: Scheduler },
  threadId: string,
): Promise<void> {
  const { threads, checkpoints, runs, logs, protocolStreams, scheduler, store } = engine;
  await scheduler.stopAll(threadId);
  store.atomically(() => {
    threads.delete(threadId);
    protocolStreams.delete(threadId);
    checkpoints.deleteOfThread(threadId);
    for (const runId of runs.deleteOfThread(threadId)) logs.delete(runId);
  });
}
