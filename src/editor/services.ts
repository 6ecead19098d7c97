/** What the extension is made of; built once in extension.ts and handed to what needs it. */

import type * as vscode from "vscode";
import type { Clock } from "../api/retry.ts";
import type { ActivityLog } from "./kit/activityLog.ts";
import type { Agents } from "./agents/agents.ts";
import type { AgentServers } from "./threads/servers/agentServers.ts";
import type { ApiKeys } from "./connections/apiKeys.ts";
import type { WaitingThreads } from "./threads/waitingThreads.ts";
import type { Connections } from "./connections/connections.ts";
import type { Deployments } from "./deployments/deployments.ts";
import type { Inbox } from "./threads/inbox.ts";
import type { IssueWebhooks } from "./issues/issueWebhooks.ts";
import type { LocalDeliveries } from "./issues/localDeliveries.ts";
import type { Destinations } from "./destinations/destinations.ts";
import type { ExportWatches } from "./destinations/exportWatches.ts";
import type { LocalPlatform } from "./localPlatform/localPlatform.ts";
import type { Network } from "./network/network.ts";
import type { Platforms } from "./connections/platforms.ts";
import type { Report } from "./kit/report.ts";
import type { Sessions } from "./threads/sessions.ts";
import type { ThreadHosts } from "./threads/servers/threadHosts.ts";
import type { ThreadListings } from "./threads/threadListings.ts";
import type { Threads } from "./threads/threads.ts";
import type { ToolServers } from "./toolServers/toolServers.ts";
import type { AuthAttempts } from "./toolServers/authAttempts.ts";
import type { Transport } from "./connections/transport.ts";
import type { RevisionWatches } from "./deployments/revisionWatches.ts";

/** Everything that commands, views, panels and documents work with. */
export interface Services {
  readonly context: vscode.ExtensionContext;
  /** What views and documents wait by before they poll again. */
  readonly clock: Clock;
  readonly log: vscode.LogOutputChannel;
  readonly report: Report;
  readonly connections: Connections;
  readonly apiKeys: ApiKeys;
  readonly network: Network;
  readonly transport: Transport;
  readonly localPlatform: LocalPlatform;
  readonly agentServers: AgentServers;
  readonly platforms: Platforms;
  readonly deployments: Deployments;
  readonly agents: Agents;
  readonly threadHosts: ThreadHosts;
  readonly threads: Threads;
  readonly threadListings: ThreadListings;
  readonly sessions: Sessions;
  readonly waitingThreads: WaitingThreads;
  readonly inbox: Inbox;
  readonly issueWebhooks: IssueWebhooks;
  readonly localDeliveries: LocalDeliveries;
  /** Long operations, for the Activity view. */
  readonly activity: ActivityLog;
  /** Revisions that are being watched until they are live or failed. */
  readonly revisionWatches: RevisionWatches;
  readonly destinations: Destinations;
  readonly exportWatches: ExportWatches;
  readonly authAttempts: AuthAttempts;
  readonly toolServers: ToolServers;
}
