/** What the extension is made of: a core that is there from the start, and all else, made together at the first use. */

import * as vscode from "vscode";
import { SECTION, SETTINGS } from "./kit/ids.ts";
import { realClock } from "../api/poll.ts";
import type { Clock } from "../api/retry.ts";
import { Attention } from "./kit/attention.ts";
import type { ActivityLog } from "./kit/activityLog.ts";
import { AuditLog } from "./audit/auditLog.ts";
import { Agents } from "./agents/agents.ts";
import { AgentOptionsMemory } from "./threads/inputs/agentOptions.ts";
import { AgentSchemasCache } from "./threads/inputs/agentSchemas.ts";
import { SentInputs } from "./threads/inputs/sentInputs.ts";
import { AgentServers } from "./threads/servers/agentServers.ts";
import { ApiKeys } from "./connections/apiKeys.ts";
import { ConnectionFindings } from "./connections/connectionFindings.ts";
import type { WaitingThreads } from "./threads/waitingThreads.ts";
import type { Connections } from "./connections/connections.ts";
import { HiddenConnections } from "./connections/hiddenConnections.ts";
import { Deployments } from "./deployments/deployments.ts";
import { Inbox } from "./inbox/inbox.ts";
import { IssueWebhooks } from "./issues/issueWebhooks.ts";
import { LocalDeliveries, localIssues } from "./issues/localDeliveries.ts";
import { Failures } from "./failures/failures.ts";
import { GraphDebugger } from "./debugging/graphDebugger.ts";
import { Destinations } from "./destinations/destinations.ts";
import { ExportWatches } from "./destinations/exportWatches.ts";
import type { LocalPlatform } from "./localPlatform/localPlatform.ts";
import { RequestLog } from "./network/requestLog.ts";
import { Network } from "./network/network.ts";
import { Platforms } from "./connections/platforms.ts";
import type { Report } from "./kit/report.ts";
import { Sessions } from "./threads/sessions.ts";
import { StrandedThreads } from "./threads/strandedThreads.ts";
import { ThreadHosts } from "./threads/servers/threadHosts.ts";
import { ThreadListings } from "./threads/threadListings.ts";
import { ManagedThreads } from "./threads/managedThreads.ts";
import { Threads } from "./threads/threads.ts";
import { ToolServers } from "./toolServers/toolServers.ts";
import { AuthAttempts } from "./toolServers/authAttempts.ts";
import type { WorkspaceGraphs } from "./workspaceGraphs/workspaceGraphs.ts";
import { Transport } from "./connections/transport.ts";
import { BulkChanges } from "./bulk/bulkChanges.ts";
import { RevisionWatches } from "./deployments/revisionWatches.ts";

/** What the editor shows before anything of ours is used. */
export interface Core {
  readonly context: vscode.ExtensionContext;
  readonly log: vscode.LogOutputChannel;
  readonly report: Report;
  readonly connections: Connections;
  readonly localPlatform: LocalPlatform;
  readonly workspaceGraphs: WorkspaceGraphs;
  readonly waitingThreads: WaitingThreads;
  /** Long operations, for the Activity view. */
  readonly activity: ActivityLog;
}

/** Everything that commands, views, panels and documents work with. */
export interface Services extends Core {
  /** What views and documents wait by before they poll again. */
  readonly clock: Clock;
  readonly attention: Attention;
  readonly apiKeys: ApiKeys;
  readonly connectionFindings: ConnectionFindings;
  readonly hiddenConnections: HiddenConnections;
  readonly network: Network;
  readonly transport: Transport;
  readonly audit: AuditLog;
  readonly agentServers: AgentServers;
  readonly platforms: Platforms;
  readonly deployments: Deployments;
  readonly agents: Agents;
  readonly threadHosts: ThreadHosts;
  /** What agents take. */
  readonly agentSchemas: AgentSchemasCache;
  /** How agents are run. */
  readonly agentOptions: AgentOptionsMemory;
  /** What they were sent. */
  readonly sentInputs: SentInputs;
  readonly threads: Threads;
  readonly managedThreads: ManagedThreads;
  readonly threadListings: ThreadListings;
  readonly sessions: Sessions;
  readonly inbox: Inbox;
  /** What is broken on any connection. */
  readonly failures: Failures;
  readonly issueWebhooks: IssueWebhooks;
  readonly localDeliveries: LocalDeliveries;
  /** Revisions that are being watched until they are live or failed. */
  readonly revisionWatches: RevisionWatches;
  /** Work on many things. */
  readonly bulkChanges: BulkChanges;
  readonly destinations: Destinations;
  readonly exportWatches: ExportWatches;
  readonly authAttempts: AuthAttempts;
  readonly toolServers: ToolServers;
  readonly graphDebugger: GraphDebugger;
  dispose(): void;
}

