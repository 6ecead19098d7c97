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
  const documents: LaterDocuments = {
    states: new Later(async () => {
      const { registerStateLens, ThreadStateDocuments } = await import("./threadStates.ts");
      const states = new ThreadStateDocuments(await services.get());
      subscriptions.push(registerStateLens(states));
      return states;
    }),
    waiting: new Later(async () => {
      const { WaitingThreadDocuments } = await import("./waitingThreads.ts");
      return new WaitingThreadDocuments(await services.get());
    }),
    reports: new Later(async () => new (await import("./connectionReports.ts")).ConnectionReports()),
    issueDocuments: new Later(async () => new (await import("./issueDocuments.ts")).IssueDocuments()),
    logs: new Later(async () => {
      const { registerLogLens, RevisionLogs } = await import("./revisionLogs.ts");
      const logs = new RevisionLogs(await services.get());
      subscriptions.push(registerLogLens(logs));
      return logs;
    }),
    toolSchemas: new Later(async () => {
      const { ToolSchemaDocuments } = await import("./toolSchemas.ts");
      return new ToolSchemaDocuments(await services.get());
    }),
    servers: new Later(async () => {
      const { ServerDeployments } = await import("./serverDeployments.ts");
      return new ServerDeployments(await services.get());
    }),
    revisions: new Later(async () => {
      const { ServerRevisions } = await import("./serverRevisions.ts");
      return new ServerRevisions(await services.get());
    }),
    drafts: new Later(async () => {
      const { DeploymentDrafts } = await import("./deploymentDrafts.ts");
      return new DeploymentDrafts(await services.get());
    }),
    graphFiles: new Later(async () => {
      const { GraphFiles } = await import("./graphs/graphFiles.ts");
      return new GraphFiles(await services.get());
    }),
    graphLogs: new Later(async () => {
      const { GraphLogs } = await import("./graphLogs.ts");
      return new GraphLogs(await services.get());
    }),
    inputFiles: new Later(async () => {
      const { InputFiles } = await import("./inputFiles.ts");
      return new InputFiles(await services.get());
    }),
    nodeLenses: new Later(async () => {
      const { NodeLenses } = await import("./graphs/nodeLenses.ts");
      return new NodeLenses(await services.get());
    }),
    auditLog: new Later(async () => {
      const { AuditDocument } = await import("./auditDocument.ts");
      return new AuditDocument(await services.get());
    }),
    bulkReports: new Later(async () => {
      const { BulkReports } = await import("./bulkReports.ts");
      return new BulkReports(await services.get());
    }),
    stateEdits: new Later(async () => {
      const { StateEdits } = await import("./stateEdits/stateEdits.ts");
      const edits = new StateEdits(await services.get());
      subscriptions.push((await import("./stateEdits/stateEditMarks.ts")).markStateEdits(edits));
      return edits;
    }),
    agentFiles: new Later(async () => {
      const { AgentFiles } = await import("../agents/files/agentFiles.ts");
      return new AgentFiles(await services.get());
    }),
  };
  const { states, reports, issueDocuments, toolSchemas, agentFiles, logs, servers, drafts, auditLog } =
    documents;
  const { bulkReports, graphFiles, graphLogs, inputFiles, revisions, stateEdits, waiting } = documents;
  subscriptions.push(
    ...Object.values({ ...documents }),
    serveDocuments([
      [/^\/connection-test\//, reports],
      [/^\/issue-webhooks\//, issueDocuments],
      [/^\/tool-schemas\//, toolSchemas],
      [/^\/audit\//, auditLog],
      [/^\/bulk\//, bulkReports],
      [/^\/graphs\/[^/]+\/[^/]+\.log$/, graphLogs],
      [/^\/[^/]+\/deployments\/[^/]+\/revisions\/[^/]+\/(build|deploy)\/[^/]+\.log$/, logs],
      [/^\/[^/]+\/deployments\/[^/]+\/[^/]+\.deployment\.json$/, servers],
      [/^\/[^/]+\/deployments\/[^/]+\/revisions\/[^/]+\/[^/]+\.json$/, revisions],
      [/^\/[^/]+\/[^/]+\/threads\/[^/]+\/states?\/.+\.json$/, states],
      [/^\/[^/]+\/[^/]+\/threads\/[^/]+\/waiting\/[^/]+\.txt$/, waiting],
    ]),
    makeWith({ pattern: `**/*${DRAFT_SUFFIX}` }, drafts),
    makeWith({ pattern: `**/*${INPUT_SUFFIX}` }, inputFiles),
    makeWith({ scheme: "file", pattern: "**/langgraph.json" }, graphFiles),
    makeWith({ scheme: "file", pattern: "**/agents/**/{agent,tools}.json" }, agentFiles),
    serveNodeLenses(documents.nodeLenses, graphs),
    serveAgentFiles(agentFiles),
    serveStateEdits(stateEdits),
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
