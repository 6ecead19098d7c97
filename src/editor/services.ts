/** What the extension is made of; built once in extension.ts and handed to what needs it. */

import type * as vscode from "vscode";
import type { ActivityLog } from "./activityLog.ts";
import type { AgentServers } from "./agentServers.ts";
import type { ApiKeys } from "./apiKeys.ts";
import type { Attention } from "./attention.ts";
import type { Connections } from "./connections.ts";
import type { Fleet } from "./fleet.ts";
import type { IssueWebhooks } from "./issues/issueWebhooks.ts";
import type { LocalPlatform } from "./localPlatform.ts";
import type { Network } from "./networkSettings.ts";
import type { Platforms } from "./platforms.ts";
import type { Report } from "./report.ts";
import type { Sessions } from "./sessions.ts";
import type { ThreadHosts } from "./threadHosts.ts";
import type { AuthAttempts } from "./toolServers/authAttempts.ts";
import type { Transport } from "./transport.ts";
import type { Watches } from "./watches.ts";

export interface Services {
  readonly context: vscode.ExtensionContext;
  readonly log: vscode.LogOutputChannel;
  readonly report: Report;
  readonly connections: Connections;
  readonly apiKeys: ApiKeys;
  readonly network: Network;
  readonly transport: Transport;
  readonly localPlatform: LocalPlatform;
  readonly agentServers: AgentServers;
  readonly platforms: Platforms;
  readonly fleet: Fleet;
  readonly threadHosts: ThreadHosts;
  readonly sessions: Sessions;
  readonly attention: Attention;
  readonly issueWebhooks: IssueWebhooks;
  /** Long operations, for the Activity view. */
  readonly activity: ActivityLog;
  /** Revisions that are being watched until they are live or failed. */
  readonly watches: Watches;
  readonly authAttempts: AuthAttempts;
}
