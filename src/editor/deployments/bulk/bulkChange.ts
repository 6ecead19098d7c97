/** One change of many deployments: what of each it would change, and what is sent for it. */

import type { JsonObject } from "../../../api/agentServer/wire.ts";
import type { Deployment, DeploymentPatch, Secret } from "../../../api/controlPlane/wire.ts";
import { changeOf } from "../drafts/deploymentChange.ts";
import { versionOf } from "../version.ts";

/** What is done to each; the value of a secret is no part of it, since it is kept nowhere. */
export type BulkChange =
  | { readonly kind: "redeploy" }
  /** An image, or a tag or digest of each one's own image where it begins with ":" or "@". */
  | { readonly kind: "image"; readonly to: string }
  | { readonly kind: "branch"; readonly to: string }
  | { readonly kind: "secret"; readonly name: string };

/** What becomes of one deployment. */
export interface ChangePreview {
  /** What it is made from now. */
  readonly from: string;
  /** What a person reads of the change: "1.4.1 → 1.4.2". */
  readonly words: string;
  /** Why nothing is sent, in a clause. */
  readonly without?: string;
  /** Secrets that the platform would drop unless they are sent once more. */
  readonly otherSecrets: readonly string[];
}

/** What the change is called: "Set the secret TOKEN". */
export function titleOf(change: BulkChange): string {
  switch (change.kind) {
    case "redeploy":
      return "Redeploy";
    case "image":
    case "branch":
      return `Deploy ${change.to}`;
    case "secret":
      return `Set the secret ${change.name}`;
    default:
      return change satisfies never;
  }
}

/** What the change would do to a deployment. */
export function previewOf(deployment: Deployment, change: BulkChange): ChangePreview {
  const config = deployment.source_revision_config;
  const from = versionOf(config) ?? "";
  const base = { from, otherSecrets: [] };
  switch (change.kind) {
    case "redeploy": {
      if (servedBy(deployment) === undefined)
        return { ...base, words: "", without: "it has no revision yet" };
      return { ...base, words: from === "" ? "again" : `${from} again` };
    }
    case "image":
    case "branch": {
      const wanted = sourceText(deployment, change);
      if (wanted === undefined)
        return {
          ...base,
          words: "",
          without: `it is not made of ${change.kind === "image" ? "an image" : "a branch"}`,
        };
      const member = MEMBERS[change.kind];
      if (wanted === config?.[member]) return { ...base, words: "", without: `it has ${from} already` };
      return { ...base, words: `${from} → ${versionOf({ [member]: wanted }) ?? wanted}` };
    }
    case "secret": {
      const names = (deployment.secrets ?? []).map(({ name }) => name);
      const otherSecrets = names.filter((name) => name !== change.name);
      const isNew = !names.includes(change.name);
      return { from, words: `${change.name} ${isNew ? "is added" : "gets another value"}`, otherSecrets };
    }
    default:
      return change satisfies never;
  }
}

/** The body that is sent; undefined where nothing would change. `secrets` are all that the deployment is to have. */
export function patchOf(
  deployment: Deployment,
  change: Exclude<BulkChange, { readonly kind: "redeploy" }>,
  secrets: readonly Secret[],
): DeploymentPatch | undefined {
  if (change.kind === "secret") return { secrets };
  const wanted = sourceText(deployment, change);
  if (wanted === undefined) return undefined;
  const draft: JsonObject = { source_revision_config: { [MEMBERS[change.kind]]: wanted } };
  return changeOf(deployment, draft).patch;
}

/** The revision that is made again: the one that serves, else the latest. */
export function servedBy({
  active_revision_id: active,
  latest_revision_id: latest,
}: Deployment): string | undefined {
  return active ?? latest ?? undefined;
}

/** What a deployment is made of, as far as that can be changed. */
export function sourceKind({
  source,
  source_revision_config: config,
}: Deployment): "image" | "branch" | undefined {
  if (source === "github") return "branch";
  return typeof config?.image_uri === "string" && config.image_uri !== "" ? "image" : undefined;
}

const MEMBERS = { image: "image_uri", branch: "repo_ref" } as const;

/** The whole image, or the branch; undefined for a deployment that is made of something else. */
function sourceText(
  deployment: Deployment,
  { kind, to }: { readonly kind: "image" | "branch"; readonly to: string },
): string | undefined {
  if (sourceKind(deployment) !== kind) return undefined;
  if (kind === "branch" || !/^[:@]/.test(to)) return to;
  // The colon of a registry's port is none before a tag.
  const image = deployment.source_revision_config?.image_uri ?? "";
  return image.replace(/@.*$/, "").replace(/:[^:/]+$/, "") + to;
}
