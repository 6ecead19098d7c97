/** Every kind of document, virtual or not: known to the editor at once, and loaded with the first of its kind. */

import * as vscode from "vscode";
import type { AgentFiles } from "../agents/files/agentFiles.ts";
import { AGENT_SCHEME, DRAFT_SUFFIX, INPUT_SUFFIX, SECTION, SETTINGS, STATE_SCHEME } from "../kit/ids.ts";
import { Later, type LaterPart, type Made } from "../kit/later.ts";
import type { Services } from "../services.ts";
import type { AuditDocument } from "./auditDocument.ts";
import type { BulkReports } from "./bulkReports.ts";
import type { ConnectionReports } from "./connectionReports.ts";
import type { GraphFiles } from "./graphs/graphFiles.ts";
import type { GraphLogs } from "./graphLogs.ts";
import type { NodeLenses } from "./graphs/nodeLenses.ts";
import type { DeploymentDrafts } from "./deploymentDrafts.ts";
import type { InputFiles } from "./inputFiles.ts";
import type { IssueDocuments } from "./issueDocuments.ts";
import type { RevisionLogs } from "./revisionLogs.ts";
import { serveDocuments } from "./router.ts";
import type { ServerDeployments } from "./serverDeployments.ts";
import type { ServerRevisions } from "./serverRevisions.ts";
import type { StateEdits } from "./stateEdits/stateEdits.ts";
import type { ThreadStateDocuments } from "./threadStates.ts";
import type { ToolSchemaDocuments } from "./toolSchemas.ts";
import type { WaitingThreadDocuments } from "./waitingThreads.ts";
import type { WorkspaceGraphs } from "../workspaceGraphs/workspaceGraphs.ts";

/** The kinds of documents before there is one. */
export interface LaterDocuments {
  readonly states: Later<ThreadStateDocuments>;
  readonly waiting: Later<WaitingThreadDocuments>;
  readonly reports: Later<ConnectionReports>;
  readonly issueDocuments: Later<IssueDocuments>;
  readonly toolSchemas: Later<ToolSchemaDocuments>;
  readonly agentFiles: Later<AgentFiles>;
  readonly stateEdits: Later<StateEdits>;
  readonly logs: Later<RevisionLogs>;
  readonly servers: Later<ServerDeployments>;
  readonly revisions: Later<ServerRevisions>;
  readonly drafts: Later<DeploymentDrafts>;
  readonly auditLog: Later<AuditDocument>;
  readonly bulkReports: Later<BulkReports>;
  readonly graphFiles: Later<GraphFiles>;
  readonly graphLogs: Later<GraphLogs>;
  readonly inputFiles: Later<InputFiles>;
  readonly nodeLenses: Later<NodeLenses>;
}

/** The kinds of documents, for commands that open them. */
export type Documents = Made<LaterDocuments>;

