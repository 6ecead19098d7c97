/** Whether a platform may use a tool server on the person's behalf, how attempts to connect end, and both in words. */

import type { ToolServer } from "../../api/managedAgents/toolServers.ts";
import { counted } from "../kit/words.ts";
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

/** How a tool server is signed in to, and how far that is. */
export type AuthState =
  | "none"
  | "headers"
  | "unregistered"
  | "waiting"
  | "connected"
  | "notConnected"
  | "expired"
  | "unknown";

/** Whether a platform holds a person's grant: it does, does not, did until it expired, or does not say. */
export type Grant = "held" | "missing" | "expired" | "unknown";

/** How far the sign-in to a server is. */
export function authStateOf(
  server: ToolServer,
  grant: Grant,
  attempt: { readonly end?: AuthEnd } | undefined,
): AuthState {
  if (server.auth_type !== "oauth") return (server.headers ?? []).length > 0 ? "headers" : "none";
  if (attempt !== undefined && attempt.end === undefined) return "waiting";
  if (server.oauth_provider_id === undefined || server.oauth_provider_id === null) return "unregistered";
  const states: Readonly<Record<Grant, AuthState>> = {
    held: "connected",
    missing: "notConnected",
    expired: "expired",
    unknown: attempt?.end?.outcome === "connected" ? "connected" : "unknown",
  };
  return states[grant];
}

/** The dimmed words beside a server's name. */
export function authWords(
  server: ToolServer,
  state: AuthState,
  attempt: { readonly end?: AuthEnd } | undefined,
): string {
  const last = attempt?.end === undefined ? "" : shortWords(attempt.end);
  const because = last === "" ? "" : ` · ${last}`;
  const words: Readonly<Record<AuthState, string>> = {
    none: server.headers === undefined && server.can_invoke === false ? "headers hidden" : "no sign-in",
    headers: counted(server.headers?.length ?? 0, "header"),
    unregistered: `OAuth: no provider yet${because}`,
    waiting: "OAuth: waiting for you in the browser",
    connected: `OAuth: connected${because}`,
    notConnected: `OAuth: not connected${because}`,
    expired: `OAuth: expired${because}`,
    unknown: `OAuth${because}`,
  };
  return words[state];
}

/** The icon of a server's row, by codicon and theme color. */
export function authIcon(state: AuthState): readonly [icon: string, color: string] {
  const icons: Readonly<Record<AuthState, readonly [icon: string, color: string]>> = {
    none: ["tools", "icon.foreground"],
    headers: ["key", "icon.foreground"],
    unregistered: ["plug", "list.warningForeground"],
    waiting: ["loading~spin", "progressBar.background"],
    connected: ["pass", "testing.iconPassed"],
    notConnected: ["plug", "list.warningForeground"],
    expired: ["warning", "list.warningForeground"],
    unknown: ["tools", "icon.foreground"],
  };
  return icons[state];
}

/** A row's few words for an attempt that ended without a connection; empty for one that went well. */
function shortWords({ outcome }: AuthEnd): string {
  return {
    connected: "",
    refused: "refused",
    expired: "session expired",
    timedOut: "nobody agreed in time",
    cancelled: "cancelled",
    failed: "failed",
  }[outcome];
}
