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
  "none" | "headers" | "unregistered" | "waiting" | "connected" | "notConnected" | "expired" | "unknown";

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
  switch (grant) {
    case "held":
      return "connected";
    case "missing":
      return "notConnected";
    case "expired":
      return "expired";
    case "unknown":
      return attempt?.end?.outcome === "connected" ? "connected" : "unknown";
    default:
      return grant satisfies never;
  }
}

/** The dimmed words beside a server's name. */
export function authWords(
  server: ToolServer,
  state: AuthState,
  attempt: { readonly end?: AuthEnd } | undefined,
): string {
  const last = attempt?.end === undefined ? "" : shortWords(attempt.end);
  const because = last === "" ? "" : ` · ${last}`;
  switch (state) {
    case "none":
      return server.headers === undefined && server.can_invoke === false ? "headers hidden" : "no sign-in";
    case "headers":
      return counted(server.headers?.length ?? 0, "header");
    case "unregistered":
      return `OAuth: no provider yet${because}`;
    case "waiting":
      return "OAuth: waiting for you in the browser";
    case "connected":
      return `OAuth: connected${because}`;
    case "notConnected":
      return `OAuth: not connected${because}`;
    case "expired":
      return `OAuth: expired${because}`;
    case "unknown":
      return `OAuth${because}`;
    default:
      return state satisfies never;
  }
}

/** The icon of a server's row, by codicon and theme color. */
export function authIcon(state: AuthState): readonly [icon: string, color: string] {
  switch (state) {
    case "connected":
      return ["pass", "testing.iconPassed"];
    case "waiting":
      return ["loading~spin", "progressBar.background"];
    case "expired":
      return ["warning", "list.warningForeground"];
    case "notConnected":
    case "unregistered":
      return ["plug", "list.warningForeground"];
    case "headers":
      return ["key", "icon.foreground"];
    case "none":
    case "unknown":
      return ["tools", "icon.foreground"];
    default:
      return state satisfies never;
  }
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
