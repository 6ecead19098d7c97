/** What a connection looks like as a row, in any view. */

import type { ConnectionKind, ConnectionSetting } from "../../connections/connection.ts";
import { isProtected, markIcon } from "../../connections/mark.ts";
import type { Row } from "../../kit/tree/rowItem.ts";
import type { LocalPlatformState } from "../../localPlatform/localPlatform.ts";
import { dotted } from "../../kit/words.ts";

/** A connection and, for the Local Platform, what it is doing. */
export interface ConnectionFacts {
  readonly setting: ConnectionSetting;
  readonly state: LocalPlatformState;
  /** How many threads it has, in words, where that is known. */
  readonly count?: string;
  /** It asks for a key and none is there. */
  readonly wantsKey?: boolean;
}

/** Says where it is, or what the Local Platform is doing, and how much it has. */
export function connectionRow({ setting, state, count = "", wantsKey }: ConnectionFacts): Row {
  const { name: label, kind, url = "" } = setting;
  const isLocal = kind === "localPlatform";
  const place = isLocal ? state.kind : (URL.parse(url)?.host ?? url);
  const mark = isProtected(setting) ? "protected" : "";
  const description = dotted([mark, place, count]);
  return {
    label,
    description,
    icon: markIcon(setting),
    // Menus ask it for the kind, for the Local Platform's state, and whether a key is missing.
    contextValue: `connection ${isLocal ? `local ${place}` : `${kind}${wantsKey === true ? " key" : ""}`}`,
    tooltip: [label, kinds[kind], protectionWords(setting), url].filter((line) => line !== "").join("\n"),
    spoken: `Connection ${label} ${description}`.trim(),
  };
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
