/** The address of a revision's log as a document. */

import * as vscode from "vscode";
import type { LogType } from "../../api/controlPlane/logs.ts";
import type { RevisionRef } from "../connections/connection.ts";
import { SCHEME } from "../kit/ids.ts";

/** One of the two logs of a revision. */
export interface LogRef extends RevisionRef {
  readonly type: LogType;
  /** Of which deployment, revision and connection it is, for the tab. */
  readonly name: string;
}

const logPath = /^\/([^/]+)\/deployments\/([^/]+)\/revisions\/([^/]+)\/(build|deploy)\/[^/]+\.log$/;

/** `agent-operations:/<connection>/deployments/<deployment>/revisions/<revision>/<type>/<name> <type>.log` */
export function logUri({ connectionId, deploymentId, revisionId, type, name }: LogRef): vscode.Uri {
  const [connection, deployment, revision] = [connectionId, deploymentId, revisionId].map(encodeURIComponent);
  const file = `${name.replace(/[\\/]/g, "-")} ${type}.log`;
  return vscode.Uri.from({
    scheme: SCHEME,
    path: `/${connection}/deployments/${deployment}/revisions/${revision}/${type}/${file}`,
  });
}

/** The log that the address names. */
export function logOfUri({ path }: vscode.Uri): LogRef | undefined {
  const [, connection, deployment, revision, type] = logPath.exec(path) ?? [];
  if (connection === undefined || deployment === undefined || revision === undefined) return undefined;
  const kind = type === "deploy" ? "deploy" : "build";
  return {
    connectionId: decodeURIComponent(connection),
    deploymentId: decodeURIComponent(deployment),
    revisionId: decodeURIComponent(revision),
    type: kind,
    name: path.slice(path.lastIndexOf("/") + 1, -` ${kind}.log`.length),
  };
}