/** Registers them; they answer the editor as long as the extension does. */
export function createDocuments(
  services: Later<Services>,
  { subscriptions }: Pick<vscode.ExtensionContext, "subscriptions">,
  graphs: WorkspaceGraphs,
): LaterDocuments {
  const later = <Part extends LaterPart>(make: (made: Services) => Promise<Part>): Later<Part> =>
    new Later(async () => make(await services.get()));
  const documents: LaterDocuments = {
    states: later(async (made) => {
      const { registerStateLens, ThreadStateDocuments } = await import("./threadStates.ts");
      const states = new ThreadStateDocuments(made);
      subscriptions.push(registerStateLens(states));
      return states;
    }),
    waiting: later(async (made) => new (await import("./waitingThreads.ts")).WaitingThreadDocuments(made)),
    reports: new Later(async () => new (await import("./connectionReports.ts")).ConnectionReports()),
    issueDocuments: new Later(async () => new (await import("./issueDocuments.ts")).IssueDocuments()),
    logs: later(async (made) => {
      const { registerLogLens, RevisionLogs } = await import("./revisionLogs.ts");
      const logs = new RevisionLogs(made);
      subscriptions.push(registerLogLens(logs));
      return logs;
    }),
    toolSchemas: later(async (made) => new (await import("./toolSchemas.ts")).ToolSchemaDocuments(made)),
    servers: later(async (made) => new (await import("./serverDeployments.ts")).ServerDeployments(made)),
    revisions: later(async (made) => new (await import("./serverRevisions.ts")).ServerRevisions(made)),
    drafts: later(async (made) => new (await import("./deploymentDrafts.ts")).DeploymentDrafts(made)),
    graphFiles: later(async (made) => new (await import("./graphs/graphFiles.ts")).GraphFiles(made)),
    graphLogs: later(async (made) => new (await import("./graphLogs.ts")).GraphLogs(made)),
    inputFiles: later(async (made) => new (await import("./inputFiles.ts")).InputFiles(made)),
    nodeLenses: later(async (made) => new (await import("./graphs/nodeLenses.ts")).NodeLenses(made)),
    auditLog: later(async (made) => new (await import("./auditDocument.ts")).AuditDocument(made)),
    bulkReports: later(async (made) => new (await import("./bulkReports.ts")).BulkReports(made)),
    stateEdits: later(async (made) => {
      const { StateEdits } = await import("./stateEdits/stateEdits.ts");
      const edits = new StateEdits(made);
      subscriptions.push((await import("./stateEdits/stateEditMarks.ts")).markStateEdits(edits));
      return edits;
    }),
    agentFiles: later(async (made) => new (await import("../agents/files/agentFiles.ts")).AgentFiles(made)),
  };
  subscriptions.push(
    ...Object.values({ ...documents }),
    serveDocuments([
      [/^\/connection-test\//, documents.reports],
      [/^\/issue-webhooks\//, documents.issueDocuments],
      [/^\/tool-schemas\//, documents.toolSchemas],
      [/^\/audit\//, documents.auditLog],
      [/^\/bulk\//, documents.bulkReports],
      [/^\/graphs\/[^/]+\/[^/]+\.log$/, documents.graphLogs],
      [/^\/[^/]+\/deployments\/[^/]+\/revisions\/[^/]+\/(build|deploy)\/[^/]+\.log$/, documents.logs],
      [/^\/[^/]+\/deployments\/[^/]+\/[^/]+\.deployment\.json$/, documents.servers],
      [/^\/[^/]+\/deployments\/[^/]+\/revisions\/[^/]+\/[^/]+\.json$/, documents.revisions],
      [/^\/[^/]+\/[^/]+\/threads\/[^/]+\/states?\/.+\.json$/, documents.states],
      [/^\/[^/]+\/[^/]+\/threads\/[^/]+\/waiting\/[^/]+\.txt$/, documents.waiting],
    ]),
    makeWith({ pattern: `**/*${DRAFT_SUFFIX}` }, documents.drafts),
    makeWith({ pattern: `**/*${INPUT_SUFFIX}` }, documents.inputFiles),
    makeWith({ scheme: "file", pattern: "**/langgraph.json" }, documents.graphFiles),
    makeWith({ scheme: "file", pattern: "**/agents/**/{agent,tools}.json" }, documents.agentFiles),
    serveNodeLenses(documents.nodeLenses, graphs),
    serveAgentFiles(documents.agentFiles),
    serveStateEdits(documents.stateEdits),
  );
  return documents;
}

/** Makes the part as soon as such a document is open. */
function makeWith(selector: vscode.DocumentSelector, part: Later<LaterPart>): vscode.Disposable {
  const check = (document: vscode.TextDocument): void => {
    if (vscode.languages.match(selector, document) > 0) void part.get();
  };
  vscode.workspace.textDocuments.forEach(check);
  return vscode.workspace.onDidOpenTextDocument(check);
}

/** Lenses of nodes: sources that belong to no graphs load nothing. */
function serveNodeLenses(lenses: Later<NodeLenses>, graphs: WorkspaceGraphs): vscode.Disposable {
  const changed = new vscode.EventEmitter<void>();
  void lenses.made.then(({ onDidChange }) => onDidChange(() => changed.fire()));
  return vscode.Disposable.from(
    changed,
    // As long as there are no lenses, projects may be found.
    graphs.onDidChange(() => changed.fire()),
    vscode.languages.registerCodeLensProvider(
      { scheme: "file", pattern: "**/*.{ts,tsx,mts,cts,js,jsx,mjs,cjs,py}" },
      {
        onDidChangeCodeLenses: changed.event,
        provideCodeLenses: async (document, token) => {
          const settings = vscode.workspace.getConfiguration(SECTION, document);
          const isWanted = settings.get<boolean>(SETTINGS.graphsCodeLens, true);
          if (!isWanted || graphs.projectOf(document.uri) === undefined) return [];
          return (await lenses.get()).of(document, token);
        },
      },
    ),
  );
}

/** Managed agents as folders: what the editor asks of them is answered by their own part. */
function serveAgentFiles(agentFiles: Later<AgentFiles>): vscode.Disposable {
  const changed = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
  void agentFiles.made.then(({ files }) => files.onDidChangeFile((changes) => changed.fire([...changes])));
  const files = async (): Promise<AgentFiles["files"]> => (await agentFiles.get()).files;
  const provider: vscode.FileSystemProvider = {
    onDidChangeFile: changed.event,
    watch: () => new vscode.Disposable(() => undefined),
    stat: async (uri) => (await files()).stat(uri),
    readDirectory: async (uri) => (await files()).readDirectory(uri),
    readFile: async (uri) => (await files()).readFile(uri),
    writeFile: async (uri, content, options) => (await agentFiles.get()).save(uri, content, options),
    createDirectory: async (uri) => (await files()).createDirectory(uri),
    delete: async (uri) => (await files()).delete(uri),
    rename: async (from, to) => (await files()).rename(from, to),
  };
  return vscode.Disposable.from(
    changed,
    vscode.workspace.registerFileSystemProvider(AGENT_SCHEME, provider, { isCaseSensitive: true }),
  );
}

/** States that can be written, each a file in a folder that nobody lists. */
function serveStateEdits(stateEdits: Later<StateEdits>): vscode.Disposable {
  const changed = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
  const refuse = (uri: vscode.Uri): never => {
    throw vscode.FileSystemError.NoPermissions(uri);
  };
  const provider: vscode.FileSystemProvider = {
    onDidChangeFile: changed.event,
    watch: () => new vscode.Disposable(() => undefined),
    stat: async (uri) => (await stateEdits.get()).stat(uri),
    readFile: async (uri) => (await stateEdits.get()).readFile(uri),
    writeFile: async (uri, content) => (await stateEdits.get()).writeFile(uri, content),
    readDirectory: () => [],
    createDirectory: refuse,
    delete: refuse,
    rename: refuse,
  };
  return vscode.Disposable.from(
    changed,
    vscode.workspace.registerFileSystemProvider(STATE_SCHEME, provider, { isCaseSensitive: true }),
  );
}
