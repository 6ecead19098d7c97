import { ApiKeys } from "./apiKeys.ts";
import { FeedbackTokens } from "./feedbackTokens.ts";
import { findAgent } from "./agents/catalog.ts";
import { Checkpoints } from "./runtime/checkpoints.ts";
import { RunLogs } from "./runtime/runLogs.ts";
import { Runs } from "./runtime/runs.ts";
import { Scheduler } from "./runtime/scheduler.ts";
import type { Engine } from "./runtime/scheduler.ts";
import { Threads } from "./runtime/threads.ts";
import { readIdentity } from "./settings.ts";
import type { Identity } from "./settings.ts";
import { Store } from "./store.ts";

/** Everything behind the routes: the durable state and the machinery that runs agents. */
export interface Platform extends Engine {
  readonly identity: Identity;
  readonly apiKeys: ApiKeys;
  readonly scheduler: Scheduler;
}

/** Opens the data directory and takes up what an earlier process left there. */
export function openPlatform(directory: string, apiKey: string | undefined, baseUrl: () => string): Platform {
  const store = new Store(directory);
  const engine: Engine = {
    store,
    threads: new Threads(store),
    runs: new Runs(store),
    checkpoints: new Checkpoints(store),
    logs: new RunLogs(store),
    feedbackTokens: new FeedbackTokens(store, baseUrl),
    findAgent,
  };
  engine.logs.deleteSpilled();
  const identity = readIdentity(store, apiKey);
  const apiKeys = new ApiKeys(store, identity);
  return { ...engine, identity, apiKeys, scheduler: new Scheduler(engine) };
}

/** Stops all runs, keeps what they had done, and closes the store. */
export async function closePlatform(platform: Platform): Promise<void> {
  await platform.scheduler.shutdown();
  platform.store.close();
}
