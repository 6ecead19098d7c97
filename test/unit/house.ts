/** The rules of the house that the layers test holds the source to. */

/** What a folder may import: our folders, and packages by name ("node:" stands for all of Node). */
export interface Layer {
  readonly folders: readonly string[];
  /** Folders of which only types may be imported. */
  readonly typesOf?: readonly string[];
  /** Single files of those whose values may be imported, too. */
  readonly files?: readonly string[];
  readonly packages: readonly string[];
}

/** Every folder of the source, and what it may import. */
export const layers: Readonly<Record<string, Layer>> = {
  "src/api": { folders: [], packages: ["undici", "eventsource-parser", "node:"] },
  // When to try again is decided in one place; the file imports only types, and so brings in no network library.
  "src/run": {
    folders: [],
    typesOf: ["src/api"],
    files: ["src/api/retry.ts"],
    packages: ["jsonc-parser", "@cfworker/json-schema"],
  },
  "src/table": { folders: ["src/run"], packages: ["hyparquet"] },
  "src/webview": {
    folders: ["src/run"],
    typesOf: ["src/api", "src/table"],
    packages: [
      "preact",
      "react",
      "react-dom",
      "@dagrejs/dagre",
      "virtua",
      "marked",
      "@codemirror/legacy-modes",
      "@codemirror/streamparser",
    ],
  },
  "src/emulator": {
    folders: [],
    packages: [
      "@aws-sdk/client-s3",
      "@hono/node-server",
      "@modelcontextprotocol/sdk",
      "hono",
      "hyparquet-writer",
      "oauth4webapi",
      "zod",
      "node:",
    ],
  },
  "src/editor": {
    folders: ["src/api", "src/run", "src/table"],
    packages: [
      "vscode",
      "@aws-sdk/client-s3",
      "@lezer/common",
      "@lezer/javascript",
      "@lezer/python",
      "jsonc-parser",
      "undici",
      "node:",
    ],
  },
  "src/extension.ts": { folders: ["src/api", "src/editor"], packages: ["vscode", "node:"] },
  "src/main.ts": { folders: ["src/extension.ts"], packages: ["vscode", "node:"] },
};

/** The floors of src/editor from the ground up: a file imports from its own floor and from those below. */
export const floors: readonly (readonly string[])[] = [
  ["kit"],
  [
    "agents",
    "audit",
    "bulk",
    "connections",
    "debugging",
    "deployments",
    "destinations",
    "failures",
    "graphSources",
    "inbox",
    "issues",
    "localPlatform",
    "network",
    "parquet",
    "threads",
    "toolServers",
    "workspaceGraphs",
  ],
  ["services.ts"],
  ["views", "documents", "runPanel", "comparisons"],
  ["commands"],
];

/**
 * The files of the kit and of the models that need `vscode`, themselves or by what they import, by folder below
 * src/editor. All others load in plain Node, so that a test without an editor can use them.
 */
export const needVscode: Readonly<Record<string, readonly string[]>> = {
  agents: ["agents"],
  "agents/files": [
    "agentConflicts",
    "agentFileSystem",
    "agentFiles",
    "agentFolder",
    "folderWrite",
    "guardedWrite",
    "agentStore",
    "agentUri",
  ],
  audit: ["auditLog"],
  bulk: ["agreement", "bulkChanges"],
  connections: [
    "apiKeys",
    "connectionFindings",
    "connections",
    "guard",
    "hiddenConnections",
    "mark",
    "transport",
  ],
  debugging: ["attachConfiguration", "attachedSessions", "graphDebugger", "registration"],
  deployments: ["deployments", "revisionWatches"],
  "deployments/drafts": ["draftDiagnostics", "draftMemory", "newDraft"],
  destinations: ["credentials", "destinations", "exportWatches"],
  failures: ["failures"],
  inbox: ["everyConnection", "inbox"],
  issues: ["issueSubscriptions", "issueWebhooks", "localDeliveries"],
  kit: ["activityLog", "commands", "contexts", "notice", "report", "webviewPage", "workspaceFiles"],
  "kit/ask": ["clipboard", "form", "pagedChoice", "questions", "sentForm", "typedChoice"],
  "kit/tree": ["branchNode", "factsTooltip", "failureNode", "moreNode", "nodeTree", "rowItem"],
  localPlatform: ["localPlatform"],
  network: ["network"],
  parquet: ["bucketFiles", "parquetEditor"],
  threads: ["threadListings", "threads", "waitingThreads"],
  "threads/course": ["courseChange"],
  "threads/servers": ["agentServers", "chatBackends"],
  toolServers: ["authAttempts", "toolServers"],
  workspaceGraphs: ["graphAddress", "graphProject", "startGraphs", "startupProblems", "workspaceGraphs"],
};

/** The most source files that lie flat in one folder. */
export const most = 20;

/** The most lines of a source file. */
export const mostLines = 300;

/** A file of up to so many lines is short: where one other file imports it, it is a part of that file. */
export const shortLines = 40;

/** Short files that stay by themselves, since they are a boundary: to routes, to sockets, to what a page loads later. */
export const boundaries: readonly string[] = [
  "src/emulator/http/upgrades.ts",
  "src/emulator/mcp/service.ts",
  "src/emulator/routes/agentServer/meta.ts",
  "src/emulator/routes/controlPlane/authTokens.ts",
  "src/webview/kit/loadedLater.tsx",
];

/**
 * All that is loaded before something of ours is used: what registers commands, views, documents and panels with the
 * editor, the status bar, words for failures, and of the models those of the core (`Core` in services.ts): connections,
 * the Local Platform, the workspace's graphs, how many threads wait. No other model, no client, no row.
 */
export const atStart: readonly string[] = [
  "src/api/advice.ts",
  "src/api/errors.ts",
  "src/api/shape.ts",
  "src/editor/commands/index.ts",
  "src/editor/connections/connection.ts",
  "src/editor/connections/connectionSettings.ts",
  "src/editor/connections/connections.ts",
  "src/editor/connections/guard.ts",
  "src/editor/connections/mark.ts",
  "src/editor/connections/serverRef.ts",
  "src/editor/debugging/registration.ts",
  "src/editor/documents/connectionMarks.ts",
  "src/editor/documents/index.ts",
  "src/editor/documents/router.ts",
  "src/editor/kit/activityLog.ts",
  "src/editor/kit/ask/meant.ts",
  "src/editor/kit/contexts.ts",
  "src/editor/kit/ids.ts",
  "src/editor/kit/keptList.ts",
  "src/editor/kit/later.ts",
  "src/editor/kit/notice.ts",
  "src/editor/kit/remedies.ts",
  "src/editor/kit/remembered.ts",
  "src/editor/kit/report.ts",
  "src/editor/kit/startStop.ts",
  "src/editor/kit/words.ts",
  "src/editor/localPlatform/localPlatform.ts",
  "src/editor/threads/waitingThreads.ts",
  "src/editor/views/index.ts",
  "src/editor/views/platform/laterView.ts",
  "src/editor/views/statusBar.ts",
  "src/editor/workspaceGraphs/debugStates.ts",
  "src/editor/workspaceGraphs/graphProject.ts",
  "src/editor/workspaceGraphs/workspaceGraphs.ts",
  "src/extension.ts",
];
