/** How an attempt to connect to a tool server ended, and what to say of it. */

import type { AuthSession } from "../../api/managedAgents/authSessions.ts";

/** In which way an attempt ended. */
export type AuthOutcome = "connected" | "refused" | "expired" | "timedOut" | "cancelled" | "failed";

/** The end of an attempt. */
export interface AuthEnd {
  readonly outcome: AuthOutcome;
  /** What the far side said, in its own words; never a token. */
  readonly said?: string;
}

/** The end that a session's answer tells of; undefined while it waits for the person. */
export function endOf({ status, error }: AuthSession): AuthEnd | undefined {
  const said = error === undefined ? {} : { said: error };
  switch (status) {
    case "PENDING":
      return undefined;
    case "COMPLETED":
      return { outcome: "connected" };
    case "TOKEN_EXPIRED":
      return { outcome: "expired", ...said };
    case "CONNECTION_REQUIRED":
      return { outcome: /expired|timeout/.test(error ?? "") ? "expired" : "refused", ...said };
    default:
      return { outcome: "failed", said: error ?? status };
  }
}

/** A row's few words for an attempt that ended without a connection; empty for one that went well. */
export function shortWords({ outcome }: AuthEnd): string {
  return {
    connected: "",
    refused: "refused",
    expired: "session expired",
    timedOut: "nobody agreed in time",
    cancelled: "cancelled",
    failed: "failed",
  }[outcome];
}

/** The whole sentence for a notification. */
export function sentence(serverName: string, { outcome, said }: AuthEnd): string {
  const because = said === undefined ? "" : ` (${said})`;
  const ends: Readonly<Record<AuthOutcome, string>> = {
    connected: `“${serverName}” is connected.`,
    refused: `“${serverName}” is not connected: access was refused${because}.`,
    expired: `“${serverName}” is not connected: the session expired before access was granted${because}.`,
    timedOut: `“${serverName}” is not connected: nobody agreed in the browser in time.`,
    cancelled: `“${serverName}” is not connected: you cancelled.`,
    failed: `“${serverName}” is not connected${because}.`,
  };
  return ends[outcome];
}
