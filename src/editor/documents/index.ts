/** Every provider of virtual documents, made once. */

import type { Services } from "../services.ts";
import { ConnectionReports } from "./connectionReport.ts";
import { IssueDocuments } from "./issueDocuments.ts";
import { ThreadStateDocuments } from "./threadState.ts";

export interface Documents {
  readonly states: ThreadStateDocuments;
  readonly reports: ConnectionReports;
  readonly issueDocuments: IssueDocuments;
}

export function createDocuments(services: Services): Documents {
  return {
    states: new ThreadStateDocuments(services),
    reports: new ConnectionReports(),
    issueDocuments: new IssueDocuments(),
  };
}
