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
  "src/run": { folders: [], typesOf: ["src/api"], files: ["src/api/retry.ts"], packages: ["jsonc-parser"] },
  "src/table": { folders: ["src/run"], packages: ["hyparquet"] },
  "src/webview": {
    folders: ["src/run"],
    typesOf: ["src/api", "src/table"],
    packages: ["preact", "react", "react-dom", "virtua", "marked"],
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
    packages: ["vscode", "jsonc-parser", "undici", "node:"],
  },
  "src/extension.ts": { folders: ["src/api", "src/editor"], packages: ["vscode", "node:"] },
  "src/main.ts": { folders: ["src/extension.ts"], packages: ["vscode", "node:"] },
};

/** The floors of src/editor from the ground up: a file imports from its own floor and from those below. */
export const floors: readonly (readonly string[])[] = [
  ["kit"],
  [
    "agents",
    "connections",
    "deployments",
    "destinations",
    "issues",
    "localPlatform",
    "network",
    "parquet",
    "threads",
    "toolServers",
  ],
  ["services.ts"],
  ["views", "documents", "runPanel", "statusBar.ts"],
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
    "agentStore",
    "agentUri",
  ],
  connections: ["apiKeys", "connections", "transport"],
  deployments: ["deployments", "revisionWatches"],
  "deployments/drafts": ["draftDiagnostics", "draftMemory", "newDraft"],
  destinations: ["destinations", "exportWatches"],
  issues: ["issueSubscriptions", "issueWebhooks", "localDeliveries"],
  kit: ["activityLog", "commands", "fileExists", "notice", "report", "webviewPage"],
  "kit/ask": ["clipboard", "form", "pagedChoice", "questions", "typedChoice"],
  "kit/tree": ["branchNode", "factsTooltip", "failureNode", "moreNode", "nodeTree", "rowItem"],
  localPlatform: ["localPlatform"],
  network: ["network"],
  parquet: ["parquetEditor"],
  threads: ["inbox", "threadListings", "threads", "waitingThreads"],
  "threads/servers": ["agentServers", "chatBackends"],
  toolServers: ["authAttempts", "toolServers"],
};

/** The most source files that lie flat in one folder. */
export const most = 20;

/** Folders that the extension loads when they are first used, with those of their files that its start needs. */
export const usedLater: Readonly<Record<string, readonly string[]>> = {
  // Errors and rules that models and rows know; no client.
  "src/api/": [
    "bulkExports/bulkExport.ts",
    "capabilities.ts",
    "controlPlane/status.ts",
    "errors.ts",
    "issueWebhooks/event.ts",
    "issueWebhooks/signature.ts",
    "pagination.ts",
    "poll.ts",
    "retry.ts",
    "shape.ts",
    "threadProtocol/wire.ts",
  ],
  "src/editor/commands/": ["index.ts"],
  "src/editor/kit/ask/": ["clipboard.ts", "meant.ts"],
  "src/editor/runPanel/": ["index.ts"],
  "src/run/panel/": [],
  "src/run/raw/": [],
  "src/run/session/": ["server.ts"],
  "src/table/": [],
};
