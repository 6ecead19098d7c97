/** How a deployment is as a whole: one state, in one word, of what its own status and its latest revision's say. */

import { progressOfDeployment, progressOfRevision } from "../../api/controlPlane/status.ts";
import { type DeploymentFacts, isRunning } from "./deploymentFacts.ts";
import { statusWords } from "./revisionStatus.ts";

/** What a person looks for: what is broken, what moves, what serves, and what does nothing. */
export type StateKind = "failed" | "pending" | "serving" | "stopped" | "unknown";

/** The kinds as they are chosen and shown, the one that matters most first. */
export const STATES: Readonly<Record<StateKind, string>> = {
  failed: "failed",
  pending: "on its way",
  unknown: "in a status that is not known",
  stopped: "not in use",
  serving: "serving",
};

/** A deployment's state. */
export interface DeploymentState {
  readonly kind: StateKind;
  /** For its row; "" where everything is as it should be. */
  readonly words: string;
}

/** The state of a deployment; one that can't be read has failed. */
export function stateOf(facts: DeploymentFacts): DeploymentState {
  const { deployment, latest } = facts;
  if (deployment === undefined) return { kind: "failed", words: "can't be read" };
  const { status, active_revision_id: active } = deployment;
  const servesAnother =
    isRunning(facts) && latest !== undefined && typeof active === "string" && active !== latest.id;
  const newest = latest === undefined ? undefined : progressOfRevision(latest);
  const ofLatest = statusWords(latest?.status ?? "");
  if (newest === "failed")
    return { kind: "failed", words: servesAnother ? `${ofLatest}, serves the one before` : ofLatest };
  if (newest === "pending") return { kind: "pending", words: ofLatest };
  const own = typeof status === "string" ? progressOfDeployment(deployment) : "done";
  if (own === "pending" || own === "unknown" || own === "stopped")
    return { kind: own, words: statusWords(status ?? "") };
  if (newest === "unknown") return { kind: "unknown", words: ofLatest };
  if (newest === "stopped")
    return servesAnother
      ? { kind: "serving", words: `latest ${ofLatest}` }
      : { kind: "stopped", words: ofLatest };
  return { kind: "serving", words: "" };
}
