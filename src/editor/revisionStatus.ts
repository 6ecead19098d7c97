/** The status of a revision for people. */

/** `AWAITING_BUILD` is "Awaiting build"; also statuses that nobody knows are readable so. */
export function statusText(status: string): string {
  const words = status.toLowerCase().replaceAll("_", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** The log in which it is told how a revision with this status got there. */
export function logOf(status: string | undefined): "build" | "deploy" {
  return status !== undefined && ["DEPLOYED", "DEPLOYING", "DEPLOY_FAILED"].includes(status)
    ? "deploy"
    : "build";
}
