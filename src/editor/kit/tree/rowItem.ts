/** The editor's item for a row, from what the row shows. */

import * as vscode from "vscode";
import { visible } from "../words.ts";

/** What a row shows; what is absent is not shown. */
export interface Row {
  /** For a file its address: the editor takes label and icon from it. */
  readonly label: string | vscode.Uri;
  readonly description?: string;
  /** A codicon, with a color of the theme where it has one. */
  readonly icon?: vscode.ThemeIcon | string | readonly [icon: string, color: string | undefined];
  readonly tooltip?: string;
  readonly contextValue?: string;
  /** What a click does. */
  readonly command?: vscode.Command | undefined;
  /** Whether what is below is unfolded at first. */
  readonly startsOpen?: boolean;
  /** What a screen reader says in place of label and description. */
  readonly spoken?: string;
  readonly checkboxState?: vscode.TreeItem["checkboxState"];
}

/** Makes the item of the row with the id; `opens` says whether there are rows below. */
export function rowItem(
  id: string,
  { label, description, icon, tooltip, startsOpen, spoken, ...shown }: Row,
  opens = false,
): vscode.TreeItem {
  const { Collapsed, Expanded, None } = vscode.TreeItemCollapsibleState;
  const state = !opens ? None : startsOpen === true ? Expanded : Collapsed;
  const item =
    typeof label === "string"
      ? new vscode.TreeItem(visible(label), state)
      : new vscode.TreeItem(label, state);
  if (description !== undefined) item.description = visible(description);
  if (tooltip !== undefined) item.tooltip = visible(tooltip);
  if (icon !== undefined) item.iconPath = themeIcon(icon);
  if (spoken !== undefined) item.accessibilityInformation = { label: spoken };
  return Object.assign(item, shown, { id });
}

/** An icon as the editor takes it. */
export function themeIcon(icon: NonNullable<Row["icon"]>): vscode.ThemeIcon {
  if (icon instanceof vscode.ThemeIcon) return icon;
  const [name, color] = typeof icon === "string" ? [icon] : icon;
  return new vscode.ThemeIcon(name, color === undefined ? undefined : new vscode.ThemeColor(color));
}
