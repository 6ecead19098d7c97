/** Everything about threads in one place: the Deployments view, the run panels, their documents and commands. */

import * as vscode from "vscode";
import { deploymentsCommands } from "./commands/deployments.ts";
import { runPanelCommands } from "./commands/runPanel.ts";
import { threadCommands } from "./commands/thread.ts";
import { ThreadStateDocuments } from "./documents/threadState.ts";
import { RunPanels } from "./runPanel/runPanels.ts";
import type { Services } from "./services.ts";
import { registerDeploymentsView } from "./views/deployments.ts";

/** Registers all of it; the commands are for the one table. */
export function registerThreads(services: Services) {
  const { view, disposable } = registerDeploymentsView(services);
  const panels = new RunPanels(services);
  const states = new ThreadStateDocuments(services);
  return {
    view,
    panels,
    commands: {
      ...deploymentsCommands(view),
      ...threadCommands(services, { view, panels, states }),
      ...runPanelCommands(panels),
    },
    disposable: vscode.Disposable.from(disposable, panels, states),
  };
}
