/** The lower half of the editors, where what is asked about stands: the editor puts its lists over the upper one. */

import * as vscode from "vscode";

/** Opens something there. */
export async function showBelow(show: () => Thenable<unknown>): Promise<void> {
  await vscode.commands.executeCommand("workbench.action.newGroupBelow");
  await show();
}

/** Closes tabs; the half goes with the last of them. */
export async function closeTabs(isMeant: (tab: vscode.Tab) => boolean): Promise<void> {
  const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs).filter(isMeant);
  if (tabs.length > 0) await vscode.window.tabGroups.close(tabs);
}

/** Shows the changes of that title below the question about them; they stay there where it is left. */
export async function askAbout<T>(
  title: string,
  show: () => Thenable<unknown>,
  ask: () => Promise<T>,
): Promise<T> {
  const isShown = ({ label }: vscode.Tab): boolean => label.startsWith(title);
  await closeTabs(isShown);
  await showBelow(show);
  const answer = await ask();
  await closeTabs(isShown);
  return answer;
}
