/** What a connection looks like as a row, in any view. */

import * as vscode from "vscode";
import type { ConnectionKind, ConnectionSetting } from "../../connections/connection.ts";
import type { LocalPlatformState } from "../../localPlatform/localPlatform.ts";

/** A connection and, for the Local Platform, what it is doing. */
export interface ConnectionFacts {
  readonly setting: ConnectionSetting;
  readonly state: LocalPlatformState;
  /** How many threads it has, in words, where that is known. */
  readonly count?: string;
  /** It asks for a key and none is there. */
  readonly wantsKey?: boolean;
}

/** The row without its id. */
export function connectionItem(row: ConnectionFacts, open: boolean): vscode.TreeItem {
  const { Collapsed, Expanded } = vscode.TreeItemCollapsibleState;
  const { name, kind, url = "" } = row.setting;
  const description = connectionDescription(row);
  const item = new vscode.TreeItem(name, open ? Expanded : Collapsed);
  item.description = description;
  item.iconPath = new vscode.ThemeIcon(kindIcon(kind));
  item.contextValue = connectionContext(row);
  item.tooltip = [name, kindWords(kind), url].filter((line) => line !== "").join("\n");
  item.accessibilityInformation = { label: `Connection ${name} ${description}`.trim() };
  return item;
}

/** Where it is, or what the Local Platform is doing, and how much it has. */
export function connectionDescription({
  setting: { kind, url = "" },
  state,
  count = "",
}: ConnectionFacts): string {
  const host = URL.canParse(url) ? new URL(url).host : url;
  return [kind === "localPlatform" ? state.kind : host, count].filter((part) => part !== "").join(" · ");
}

/** Menus ask it for the kind, for the Local Platform's state, and whether a key is missing. */
export function connectionContext({ setting: { kind }, state, wantsKey }: ConnectionFacts): string {
  if (kind === "localPlatform") return `connection local ${state.kind}`;
  return `connection ${kind}${wantsKey === true ? " key" : ""}`;
}

function kindIcon(kind: ConnectionKind): string {
  return { platform: "cloud", agentServer: "server", protocol: "broadcast", localPlatform: "vm" }[kind];
}

function kindWords(kind: ConnectionKind): string {
  return {
    platform: "Platform",
    agentServer: "Agent server",
    protocol: "Chat backend",
    localPlatform: "On this machine",
  }[kind];
}
