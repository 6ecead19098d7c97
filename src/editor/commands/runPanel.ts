/** What can be done in the run panel that is in front. */

import type { RunPanels } from "../runPanel/runPanels.ts";
import type { CommandTable } from "./index.ts";

type RunPanelCommand =
  | "agentOperations.runPanel.focusComposer"
  | "agentOperations.runPanel.focusLastMessage"
  | "agentOperations.runPanel.stop";

/** The commands of the panel in front. */
export function runPanelCommands(panels: RunPanels): Pick<CommandTable, RunPanelCommand> {
  return {
    "agentOperations.runPanel.focusComposer": () => panels.focusComposer(),
    "agentOperations.runPanel.focusLastMessage": () => panels.focusLastMessage(),
    "agentOperations.runPanel.stop": () => panels.stop(),
  };
}
