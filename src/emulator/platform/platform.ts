import { ApiKeys } from "../access/apiKeys.ts";
import { type BulkExportService, openBulkExports } from "../bulkExports/service.ts";
import { ControlPlane } from "../controlPlane/controlPlane.ts";
import { Deliveries } from "../issueWebhooks/deliveries.ts";
import { type DeliveryOptions, usualDelivery } from "../issueWebhooks/delivery.ts";
import { FeedbackTokens } from "../access/feedbackTokens.ts";
import { findAgent } from "../agents/catalog.ts";
import { Issues } from "../issueWebhooks/issues.ts";
import { behaviourOf } from "../managed/behaviour.ts";
import { type McpService, openMcp } from "../mcp/service.ts";
import { ManagedAgents } from "../managed/managedAgents.ts";
import { managedDeploymentId, ManagedThreads } from "../managed/managedThreads.ts";
import { ProtocolStreams } from "../protocol/protocolStreams.ts";
import { Checkpoints } from "../runtime/checkpoints.ts";
import { RunLogs } from "../runtime/runLogs.ts";
import { Runs } from "../runtime/runs.ts";
import { type Engine, Scheduler } from "../runtime/scheduler.ts";
import { Threads } from "../runtime/threads.ts";
import type { OAuthTokens } from "../access/oauthTokens.ts";
import { type Identity, readIdentity } from "../access/identity.ts";
import { Store } from "../store/store.ts";
import { Vault } from "../access/vault.ts";
import { Webhooks } from "../issueWebhooks/webhooks.ts";

/** Everything behind the routes: the durable state and the machinery that runs agents. */
export interface Platform extends Engine {
  readonly identity: Identity;
  /** Where this platform is reached; known once it listens. */
  readonly baseUrl: () => string;
  readonly protocolStreams: ProtocolStreams;
  readonly apiKeys: ApiKeys;
  readonly controlPlane: ControlPlane;
  readonly oauthTokens: OAuthTokens;
  readonly mcp: McpService;
  readonly scheduler: Scheduler;
  readonly vault: Vault;
  readonly webhooks: Webhooks;
  readonly deliveries: Deliveries;
  readonly issues: Issues;
  readonly bulkExports: BulkExportService;
  readonly managedAgents: ManagedAgents;
  readonly managedThreads: ManagedThreads;
}

/** Opens the data directory and takes up what an earlier process left there. */
export function openPlatform(
  directory: string,
  apiKey: string | undefined,
  baseUrl: () => string,
  delivery: Partial<DeliveryOptions> = {},
): Platform {
  const store = new Store(directory);
  const threads = new Threads(store);
  const managedAgents = new ManagedAgents(store);
  const managedThreads = new ManagedThreads(store, threads);
  const logs = new RunLogs(store);
  const engine: Engine & Pick<Platform, "protocolStreams"> = {
    store,
    threads,
    runs: new Runs(store),
    checkpoints: new Checkpoints(store),
    logs,
    protocolStreams: new ProtocolStreams(logs),
    feedbackTokens: new FeedbackTokens(store, baseUrl),
    findAgent: (id, deploymentId) =>
      deploymentId === managedDeploymentId ? behaviourOf(managedAgents, id) : findAgent(id),
  };
  engine.logs.deleteSpilled();
  const vault = new Vault(directory);
  const identity = readIdentity(store, vault, apiKey);
  const apiKeys = new ApiKeys(store, identity);
  const webhooks = new Webhooks(store, vault);
  const deliveries = new Deliveries(store, webhooks, { ...usualDelivery, ...delivery });
  const issues = new Issues(store, identity, deliveries, baseUrl);
  const bulkExports = openBulkExports({ ...engine, vault, identity });
  const scheduler = new Scheduler(engine);
  const controlPlane = new ControlPlane({ ...engine, scheduler }, identity);
  const mcp = openMcp(store, vault, baseUrl);
  const managed = { managedAgents, managedThreads };
  return {
    ...engine,
    ...managed,
    identity,
    baseUrl,
    apiKeys,
    controlPlane,
    oauthTokens: mcp.tokens,
    mcp,
    scheduler,
    vault,
    webhooks,
    deliveries,
    issues,
    bulkExports,
  };
}

/** Stops all runs, keeps what they had done, and closes the store. */
export async function closePlatform(platform: Platform): Promise<void> {
  await Promise.all([
    platform.scheduler.shutdown(),
    platform.controlPlane.stop(),
    platform.deliveries.stop(),
    platform.bulkExports.exporter.stop(),
    platform.mcp.authorization.stop(),
  ]);
  platform.store.close();
}
