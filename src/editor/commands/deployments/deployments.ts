/** What the Deployments view can be asked for: other deployments, or all of it anew. */

import * as vscode from "vscode";
import type { Views } from "../../views/index.ts";
import type { Services } from "../../services.ts";
import { knownDeploymentStatuses } from "../../../api/controlPlane/status.ts";
import type { Deployments } from "../../deployments/deployments.ts";
import { statusWords } from "../../deployments/revisionStatus.ts";
import { askChoice, askText, askThen } from "../../kit/ask/questions.ts";
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
  const title = "Filter Deployments";
  const { name: before = "", status: current = "" } = deployments.filter;
  let name = before;
  const askName = async (): Promise<void> => {
    name = await askText(
      { title, step: 1, totalSteps: 2 },
      { prompt: "A part of the name. Leave it empty for any name.", placeholder: "support", value: name },
    );
  };
  const askStatus = (): Promise<string> => {
    const statuses = [...new Set([...knownDeploymentStatuses, ...deployments.statuses])];
    const choices = statuses.map((value) => ({
      label: value,
      description: besides(value, statusWords(value)),
      value,
    }));
    const place = { title, step: 2, totalSteps: 2, canGoBack: true };
    const question = { placeholder: "In which status?", active: current };
    return askChoice(place, [{ label: "Any status", value: "" }, ...choices], question);
  };
  const status = await askThen(askName, askStatus);
  await deployments.setFilter({
    ...(name === "" ? {} : { name }),
    ...(status === "" ? {} : { status }),
  });
}

/** The words for a status, where they differ from it. */
function besides(status: string, words: string): string {
  return words === status ? "" : words;
}
