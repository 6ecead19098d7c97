/** What a connection looks like as a row, in any view. */

import type { ConnectionKind, ConnectionSetting } from "../../connections/connection.ts";
import { isProtected, markIcon } from "../../connections/mark.ts";
import type { ConnectionState } from "../../connections/connectionStates.ts";
import type { Row } from "../../kit/tree/rowItem.ts";
import type { LocalPlatformState } from "../../localPlatform/localPlatform.ts";
import { capitalized, dotted } from "../../kit/words.ts";

/** A connection and, for the Local Platform, what it is doing. */
export interface ConnectionFacts {
  readonly setting: ConnectionSetting;
  readonly state: LocalPlatformState;
  /** How many threads it has, in words, where that is known. */
  readonly count?: string;
  /** It asks for a key and none is there. */
  readonly wantsKey?: boolean;
  /** How it was seen last, where it was. */
  readonly seen?: { readonly state: ConnectionState; readonly at: number } | undefined;
}

/** Says how it is unless all is well, where it is, or what the Local Platform is doing, and how much it has. */
export function connectionRow({ setting, state, count = "", wantsKey, seen }: ConnectionFacts): Row {
  const { name: label, kind, url = "" } = setting;
  const isLocal = kind === "localPlatform";
  const where = isLocal ? state.kind : (URL.parse(url)?.host ?? url);
  const noControlPlane = hasNoControlPlane(setting) ? "no control plane" : "";
  const mark = isProtected(setting) ? "protected" : "";
  const description = dotted([mark, troubleWords(seen), where, noControlPlane, count]);
  return {
    label,
    description,
    icon: markIcon(setting),
    // Menus ask it for the kind, for the Local Platform's state, and whether a key is missing.
    contextValue: `connection ${isLocal ? `local ${where}` : `${kind}${wantsKey === true ? " key" : ""}`}`,
    spoken: `Connection ${label} ${description}`.trim(),
  };
}

/** Its details. When it was seen last changes with every answer, and is no reason to draw the row again. */
export function connectionTooltip({ setting, seen }: ConnectionFacts): string {
  const { name, kind, url = "" } = setting;
  const lines = [name, kinds[kind], protectionWords(setting), url, seenWords(setting, seen)];
  return lines.filter((line) => line !== "").join("\n");
}

/** The same facts as text beside the title of a view in which the connection has no row. */
export function connectionHeading({ setting, state, seen }: ConnectionFacts): string {
  const isLocal = setting.kind === "localPlatform";
  const doing = isLocal && state.kind !== "running" ? state.kind : "";
  return dotted([setting.name, troubleWords(seen), doing]);
}

function troubleWords(seen: ConnectionFacts["seen"]): string {
  return seen === undefined || seen.state === "reachable" ? "" : stateWords[seen.state];
}

const stateWords: Readonly<Record<ConnectionState, string>> = {
  reachable: "reachable",
  failing: "answers with errors",
  refused: "key refused",
  unreachable: "unreachable",
};

/** How it was seen last, and what it lacks. */
function seenWords(setting: ConnectionSetting, seen: ConnectionFacts["seen"]): string {
  const last =
    seen === undefined
      ? "Not asked yet"
      : capitalized(`${stateWords[seen.state]} at ${new Date(seen.at).toLocaleTimeString()}`);
  const noControlPlane = hasNoControlPlane(setting)
    ? "No control plane: deployments can't be listed. Edit the connection to enter its address."
    : "";
  return [last, noControlPlane].filter((line) => line !== "").join("\n");
}

function hasNoControlPlane({ kind, controlPlaneUrl }: ConnectionSetting): boolean {
  return kind === "platform" && controlPlaneUrl === undefined;
}

const kinds: Readonly<Record<ConnectionKind, string>> = {
  platform: "Platform",
  agentServer: "Agent server",
  protocol: "Chat backend",
  localPlatform: "On this machine",
  workspaceGraphs: "Graphs of this workspace",
};

function protectionWords({ protected: asked }: ConnectionSetting): string {
  if (asked === undefined) return "";
  return asked === "nothing" ? "Protected" : `Protected: changes ask for a ${asked}`;
}
