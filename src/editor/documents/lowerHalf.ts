/**
 * An editor group below the others, for documents that a question is about: the editor's lists cover the upper part.
 */

import * as vscode from "vscode";

/** Opens something in that group. */
export async function showBelow(show: () => Thenable<unknown>): Promise<void> {
  await vscode.commands.executeCommand("workbench.action.newGroupBelow");
  await show();
}

/** Closes tabs; an empty group goes with its last one. */
export async function closeTabs(isMeant: (tab: vscode.Tab) => boolean): Promise<void> {
  const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs).filter(isMeant);
  if (tabs.length > 0) await vscode.window.tabGroups.close(tabs);
}

/** Shows documents below while a question about them is asked. They stay open when the person leaves it. */
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
