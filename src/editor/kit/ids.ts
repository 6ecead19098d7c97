/** Every identifier that package.json contributes; the manifest test holds the two together. */

/** The ids of all commands. */
export const COMMANDS = [
  "agentOperations.connection.add",
  "agentOperations.connection.edit",
  "agentOperations.connection.remove",
  "agentOperations.connection.switchDefault",
  "agentOperations.connection.setApiKey",
  "agentOperations.connection.clearApiKey",
  "agentOperations.connection.test",
  "agentOperations.connection.actions",
  "agentOperations.localPlatform.start",
  "agentOperations.localPlatform.stop",
  "agentOperations.deployments.refresh",
  "agentOperations.deployments.find",
  "agentOperations.deployments.filter",
  "agentOperations.deployments.clearFilter",
  "agentOperations.deployments.loadMore",
  "agentOperations.deployment.addById",
  "agentOperations.deployment.removeFromList",
  "agentOperations.deployment.delete",
  "agentOperations.deployment.openConsole",
  "agentOperations.deployment.copyId",
  "agentOperations.deployment.copyUrl",
  "agentOperations.deployment.allowKey",
  "agentOperations.revision.redeploy",
  "agentOperations.revision.interrupt",
  "agentOperations.revision.copyId",
  "agentOperations.revisions.loadMore",
  "agentOperations.token.check",
  "agentOperations.threads.search",
  "agentOperations.threads.filter",
  "agentOperations.threads.clearFilter",
  "agentOperations.threads.toggleGrouping",
  "agentOperations.threads.loadMore",
  "agentOperations.thread.new",
  "agentOperations.thread.open",
  "agentOperations.thread.rename",
  "agentOperations.thread.delete",
  "agentOperations.thread.copyId",
  "agentOperations.thread.openState",
  "agentOperations.thread.openEarlierState",
  "agentOperations.agents.refresh",
  "agentOperations.agents.filter",
  "agentOperations.agents.sort",
  "agentOperations.agents.clearFilter",
  "agentOperations.agents.loadMore",
  "agentOperations.agent.create",
  "agentOperations.agent.edit",
  "agentOperations.agent.clone",
  "agentOperations.agent.delete",
  "agentOperations.agent.checkHealth",
  "agentOperations.agent.copyId",
  "agentOperations.agent.newThread",
  "agentOperations.agent.newTestThread",
  "agentOperations.agent.runInBackground",
  "agentOperations.agentThreads.filter",
  "agentOperations.agentThreads.search",
  "agentOperations.agentThreads.clearFilter",
  "agentOperations.agentThreads.loadMore",
  "agentOperations.agentThread.pin",
  "agentOperations.agentThread.unpin",
  "agentOperations.agentThread.change",
  "agentOperations.agentThread.runInBackground",
  "agentOperations.inbox.refresh",
  "agentOperations.inbox.loadMore",
  "agentOperations.inbox.approve",
  "agentOperations.inbox.reject",
  "agentOperations.inbox.answer",
  "agentOperations.inbox.dismiss",
  "agentOperations.runPanel.focusComposer",
  "agentOperations.runPanel.focusLastMessage",
  "agentOperations.runPanel.stop",
  "agentOperations.destinations.refresh",
  "agentOperations.destination.create",
  "agentOperations.destination.newDraft",
  "agentOperations.destination.createFromDraft",
  "agentOperations.destination.rotateCredentials",
  "agentOperations.destination.copyId",
  "agentOperations.destination.forget",
  "agentOperations.exportJob.create",
  "agentOperations.exportJob.watch",
  "agentOperations.exportJob.cancel",
  "agentOperations.exportJob.copyId",
  "agentOperations.exportRun.copyFiles",
  "agentOperations.issues.receive",
  "agentOperations.issues.stopReceiving",
  "agentOperations.issues.markAllRead",
  "agentOperations.issues.subscribeLocalPlatform",
  "agentOperations.issues.reportSample",
  "agentOperations.issue.show",
  "agentOperations.issue.openEvents",
  "agentOperations.issue.openLink",
  "agentOperations.issue.openThread",
  "agentOperations.issue.markRead",
  "agentOperations.issue.remove",
  "agentOperations.webhook.add",
  "agentOperations.webhook.copyUrl",
  "agentOperations.webhook.setSecret",
  "agentOperations.webhook.rollSecret",
  "agentOperations.webhook.remove",
  "agentOperations.webhook.verifyDelivery",
  "agentOperations.webhook.sendSample",
  "agentOperations.webhook.explain",
  "agentOperations.deployment.create",
  "agentOperations.deployment.draft",
  "agentOperations.deployment.edit",
  "agentOperations.deployment.send",
  "agentOperations.revision.watch",
  "agentOperations.revision.openLog",
  "agentOperations.revisionLog.follow",
  "agentOperations.revisionLog.pause",
  "agentOperations.revisionLog.filter",
  "agentOperations.activity.cancel",
  "agentOperations.activity.clear",
  "agentOperations.agent.openFile",
  "agentOperations.agent.addFolder",
  "agentOperations.agent.pull",
  "agentOperations.agent.push",
  "agentOperations.agent.compare",
  "agentOperations.agentFile.overwrite",
  "agentOperations.agentFile.takeTheirs",
  "agentOperations.toolServers.refresh",
  "agentOperations.toolServers.useTools",
  "agentOperations.toolServers.clearPicks",
  "agentOperations.toolServer.register",
  "agentOperations.toolServer.edit",
  "agentOperations.toolServer.rotateHeaders",
  "agentOperations.toolServer.delete",
  "agentOperations.toolServer.registerProvider",
  "agentOperations.toolServer.connect",
  "agentOperations.toolServer.cancelConnect",
  "agentOperations.toolServer.copyAddress",
  "agentOperations.toolServer.openAddress",
  "agentOperations.toolServer.loadTools",
  "agentOperations.tool.togglePick",
  "agentOperations.tool.openSchema",
  "agentOperations.log.show",
] as const;

