import { commands } from "vscode";

/** Shows the Agents view once; from then on the editor itself remembers which view was open. */
export async function activate({ globalState }) {
  if (globalState.get("shown")) return;
  await commands.executeCommand("workbench.view.extension.agentOperations");
  await globalState.update("shown", true);
}
