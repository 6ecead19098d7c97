/** How a connection is told from the others wherever it appears: a protected one by a shield, each by its color. */

import * as vscode from "vscode";
import { withoutIcons } from "../kit/words.ts";
import type { ConnectionColor, ConnectionKind, ConnectionSetting } from "./connection.ts";

/** What of a connection decides about its mark. */
export type Marked = Pick<ConnectionSetting, "name" | "protected" | "color">;

/** The icons of the kinds of connections. */
const KIND_ICONS: Readonly<Record<ConnectionKind, string>> = {
  platform: "cloud",
  agentServer: "server",
  protocol: "comment-discussion",
  localPlatform: "vm",
  workspaceGraphs: "project",
};

/** Whether it has a shield. */
export function isProtected(connection: Pick<Marked, "protected"> | undefined): boolean {
  return connection?.protected !== undefined;
}

/** The color of its mark: its own, or red for a protected one. */
export function colorOf({ color, protected: mark }: Marked): ConnectionColor | undefined {
  return color ?? (mark === undefined ? undefined : "red");
}

/** A color as the theme has it. */
export function themeColor(color: ConnectionColor): vscode.ThemeColor {
  return new vscode.ThemeColor(`charts.${color}`);
}

/** An icon in a color. */
export function colored(icon: string, color: ConnectionColor | undefined): vscode.ThemeIcon {
  return new vscode.ThemeIcon(icon, color === undefined ? undefined : themeColor(color));
}

/** Its icon: a shield for a protected one, else that of its kind. */
export function markIcon(connection: Marked & Pick<ConnectionSetting, "kind">): vscode.ThemeIcon {
  return colored(isProtected(connection) ? "shield" : KIND_ICONS[connection.kind], colorOf(connection));
}

/** Its name where the editor makes icons of `$(name)`: with a shield for a protected one, and with no icon of its own. */
export function markedLabel(connection: Marked): string {
  const name = withoutIcons(connection.name);
  return isProtected(connection) ? `$(shield) ${name}` : name;
}
