/** What the statuses of a revision mean; those that are not known are shown as they are. */

/** How a revision ended; `interrupted` is one that was stopped on request. */
export type RevisionEnd = "deployed" | "failed" | "skipped" | "interrupted";

const ends: Readonly<Record<string, RevisionEnd>> = {
  DEPLOYED: "deployed",
  CREATE_FAILED: "failed",
  BUILD_FAILED: "failed",
  DEPLOY_FAILED: "failed",
  SKIPPED: "skipped",
  INTERRUPTED: "interrupted",
};

/** How a revision with this status ended; undefined while it is on its way, or nobody can tell. */
export function endOf(status: string): RevisionEnd | undefined {
  return Object.hasOwn(ends, status) ? ends[status] : undefined;
}

/** The log in which a revision's failure is told. */
export function logOfFailure(status: string | undefined): "build" | "deploy" {
  return status === "DEPLOY_FAILED" ? "deploy" : "build";
}

/** The status in words: `AWAITING_BUILD` is "Awaiting build". */
export function statusText(status: string): string {
  const words = status.toLowerCase().replaceAll("_", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}
