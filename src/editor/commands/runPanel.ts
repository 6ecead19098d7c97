/** What can be done in the run panel that is in front. */

import type { Services } from "../services.ts";
import type { RunPanels } from "../runPanel/runPanels.ts";
import type { CommandsOf } from "../kit/commands.ts";

/** The commands of the panel in front. */
export function commands(
  _services: Services,
  { panels }: { readonly panels: RunPanels },
): CommandsOf<"runPanel"> {
  return {
    "agentOperations.runPanel.focusComposer": () => panels.focusComposer(),
    "agentOperations.runPanel.focusLastMessage": () => panels.focusLastMessage(),
    "agentOperations.runPanel.stop": () => panels.stop(),
  };
}
