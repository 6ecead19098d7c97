/** What can be done with one graph of the workspace. */

import type { CommandsOf } from "../../kit/commands.ts";
import type { RunPanels } from "../../runPanel/runPanels.ts";
import type { Services } from "../../services.ts";
import { chooseGraph } from "./graphChoice.ts";
import { startProject } from "./graphs.ts";

/** The commands about a graph. */
export function commands(services: Services, { panels }: { panels: RunPanels }): CommandsOf<"graph"> {
  return {
    "agentOperations.graph.run": async (node) => {
      const { project, graph } = await chooseGraph(services, node, "Run Graph");
      await startProject(services, project);
      const target = { connectionId: project.id, server: { kind: "workspaceGraphs" } } as const;
      const { assistants } = await services.agentServers.client(target);
      const [assistant] = await assistants.search({ graph_id: graph, limit: 1 });
      panels.openNew({ ...target, assistantId: assistant?.assistant_id });
    },
  };
}
