/** The editor's item for a row, from what the row shows. */

import * as vscode from "vscode";

/** What a row shows beside its label; what is absent is not shown. */
export interface RowLooks {
  readonly description?: string;
  /** A codicon, with a color of the theme where it has one. */
  readonly icon?: string | readonly [icon: string, color: string | undefined];
  readonly tooltip?: string;
  readonly contextValue?: string;
  /** What a click does. */
  readonly command?: vscode.Command;
  /** Whether there are rows below. */
  readonly opens?: boolean;
  /** What a screen reader says in place of label and description. */
  readonly spoken?: string;
  readonly checkboxState?: vscode.TreeItem["checkboxState"];
}

/** Makes the item; for a file, the editor takes label and icon from its address. */
export function rowItem(
  label: string | vscode.Uri,
  { icon, opens = false, spoken, ...shown }: RowLooks,
): vscode.TreeItem {
  const { Collapsed, None } = vscode.TreeItemCollapsibleState;
  const state = opens ? Collapsed : None;
  const item =
    typeof label === "string" ? new vscode.TreeItem(label, state) : new vscode.TreeItem(label, state);
  if (icon !== undefined) {
    const [name, color] = typeof icon === "string" ? [icon] : icon;
    item.iconPath = new vscode.ThemeIcon(
      name,
      color === undefined ? undefined : new vscode.ThemeColor(color),
    );
  }
  if (spoken !== undefined) item.accessibilityInformation = { label: spoken };
  return Object.assign(item, shown);
}
