/** Every identifier that package.json contributes; the manifest test holds the two together. */

/** The commands of each noun, by the last part of their ids. */
const VERBS = {
  connection: [
    ...(["add", "edit", "remove", "switchDefault", "setApiKey", "clearApiKey", "test", "actions"] as const),
    ...(["hide", "showOnly", "showAll"] as const),
  ],
  localPlatform: ["start", "stop"],
  deployments: ["refresh", "find", "filter", "clearFilter", "loadMore"],
  deployment: [
    "addById",
    "removeFromList",
    "delete",
    "openConsole",
    "copyId",
    "copyUrl",
    "allowKey",
    "create",
    "draft",
    "edit",
    "promote",
    "send",
  ],
  revision: ["redeploy", "redeployPrevious", "compare", "draft", "interrupt", "copyId", "watch", "openLog"],
  revisions: ["loadMore"],
  bulk: ["begin", "repairThreads", "stopRuns", "deleteThreads", "goOn", "openReport"],
  token: ["check"],
  comparison: ["begin", "select", "withSelected", "sendInput"],
  threads: ["search", "filter", "clearFilter", "toggleGrouping", "loadMore"],
  thread: [
    "new",
    "open",
    "rename",
    "delete",
    "copyId",
    "openState",
    "openEarlierState",
    "repair",
    "continueInCopy",
    "clone",
    "search",
    "goToRun",
    "nextError",
    "nextQuestion",
    "timeline",
  ],
  run: [
    "actions",
    "again",
    "againInNewThread",
    "copyId",
    "copyCurl",
    "copyTypeScript",
    "copyPython",
    "openTrace",
  ],
  input: ["save", "open"],
  agents: ["refresh", "filter", "sort", "clearFilter", "loadMore"],
  agent: [
    "create",
    "edit",
    "clone",
    "delete",
    "checkHealth",
    "copyId",
    "newThread",
    "newTestThread",
    "runInBackground",
    "openFile",
    "newFile",
    "addFolder",
    "pull",
    "push",
    "compare",
    "compareWith",
    "promote",
  ],
  agentThreads: ["filter", "search", "clearFilter", "loadMore"],
  agentThread: ["pin", "unpin", "change", "runInBackground"],
  inbox: [
    ...(["refresh", "loadMore", "group", "filter", "clearFilter", "preview", "next"] as const),
    ...(["approve", "reject", "respond", "continue", "answer", "dismiss"] as const),
  ],
  runPanel: ["focusComposer", "focusLastMessage", "stop"],
  failures: ["refresh", "markAllRead"],
  failure: ["markRead", "copy"],
  destinations: ["refresh"],
  destination: ["create", "newDraft", "createFromDraft", "rotateCredentials", "copyId", "forget"],
  exportJob: ["create", "watch", "cancel", "copyId"],
  exportRun: ["copyFiles", "openFile"],
  issues: ["receive", "stopReceiving", "markAllRead", "subscribeLocalPlatform", "reportSample"],
  issue: ["show", "openEvents", "openLink", "openThread", "cloneThread", "markRead", "remove"],
  webhook: ["add", "copyUrl", "setSecret", "rollSecret", "remove", "verifyDelivery", "sendSample", "explain"],
  revisionLog: ["follow", "pause", "filter"],
  activity: ["cancel", "clear"],
  agentFile: ["overwrite", "takeTheirs"],
  toolServers: ["refresh", "useTools", "clearPicks"],
  toolServer: [
    "register",
    "edit",
    "rotateHeaders",
    "delete",
    "registerProvider",
    "connect",
    "cancelConnect",
    "copyAddress",
    "openAddress",
    "loadTools",
  ],
  tool: ["togglePick", "openSchema"],
  graphs: [
    ...(["start", "stop", "restart", "openLog", "openFile"] as const),
    ...(["debug", "pauseOnExceptions", "doNotPauseOnExceptions", "save", "deploy", "useRunning"] as const),
  ],
  graph: ["run", "debug", "open"],
  node: ["runTo", "debug"],
  log: ["show"],
  audit: ["open", "export"],
} as const;

/** What commands are about, the middle of their ids. */
export type Noun = keyof typeof VERBS;

/** The ids of a noun's commands. */
export type CommandIdOf<N extends Noun> = {
  [Name in N]: `agentOperations.${Name}.${(typeof VERBS)[Name][number]}`;
}[N];

/** The id of a command. */
export type CommandId = CommandIdOf<Noun>;

