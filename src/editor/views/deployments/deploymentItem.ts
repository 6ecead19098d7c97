/** What rows of deployments and revisions look like: icon, words, tooltip. */

import * as vscode from "vscode";
import type { Progress } from "../../../api/controlPlane/status.ts";
import type { Revision, SourceRevisionConfig } from "../../../api/controlPlane/wire.ts";
import {
  agentServerUrlOf,
  progressOfDeployment,
  progressOfRevision,
} from "../../../api/controlPlane/status.ts";
import { isRunning, nameOf } from "../../deployments/deploymentFacts.ts";
import type { DeploymentOrigin, DeploymentFacts } from "../../deployments/deploymentFacts.ts";
import { statusWords } from "../../deployments/revisionStatus.ts";
import { localTime } from "../../kit/words.ts";
import { factsTooltip } from "../../kit/tree/factsTooltip.ts";

/** Its status, its latest revision's, and where it is known from: `ready · deployed · added by id`. */
export function deploymentWords({ deployment, latest, origin }: DeploymentFacts): readonly string[] {
  if (deployment === undefined) return ["can't be read", originWords(origin)].filter((part) => part !== "");
  const { status, active_revision_id: active } = deployment;
  const serving = latest !== undefined && active !== undefined && active !== null && active !== latest.id;
  const revision = latest?.status ?? "";
  const newest = revision === "" ? "" : `${serving ? "latest " : ""}${statusWords(revision)}`;
  return [statusWords(status ?? ""), newest, originWords(origin)].filter((part) => part !== "");
}

/** How far a deployment is, at a glance. */
export function deploymentIcon(row: DeploymentFacts): vscode.ThemeIcon {
  if (row.deployment === undefined) return icon("warning", "list.warningForeground");
  const { status } = row.deployment;
  const whole = status === undefined || status === null ? "done" : progressOfDeployment(row.deployment);
  const latest = row.latest === undefined ? whole : progressOfRevision(row.latest);
  // What is worth knowing most decides.
  const worst = (["failed", "pending", "unknown", "stopped"] as const).find((one) =>
    [whole, latest].includes(one),
  );
  if (worst !== undefined && !(worst === "stopped" && isRunning(row))) return progressIcon(worst);
  return icon("rocket", "charts.green");
}

/** How far a revision is, at a glance. */
export function progressIcon(progress: Progress): vscode.ThemeIcon {
  switch (progress) {
    case "pending":
      return icon("loading~spin", "progressBar.background");
    case "done":
      return icon("pass", "charts.green");
    case "failed":
      return icon("error", "list.errorForeground");
    case "stopped":
      return icon("circle-slash", "descriptionForeground");
    case "unknown":
      return icon("question", "descriptionForeground");
    default:
      return progress satisfies never;
  }
}

/** A branch or tag, an image, or a source archive; undefined when there is nothing of the kind. */
export function sourceOf(config: SourceRevisionConfig | null | undefined): string | undefined {
  const { repo_ref, image_uri, source_tarball_path } = config ?? {};
  const named = [repo_ref, image_uri, source_tarball_path].find(
    (text) => typeof text === "string" && text !== "",
  );
  return typeof named === "string" ? named.replace(/^refs\/(tags|heads)\//, "") : undefined;
}

/** What is known of a deployment; absent facts have no line. */
export function deploymentTooltip(row: DeploymentFacts): vscode.MarkdownString {
  const { deployment, latest, id } = row;
  return factsTooltip(nameOf(row), {
    Status: deployment?.status,
    "Latest revision": [latest?.id, latest?.status].filter(Boolean).join(" "),
    "Active revision": deployment?.active_revision_id,
    Source: [deployment?.source, sourceOf(deployment?.source_revision_config)].filter(Boolean).join(" "),
    Repository: deployment?.source_config?.repo_url,
    "Agent server": deployment && agentServerUrlOf(deployment),
    Deployment: id,
    Created: localTime(deployment?.created_at),
    Updated: localTime(deployment?.updated_at),
  });
}

/** What is known of a revision; absent facts have no line. */
export function revisionTooltip(revision: Revision): vscode.MarkdownString {
  const { id, status, source, source_revision_config: config, created_at, updated_at } = revision;
  return factsTooltip(sourceOf(config) ?? id, {
    Status: status,
    Revision: id,
    Source: source,
    Commit: config?.repo_commit_sha,
    Configuration: config?.langgraph_config_path,
    Created: localTime(created_at),
    Updated: localTime(updated_at),
  });
}

function originWords(origin: DeploymentOrigin): string {
  return { listed: "", added: "added by id", created: "created here" }[origin];
}

function icon(name: string, color: string): vscode.ThemeIcon {
  return new vscode.ThemeIcon(name, new vscode.ThemeColor(color));
}
