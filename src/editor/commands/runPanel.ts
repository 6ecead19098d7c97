/** What can be done in the run panel that is in front. */

import type { RunPanels } from "../runPanel/runPanels.ts";
import type { CommandTable } from "./index.ts";

export function runPanelCommands(
  panels: RunPanels,
): Pick<CommandTable, "agentOperations.runPanel.focusComposer" | "agentOperations.runPanel.stop"> {
  return {
    "agentOperations.runPanel.focusComposer": () => panels.focusComposer(),
    "agentOperations.runPanel.stop": () => panels.stop(),
  };
}
