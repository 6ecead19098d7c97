/** A client of one control plane (spec "Control plane"). */

import type { Http } from "../http.ts";
import { Deployments } from "./deployments.ts";
import { Logs } from "./logs.ts";
import { Revisions } from "./revisions.ts";
import { Tokens } from "./tokens.ts";

export { agentServerUrlOf } from "./address.ts";
export type { DeploymentPage } from "./deployments.ts";
export type { LogType } from "./logs.ts";
export type { RevisionPage } from "./revisions.ts";
export { isServing, mayChange, progressOfDeployment, progressOfRevision } from "./status.ts";
export type { Progress } from "./status.ts";

/** Everything that one control plane offers; each failure is an ApiError, "unsupported" for what it lacks. */
export class ControlPlane {
  readonly deployments: Deployments;
  readonly revisions: Revisions;
  readonly logs: Logs;
  readonly tokens: Tokens;

  constructor(http: Http) {
    this.deployments = new Deployments(http);
    this.revisions = new Revisions(http);
    this.logs = new Logs(http);
    this.tokens = new Tokens(http);
  }
}
