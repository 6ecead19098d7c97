/** The composition root: builds the services, registers what uses them, and has no logic of its own. */

import * as vscode from "vscode";
import { realClock } from "./api/poll.ts";
import { ActivityLog } from "./editor/kit/activityLog.ts";
import { Agents } from "./editor/agents/agents.ts";
import { AgentServers } from "./editor/threads/servers/agentServers.ts";
import { ApiKeys } from "./editor/connections/apiKeys.ts";
import { WaitingThreads } from "./editor/threads/waitingThreads.ts";
import { registerCommands } from "./editor/commands/index.ts";
import { Connections } from "./editor/connections/connections.ts";
import { Destinations } from "./editor/destinations/destinations.ts";
import { ExportWatches } from "./editor/destinations/exportWatches.ts";
import { createDocuments } from "./editor/documents/index.ts";
import { Deployments } from "./editor/deployments/deployments.ts";
import { Inbox } from "./editor/threads/inbox.ts";
import { IssueWebhooks } from "./editor/issues/issueWebhooks.ts";
import { LocalDeliveries } from "./editor/issues/localDeliveries.ts";
import { LocalPlatform } from "./editor/localPlatform/localPlatform.ts";
import { Network } from "./editor/network/network.ts";
import { registerParquetEditor } from "./editor/parquet/parquetEditor.ts";
import { Platforms } from "./editor/connections/platforms.ts";
import { Report } from "./editor/kit/report.ts";
import { LazyRunPanels } from "./editor/runPanel/index.ts";
import type { Services } from "./editor/services.ts";
import { Sessions } from "./editor/threads/sessions.ts";
import { registerStatusBar } from "./editor/statusBar.ts";
import { ThreadHosts } from "./editor/threads/servers/threadHosts.ts";
import { ThreadListings } from "./editor/threads/threadListings.ts";
import { Threads } from "./editor/threads/threads.ts";
import { AuthAttempts } from "./editor/toolServers/authAttempts.ts";
import { ToolServers } from "./editor/toolServers/toolServers.ts";
import { Transport } from "./editor/connections/transport.ts";
import { createViews } from "./editor/views/index.ts";
import { RevisionWatches } from "./editor/deployments/revisionWatches.ts";

let shutdown: (() => Promise<unknown>) | undefined;

/** Gives the services to tests, and nothing to anybody else: they can read keys. */
export function activate(context: vscode.ExtensionContext): unknown {
  const services = createServices(context);
  shutdown = () => Promise.all([services.localPlatform.shutdown(), services.issueWebhooks.shutdown()]);
  const views = createViews(services);
  const panels = new LazyRunPanels(services);
  const documents = createDocuments(services);
  context.subscriptions.push(
    ...Object.values({ ...views, ...documents, panels }),
    registerCommands(services, async () => ({ views, panels: await panels.get(), ...documents })),
    registerStatusBar(services),
    registerParquetEditor(context.extensionUri),
  );
  if (context.extensionMode !== vscode.ExtensionMode.Test) return undefined;
  return { ...services, views, ...documents, panels };
}

/** Lets the Local Platform go: it ends when no other window uses it. Another window receives issues. */
export async function deactivate(): Promise<void> {
  await shutdown?.();
}

function createServices(context: vscode.ExtensionContext): Services {
  const { subscriptions, globalState } = context;
  const clock = { ...realClock };
  const log = vscode.window.createOutputChannel("Agent Operations", { log: true });
  const report = new Report(log);
  const localPlatform = new LocalPlatform(context, log, (error) => report.failure("Local Platform", error));
  const connections = new Connections(localPlatform);
  const apiKeys = new ApiKeys(context.secrets, globalState, localPlatform);
  const network = new Network();
  const transport = new Transport(connections, apiKeys, network, localPlatform);
  const platforms = new Platforms(connections, transport, localPlatform);
  const deployments = new Deployments(connections, platforms, context);
  const agentServers = new AgentServers(connections, transport, localPlatform, deployments, globalState);
  const threadHosts = new ThreadHosts(agentServers, platforms);
  const waitingThreads = new WaitingThreads();
  const threads = new Threads(threadHosts);
  const listed = { agentServers, threadHosts, threads, waitingThreads, context };
  const threadListings = new ThreadListings(listed);
  const sessions = new Sessions(listed);
  const inbox = new Inbox({ agentServers, connections, platforms, threads, waitingThreads });
  const agents = new Agents({ context, platforms, threads, waitingThreads });
  const issueWebhooks = new IssueWebhooks(context, log);
  const localDeliveries = new LocalDeliveries({ platforms, issueWebhooks, localPlatform, log });
  const activity = new ActivityLog();
  const destinations = new Destinations(platforms, globalState);
  const needs = { activity, clock, connections, context, deployments, destinations, platforms, report };
  const revisionWatches = new RevisionWatches(needs);
  const exportWatches = new ExportWatches(needs);
  const authAttempts = new AuthAttempts(needs);
  const toolServers = new ToolServers({ authAttempts, platforms });
  const base = { ...needs, log, apiKeys, network, transport, localPlatform, agentServers, threadHosts };
  const running = {
    threads,
    threadListings,
    sessions,
    waitingThreads,
    inbox,
    revisionWatches,
    exportWatches,
    authAttempts,
  };
  const own = { agents, toolServers, issueWebhooks, localDeliveries };
  subscriptions.push(transport.onExchange((exchange) => report.exchange(exchange)));
  subscriptions.push(log, localPlatform, connections, apiKeys, network, transport, deployments);
  subscriptions.push(activity, destinations, ...Object.values({ ...running, ...own }));
  return { ...base, ...running, ...own };
}
