/** Every kind of virtual document, made once and served under one scheme. */

import * as vscode from "vscode";
import { AgentFiles } from "../agents/files/agentFiles.ts";
import type { Services } from "../services.ts";
import { ConnectionReports } from "./connectionReports.ts";
import { DeploymentDrafts } from "./deploymentDrafts.ts";
import { IssueDocuments } from "./issueDocuments.ts";
import { RevisionLogs } from "./revisionLogs.ts";
import { registerLogLens } from "./revisionLogLens.ts";
import { serveDocuments } from "./router.ts";
import { ServerDeployments } from "./serverDeployments.ts";
import { ThreadStateDocuments } from "./threadStates.ts";
import { ToolSchemaDocuments } from "./toolSchemas.ts";

/** The kinds of documents, for commands that open them. */
export interface Documents {
  readonly states: ThreadStateDocuments;
  readonly reports: ConnectionReports;
  readonly issueDocuments: IssueDocuments;
  readonly toolSchemas: ToolSchemaDocuments;
  readonly agentFiles: AgentFiles;
  readonly logs: RevisionLogs;
  readonly servers: ServerDeployments;
  readonly drafts: DeploymentDrafts;
  /** Answers the editor; without it there is no document. */
  readonly served: vscode.Disposable;
}

/** Makes them; they answer the editor until `served` is disposed of. */
export function createDocuments(services: Services): Documents {
  const states = new ThreadStateDocuments(services);
  const reports = new ConnectionReports();
  const issueDocuments = new IssueDocuments();
  const logs = new RevisionLogs(services);
  const toolSchemas = new ToolSchemaDocuments(services);
  const servers = new ServerDeployments(services);
  const drafts = new DeploymentDrafts(services);
  const agentFiles = new AgentFiles(services);
  const kinds = serveDocuments([states, reports, issueDocuments, logs, toolSchemas, servers]);
  const served = vscode.Disposable.from(kinds, registerLogLens(logs));
  return { states, reports, issueDocuments, logs, toolSchemas, servers, drafts, agentFiles, served };
}
