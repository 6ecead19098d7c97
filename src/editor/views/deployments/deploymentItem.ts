/** What rows of deployments and revisions look like: icon, words, tooltip. */

import * as vscode from "vscode";
import type { Progress } from "../../../api/controlPlane/status.ts";
import { agentServerUrlOf } from "../../../api/controlPlane/status.ts";
import type { Revision } from "../../../api/controlPlane/wire.ts";
import { nameOf } from "../../deployments/deploymentFacts.ts";
import type { DeploymentOrigin, DeploymentFacts } from "../../deployments/deploymentFacts.ts";
import { stateOf } from "../../deployments/deploymentState.ts";
import { sourceOf, versionOf } from "../../deployments/version.ts";
import { localTime } from "../../kit/words.ts";
import { ageOf } from "../../threads/threadFacts.ts";
import { factsTooltip } from "../../kit/tree/factsTooltip.ts";

/** What stands beside a deployment's name, to tell it from others: `deploy failed · 1.4.2 · 3 d ago · added by ID`. */
export function deploymentWords(facts: DeploymentFacts, now: number): readonly string[] {
  const { deployment, origin } = facts;
  const version = versionOf(deployment?.source_revision_config) ?? "";
  const age = ageOf(deployment?.updated_at ?? deployment?.created_at ?? "", now);
  return [stateOf(facts).words, version, age, originWords(origin)].filter((part) => part !== "");
}

/** How a deployment is, at a glance. */
export function deploymentIcon(facts: DeploymentFacts): vscode.ThemeIcon {
  if (facts.deployment === undefined) return icon("warning", "list.warningForeground");
  const { kind } = stateOf(facts);
  return kind === "serving" ? icon("rocket", "charts.green") : progressIcon(kind);
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
  return { listed: "", found: "", added: "added by ID", created: "created here" }[origin];
}

function icon(name: string, color: string): vscode.ThemeIcon {
  return new vscode.ThemeIcon(name, new vscode.ThemeColor(color));
}