/** The id of a command. */
export type CommandId = (typeof COMMANDS)[number];

/** The container of our views in the activity bar. */
export const VIEW_CONTAINER = "agentOperations";

/** The views in it, from top to bottom. */
export const VIEWS = {
  deployments: "agentOperations.deployments",
  agents: "agentOperations.agents",
  inbox: "agentOperations.inbox",
  destinations: "agentOperations.destinations",
  issues: "agentOperations.issues",
  activity: "agentOperations.activity",
  toolServers: "agentOperations.toolServers",
} as const;

/** The type of the run panel, under which the editor restores it. */
export const RUN_PANEL = "agentOperations.runPanel";

/** The custom editor of Parquet files. */
export const PARQUET_EDITOR = "agentOperations.parquet";

/** Settings below the section `agentOperations`. */
export const SETTINGS = {
  connections: "connections",
  defaultConnection: "defaultConnection",
  localPlatformAutoStart: "localPlatform.autoStart",
  threadsPageSize: "threads.pageSize",
  refreshSeconds: "refreshSeconds",
  issuesPort: "issues.port",
  watchDeadlineMinutes: "watch.deadlineMinutes",
} as const;

/** What all our settings begin with. */
export const SECTION = "agentOperations";

/** Context keys that menus and welcome views read. */
export const CONTEXTS = {
  /** Why the Deployments view is empty: see `EmptyReason` in views/deployments/deploymentsTree.ts. */
  deploymentsEmpty: "agentOperations.deploymentsEmpty",
  /** Why the destinations view is empty: see `PlatformViewOptions.emptyContext`. */
  destinationsEmpty: "agentOperations.destinationsEmpty",
  /** Threads are left out of the Deployments view. */
  threadsFiltered: "agentOperations.threadsFiltered",
  /** Deployments are left out of it. */
  deploymentsFiltered: "agentOperations.deploymentsFiltered",
  /** "nothing" as long as nothing was received and nobody receives. */
  issuesEmpty: "agentOperations.issuesEmpty",
  /** Why the agents view is empty: `noPlatform`, `stopped`, `noAgents` or `filtered`. */
  agentsEmpty: "agentOperations.agentsEmpty",
  /** Whether agents are filtered or in another order than the platform's own. */
  agentsArranged: "agentOperations.agentsArranged",
  /** Why the inbox is empty: `noConnection`, `nothing`, or `unknown` before the first poll. */
  inboxEmpty: "agentOperations.inboxEmpty",
  /** A run streams to the panel in front, and its server has a way to stop it. */
  runPanelStoppable: "agentOperations.runPanelStoppable",
  /** Whose the thread of the panel in front is: "managed" or "server"; unset until its first run makes one. */
  runPanelThread: "agentOperations.runPanelThread",
  /** The thread of the panel in front may have earlier states to choose from. */
  runPanelHistory: "agentOperations.runPanelHistory",
  /** The log in front goes on to be fetched. */
  logFollowed: "agentOperations.logFollowed",
  /** There are operations that ended. */
  activityEnded: "agentOperations.activityEnded",
  /** Why the Tool Servers view is empty: `noPlatform`, `stopped` or `noToolServer`. */
  toolServersEmpty: "agentOperations.toolServersEmpty",
  /** The files of agents that were changed here and on the platform. */
  agentFileConflicts: "agentOperations.agentFileConflicts",
  /** Tools are ticked in the Tool Servers view. */
  toolsPicked: "agentOperations.toolsPicked",
} as const;

/** Virtual documents: each kind has paths of its own, see documents/router.ts. */
export const SCHEME = "agent-operations";

/** Managed agents as folders of files. */
export const AGENT_SCHEME = "agent-operations-agent";
