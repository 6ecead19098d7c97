/** What the extension is made of: a core that is there from the start, and all else, made together at the first use. */

import * as vscode from "vscode";
import { realClock } from "../api/poll.ts";
import type { Clock } from "../api/retry.ts";
import type { ActivityLog } from "./kit/activityLog.ts";
import { Agents } from "./agents/agents.ts";
import { AgentServers } from "./threads/servers/agentServers.ts";
import { ApiKeys } from "./connections/apiKeys.ts";
import type { WaitingThreads } from "./threads/waitingThreads.ts";
import type { Connections } from "./connections/connections.ts";
import { Deployments } from "./deployments/deployments.ts";
import { Inbox } from "./threads/inbox.ts";
import { IssueWebhooks } from "./issues/issueWebhooks.ts";
import { LocalDeliveries } from "./issues/localDeliveries.ts";
import { Destinations } from "./destinations/destinations.ts";
import { ExportWatches } from "./destinations/exportWatches.ts";
import type { LocalPlatform } from "./localPlatform/localPlatform.ts";
import { Network } from "./network/network.ts";
import { Platforms } from "./connections/platforms.ts";
import type { Report } from "./kit/report.ts";
import { Sessions } from "./threads/sessions.ts";
import { ThreadHosts } from "./threads/servers/threadHosts.ts";
import { ThreadListings } from "./threads/threadListings.ts";
import { Threads } from "./threads/threads.ts";
import { ToolServers } from "./toolServers/toolServers.ts";
import { AuthAttempts } from "./toolServers/authAttempts.ts";
import { Transport } from "./connections/transport.ts";
import { RevisionWatches } from "./deployments/revisionWatches.ts";

/** What the editor shows before anything of ours is used. */
export interface Core {
  readonly context: vscode.ExtensionContext;
  readonly log: vscode.LogOutputChannel;
  readonly report: Report;
  readonly connections: Connections;
  readonly localPlatform: LocalPlatform;
  readonly waitingThreads: WaitingThreads;
  /** Long operations, for the Activity view. */
  readonly activity: ActivityLog;
}

/** Everything that commands, views, panels and documents work with. */
export interface Services extends Core {
  /** What views and documents wait by before they poll again. */
  readonly clock: Clock;
  readonly apiKeys: ApiKeys;
  readonly network: Network;
  readonly transport: Transport;
  readonly agentServers: AgentServers;
  readonly platforms: Platforms;
  readonly deployments: Deployments;
  readonly agents: Agents;
  readonly threadHosts: ThreadHosts;
  readonly threads: Threads;
  readonly threadListings: ThreadListings;
  readonly sessions: Sessions;
  readonly inbox: Inbox;
  readonly issueWebhooks: IssueWebhooks;
  readonly localDeliveries: LocalDeliveries;
  /** Revisions that are being watched until they are live or failed. */
  readonly revisionWatches: RevisionWatches;
  readonly destinations: Destinations;
  readonly exportWatches: ExportWatches;
  readonly authAttempts: AuthAttempts;
  readonly toolServers: ToolServers;
  dispose(): void;
}

/** Makes what the core lacks. */
export function createServices(core: Core): Services {
  const { context, log, report, connections, localPlatform, waitingThreads } = core;
  const { globalState } = context;
  const apiKeys = new ApiKeys(context.secrets, globalState, localPlatform);
  const network = new Network();
  const transport = new Transport(connections, apiKeys, network, localPlatform);
  const platforms = new Platforms(connections, transport, localPlatform);
  const deployments = new Deployments(connections, platforms, context);
  const agentServers = new AgentServers(connections, transport, localPlatform, deployments, globalState);
  const threadHosts = new ThreadHosts(agentServers, platforms);
  const threads = new Threads(threadHosts);
  const listed = { agentServers, threadHosts, threads, waitingThreads, context };
  const threadListings = new ThreadListings(listed);
  const sessions = new Sessions(listed);
  const inbox = new Inbox({ agentServers, connections, platforms, threads, waitingThreads });
  const agents = new Agents({ context, platforms, threads, waitingThreads });
  const issueWebhooks = new IssueWebhooks(context, log);
  const localDeliveries = new LocalDeliveries({ platforms, issueWebhooks, localPlatform, log });
  const destinations = new Destinations(platforms, globalState);
  const clock = { ...realClock };
  const needs = { ...core, clock, deployments, destinations, platforms };
  const revisionWatches = new RevisionWatches(needs);
  const exportWatches = new ExportWatches(needs);
  const authAttempts = new AuthAttempts(needs);
  const toolServers = new ToolServers({ authAttempts, platforms });
  const made = {
    ...{ apiKeys, network, transport, deployments, destinations, threads, threadListings, sessions, inbox },
    ...{ revisionWatches, exportWatches, authAttempts, agents, toolServers, issueWebhooks, localDeliveries },
  };
  const reported = transport.onExchange((exchange) => report.exchange(exchange));
  const dispose = (): void => void vscode.Disposable.from(reported, ...Object.values(made)).dispose();
  return { ...needs, ...made, platforms, agentServers, threadHosts, dispose };
}