/** The ids of all commands. */
export const COMMANDS = Object.entries(VERBS).flatMap(([noun, verbs]) =>
  verbs.map((verb) => `agentOperations.${noun}.${verb}` as CommandId),
);

/** The container of our views in the activity bar. */
export const VIEW_CONTAINER = "agentOperations";

/** The views in it, from top to bottom. */
export const VIEWS = {
  deployments: "agentOperations.deployments",
  agents: "agentOperations.agents",
  inbox: "agentOperations.inbox",
  failures: "agentOperations.failures",
  destinations: "agentOperations.destinations",
  issues: "agentOperations.issues",
  activity: "agentOperations.activity",
  toolServers: "agentOperations.toolServers",
} as const;

/** The type of the run panel, under which the editor restores it. */
export const RUN_PANEL = "agentOperations.runPanel";

/** The type of the panels that compare runs and threads. */
export const COMPARISON_PANEL = "agentOperations.comparison";

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
  issuesUrgent: "issues.urgentNotification",
  deploymentsPageSize: "deployments.pageSize",
  awsProfile: "exports.awsProfile",
  bulkAtOnce: "bulk.atOnce",
  prices: "prices",
  graphsCodeLens: "graphs.codeLens",
  failuresBadge: "failures.badge",
  failuresStuckMinutes: "failures.stuckMinutes",
  watchDeadlineMinutes: "watch.deadlineMinutes",
} as const;

/** The type of the debug configurations that name graphs of the workspace. */
export const DEBUG_TYPE = "agentGraphs";

/** What all our settings begin with. */
export const SECTION = "agentOperations";

/** Context keys that menus and welcome views read. */
export const CONTEXTS = {
  /** Why the Deployments view is empty: see `EmptyReason` in views/deployments/emptyReason.ts. */
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
  /** Why the inbox is empty: `noConnection`, `nothing`, `filtered`, or `unknown` before the first poll. */
  inboxEmpty: "agentOperations.inboxEmpty",
  /** Some connections have no rows. */
  connectionsHidden: "agentOperations.connectionsHidden",
  /** There are connections, and none to a platform: views of what only platforms have are not shown. */
  noPlatform: "agentOperations.noPlatform",
  /**
   * Steps of the walkthroughs end with these: a platform was connected in this window, a connection was protected,
   * the Local Platform ran.
   */
  connects: "agentOperations.connects",
  protects: "agentOperations.protects",
  localPlatformRan: "agentOperations.localPlatformRan",
  /** What the row of the only platform says to menus where it is left out; empty where platforms have rows. */
  onlyPlatform: "agentOperations.onlyPlatform",
  /** Waiting threads are left out of the inbox. */
  inboxFiltered: "agentOperations.inboxFiltered",
  /** Why the Failures view is empty: `noConnection`, `nothing`, or `unknown` before the first poll. */
  failuresEmpty: "agentOperations.failuresEmpty",
  /** There are failures that nobody has marked as read. */
  failuresUnread: "agentOperations.failuresUnread",
  /** A run streams to the panel in front, and its server has a way to stop it. */
  runPanelStoppable: "agentOperations.runPanelStoppable",
  /** Whose the thread of the panel in front is: "managed" or "server"; unset until its first run makes one. */
  runPanelThread: "agentOperations.runPanelThread",
  /** The thread of the panel in front may have earlier states to choose from. */
  runPanelHistory: "agentOperations.runPanelHistory",
  /** The course of that thread can be changed. */
  runPanelRepairable: "agentOperations.runPanelRepairable",
  /** A thread was repaired in this window, or run again from a step. */
  courseChanged: "agentOperations.courseChanged",
  /** A run or a thread is selected to be compared with another one. */
  comparisonSelected: "agentOperations.comparisonSelected",
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
  /** The workspace has graphs. */
  hasGraphs: "agentOperations.hasGraphs",
  /** A debugger is attached to one of their servers. */
  graphsDebugged: "agentOperations.graphsDebugged",
  /** A debugger has paused that server. */
  graphsHeld: "agentOperations.graphsHeld",
} as const;

/** Virtual documents: each kind has paths of its own, see documents/router.ts. */
export const SCHEME = "agent-operations";

/** Managed agents as folders of files. */
export const AGENT_SCHEME = "agent-operations-agent";

/** States of threads as files that can be written. */
export const STATE_SCHEME = "agent-operations-state";

/** How the names of deployments' drafts end; their JSON schema is bound to it. */
export const DRAFT_SUFFIX = ".deployment.json";

/** How the names of saved inputs end; their JSON schema is bound to it. */
export const INPUT_SUFFIX = ".agentinput.json";
