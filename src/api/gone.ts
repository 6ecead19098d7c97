/** What is not there, or not any more. */

import { ApiError } from "./errors.ts";

/** Whether a call failed because there is no such thing (any more). */
export function isGone(error: unknown): boolean {
  return error instanceof ApiError && error.kind === "notFound";
}

/** For `catch`: undefined where there is no such thing (any more); throws every other error. */
export function unlessGone(error: unknown): undefined {
  if (!isGone(error)) throw error;
}
