/** A connection while a person fills it in. */

import type { AuthScheme, ConnectionKind, ConnectionSetting } from "../../connections/connection.ts";
import { originsOf } from "../../connections/connectionSettings.ts";

/** What has been filled in so far. */
export interface Draft extends Omit<ConnectionSetting, "id"> {
  /** The key as it was typed, "" for none; undefined while it was not asked for. */
  readonly key?: string;
  /** The origins that secret storage holds a key for. */
  readonly keyOrigins: readonly string[];
}

/** The kinds of connections in words. */
export const KIND_NAMES: Readonly<Record<ConnectionKind, string>> = {
  platform: "Platform",
  agentServer: "Agent server",
  protocol: "Chat backend",
  localPlatform: "Local Platform",
  workspaceGraphs: "Graphs of this workspace",
};

/** The ways to sign in, in words. */
export const AUTH_NAMES: Readonly<Record<AuthScheme, string>> = { apiKey: "API key", bearer: "Bearer token" };

/** Whether the stored key is for other origins than the draft's: then it has to be entered again. */
export function isKeyElsewhere(draft: Draft): boolean {
  const { keyOrigins } = draft;
  return (
    keyOrigins.length > 0 && originsOf({ id: "", ...draft }).some((origin) => !keyOrigins.includes(origin))
  );
}
