import * as vscode from "vscode";

/** Named facts as a tooltip; absent ones have no line, and what servers say in them stays text. */
export function factsTooltip(
  title: string,
  facts: Readonly<Record<string, string | null | undefined>>,
): vscode.MarkdownString {
  const tooltip = new vscode.MarkdownString().appendText(title).appendMarkdown("\n\n");
  for (const [name, value] of Object.entries(facts)) {
    if (value === undefined || value === null || value === "") continue;
    tooltip.appendMarkdown(`**${name}** `).appendText(value).appendMarkdown("  \n");
  }
  return tooltip;
}
