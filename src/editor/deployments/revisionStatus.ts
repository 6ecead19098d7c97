/** The status of a revision or a deployment for people. */

import { isKnownStatus, mayChange, progressOfRevision } from "../../api/controlPlane/status.ts";
import type { WatchEnd, WatchEnded } from "../kit/watches.ts";
import { capitalized } from "../kit/words.ts";

/** `AWAITING_BUILD` is "awaiting build"; a status that nobody knows stays as the server spells it. */
export function statusWords(status: string): string {
  return isKnownStatus(status) ? status.toLowerCase().replaceAll("_", " ") : status;
}

/** The same at the start of a sentence. */
export function statusText(status: string): string {
  const words = statusWords(status);
  return isKnownStatus(status) ? capitalized(words) : words;
}

/** The log that says how a revision got this status. */
export function logOf(status: string | undefined): "build" | "deploy" {
  return status !== undefined && ["DEPLOYED", "DEPLOYING", "DEPLOY_FAILED"].includes(status)
    ? "deploy"
    : "build";
}

/** How a watched revision ended, or why it is not watched any longer. */
export type RevisionEnd = "done" | "failed" | "stopped" | Exclude<WatchEnd, "over">;

/** A status that nobody knows may still change. */
export function isRevisionOver(status: string): boolean {
  return !mayChange(progressOfRevision({ status }));
}

/** What became of the revision, by the status that ended its watch. */
export function revisionEnd({ end, answer }: WatchEnded<string>): RevisionEnd {
  if (end !== "over") return end;
  const progress = progressOfRevision({ status: answer ?? null });
  return progress === "done" || progress === "failed" ? progress : "stopped";
}
