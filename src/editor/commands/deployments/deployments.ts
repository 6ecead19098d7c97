/** What the Deployments view can be asked for: other deployments, or all of it anew. */

import * as vscode from "vscode";
import type { Views } from "../../views/index.ts";
import type { Services } from "../../services.ts";
import { knownDeploymentStatuses } from "../../../api/controlPlane/status.ts";
import type { Deployments } from "../../deployments/deployments.ts";
import { statusWords } from "../../deployments/revisionStatus.ts";
import { askSteps } from "../../kit/ask/form.ts";
import { askChoice, askText } from "../../kit/ask/questions.ts";
import { type CommandsOf, focusView } from "../../kit/commands.ts";
import { refOf } from "../../kit/ask/meant.ts";

/** The commands of the view as a whole. */
export function commands(
  { deployments }: Services,
  { views }: { readonly views: Pick<Views, "deployments"> },
): CommandsOf<"deployments" | "revisions"> {
  const view = views.deployments;
  return {
    "agentOperations.deployments.refresh": () => view.refresh(),
    "agentOperations.deployments.find": find,
    "agentOperations.deployments.filter": () => filterDeployments(deployments),
    "agentOperations.deployments.clearFilter": async () => {
      await deployments.setFilter({});
      await focusView("deployments");
    },
    "agentOperations.deployments.loadMore": async (list) => {
      const connection = refOf(list, "connectionId");
      if (connection !== undefined) await deployments.of(connection.connectionId).loadMore();
    },
    "agentOperations.revisions.loadMore": async (list) => {
      const deployment = refOf(list, "deploymentId");
      if (deployment === undefined) return;
      await deployments.of(deployment.connectionId).revisions(deployment.deploymentId).loadMore();
    },
  };
}

async function find(): Promise<void> {
  await focusView("deployments");
  await vscode.commands.executeCommand("list.find");
}

/** First a part of the name, then a status; both may be left open. */
async function filterDeployments(deployments: Deployments): Promise<void> {
  const known = [...new Set([...knownDeploymentStatuses, ...deployments.statuses])];
  const start = { name: "", status: "", ...deployments.filter };
  const { name, status } = await askSteps({ title: "Filter Deployments" }, start, () => [
    async (place, filter) => {
      const prompt = "A part of the name. Leave it empty for any name.";
      return {
        ...filter,
        name: await askText(place, { prompt, placeholder: "support", value: filter.name }),
      };
    },
    async (place, filter) => {
      const choices = known.map((value) => {
        const words = statusWords(value);
        return { label: value, description: words === value ? "" : words, value };
      });
      const question = { placeholder: "In which status?", active: filter.status };
      const any = { label: "Any status", value: "" };
      return { ...filter, status: await askChoice(place, [any, ...choices], question) };
    },
  ]);
  await deployments.setFilter({ ...(name && { name }), ...(status && { status }) });
}
