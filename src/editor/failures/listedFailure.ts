/** One thing that is broken now, on one connection: what, why, since when, and what commands get for it. */

import { isDown } from "../../api/advice.ts";
import type { ApiError } from "../../api/errors.ts";
import { ConnectionError } from "../connections/connectionSettings.ts";
import type { RemediableError } from "../kit/remedies.ts";

/** What of a connection is broken. */
export type FailureKind = ListedFailure["kind"];

/** The ids that commands need, by their names. */
export type FailureRef = { readonly connectionId: string } & Readonly<Record<string, unknown>>;

/** What a row of the Failures view shows. */
export type ListedFailure = FailureFacts & (SaysSo | CannotBeAsked);

interface FailureFacts {
  /** The same for as long as it is the same failure, also after a reload; when it happens again, it is another one. */
  readonly key: string;
  readonly ref: FailureRef;
  /** What people call the thing. */
  readonly name: string;
  /** What became of it, after the name: "deploy failed". */
  readonly what: string;
  /** One line without a full stop; "" where nobody says why. */
  readonly reason: string;
  /** Epoch milliseconds. */
  readonly at: number;
}

/** What says itself that it failed; "run" is one that does not end, "threads" are those whose last run failed. */
interface SaysSo {
  readonly kind: "revision" | "agent" | "export" | "delivery" | "run" | "threads";
  readonly error?: undefined;
}

/** What could not be asked or begun, and why. */
interface CannotBeAsked {
  readonly kind: "connection" | "server" | "delivery";
  readonly error: ApiError | RemediableError;
}

/** Whether what failed so is out of order: a connection that nobody can use now, or a server that is down. */
export function cannotBeAsked(error: unknown): error is ApiError | ConnectionError {
  return error instanceof ConnectionError ? !error.isTransient : isDown(error);
}

/** A timestamp as epoch milliseconds; `otherwise` for one that is missing or none. */
export function timeOf(timestamp: string | null | undefined, otherwise: number): number {
  const time = Date.parse(timestamp ?? "");
  return Number.isNaN(time) ? otherwise : time;
}

/** A failure as text, for a chat or a ticket. */
export function failureText({ name, what, reason, at }: ListedFailure, connection: string): string {
  const parts = [connection, `${name}: ${what}`, reason].filter((part) => part !== "");
  return `${new Date(at).toISOString()} ${parts.join(" · ")}`;
}
