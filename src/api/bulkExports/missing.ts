import { ApiError } from "../errors.ts";

/** Whether the service has no such endpoint (404, 405 or 501): not all of them are published. */
export function isMissing(error: unknown): boolean {
  return error instanceof ApiError && [404, 405, 501].includes(error.status ?? 0);
}