/** Makes what the core lacks. */
export function createServices(core: Core): Services {
  const { context, log, connections, localPlatform, waitingThreads, workspaceGraphs } = core;
  void workspaceGraphs.find();
  const { globalState } = context;
  const apiKeys = new ApiKeys(context.secrets, globalState, localPlatform);
  const hiddenConnections = new HiddenConnections(connections, context.workspaceState);
  const network = new Network();
  const transport = new Transport(connections, apiKeys, network, localPlatform);
  const audit = new AuditLog({ context, log, transport });
  const platforms = new Platforms(connections, transport, localPlatform);
  const deployments = new Deployments(connections, platforms, context);
  const agentServers = new AgentServers(connections, transport, localPlatform, deployments, globalState);
  const connectionFindings = new ConnectionFindings({ agentServers, apiKeys, connections, workspaceGraphs });
  const strandedThreads = new StrandedThreads((connectionId) => workspaceGraphs.began(connectionId)?.at);
  const threadHosts = new ThreadHosts(agentServers, platforms, (connectionId) =>
    workspaceGraphs.began(connectionId),
  );
  const threads = new Threads(threadHosts);
  const managedThreads = new ManagedThreads({ platforms, threads });
  const clock = { ...realClock };
  const agentOptions = new AgentOptionsMemory(globalState, clock);
  const agentSchemas = new AgentSchemasCache(globalState, clock);
  const attention = new Attention(vscode.window, clock);
  const listed = {
    ...{ agentServers, apiKeys, connections, context },
    ...{ strandedThreads, threadHosts, threads, waitingThreads },
  };
  const threadListings = new ThreadListings(listed);
  const sessions = new Sessions({ ...listed, clock, attention });
  const inbox = new Inbox({ ...listed, platforms, clock });
  const agents = new Agents({ context, platforms, threads, waitingThreads });
  const issueWebhooks = new IssueWebhooks(context, log);
  issueWebhooks.resume().catch((error: unknown) => core.report.failure("Issues", error));
  const localDeliveries = new LocalDeliveries({ connections, platforms, issueWebhooks, localPlatform, log });
  const destinations = new Destinations(platforms, globalState);
  const needs = { ...core, clock, deployments, destinations, platforms };
  const revisionWatches = new RevisionWatches(needs);
  const bulkChanges = new BulkChanges(needs);
  const exportWatches = new ExportWatches(needs);
  const authAttempts = new AuthAttempts(needs);
  const toolServers = new ToolServers({ authAttempts, platforms });
  const graphDebugger = new GraphDebugger(workspaceGraphs, context.workspaceState, log);
  const failures = new Failures({
    ...{ agents, agentServers, clock, connections, deployments, inbox, issueWebhooks, platforms, threads },
    memory: globalState,
    localIssues: () => localIssues({ platforms }),
    stuckMs: () => 60_000 * vscode.workspace.getConfiguration(SECTION).get(SETTINGS.failuresStuckMinutes, 30),
  });
  const made = {
    ...{ attention, audit, connectionFindings, failures, graphDebugger, hiddenConnections },
    ...{ apiKeys, network, transport, deployments, destinations, threads, threadListings, sessions, inbox },
    ...{
      agentOptions,
      revisionWatches,
      bulkChanges,
      exportWatches,
      authAttempts,
      agents,
      toolServers,
      issueWebhooks,
      localDeliveries,
    },
  };
  const requestLog = new RequestLog(log);
  const logged = transport.onExchange((exchange) => requestLog.note(exchange));
  // Nobody is waited for on a deployment that is there no more.
  const lost = deployments.onDidLose(({ connectionId, deploymentId }) =>
    waitingThreads.forget(connectionId, { kind: "deployment", deploymentId }),
  );
  const dispose = (): void => void vscode.Disposable.from(logged, lost, ...Object.values(made)).dispose();
  const sentInputs = new SentInputs();
  return {
    ...{ ...needs, ...made, dispose },
    ...{ agentServers, agentSchemas, managedThreads, platforms, sentInputs, threadHosts },
  };
}
