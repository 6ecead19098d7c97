/** Asks which deployments the Deployments view is to show. */

import { knownDeploymentStatuses } from "../../../api/controlPlane/status.ts";
import { statusWords } from "../../deployments/revisionStatus.ts";
import type { DeploymentsView } from "../../views/deployments/deployments.ts";
import { askChoice, askText, askThen } from "../../kit/ask/questions.ts";

/** First a part of the name, then a status; both may be left open. */
export async function filterDeployments(view: DeploymentsView): Promise<void> {
  const title = "Filter Deployments";
  const { name: before = "", status: current = "" } = view.deploymentFilter;
  let name = before;
  const askName = async (): Promise<void> => {
    name = await askText(
      { title, step: 1, totalSteps: 2 },
      { prompt: "A part of the name. Leave it empty for any name.", placeholder: "support", value: name },
    );
  };
  const askStatus = (): Promise<string> => {
    const statuses = [...new Set([...knownDeploymentStatuses, ...view.deploymentStatuses])];
    const choices = [
      { label: "Any status", value: "" },
      ...statuses.map((status) => ({ label: status, description: wordsBeside(status), value: status })),
    ];
    const place = { title, step: 2, totalSteps: 2, canGoBack: true };
    return askChoice(place, choices, { placeholder: "In which status?", active: current });
  };
  const status = await askThen(askName, askStatus);
  await view.setDeploymentFilter({
    ...(name === "" ? {} : { name }),
    ...(status === "" ? {} : { status }),
  });
}

function wordsBeside(status: string): string {
  const words = statusWords(status);
  return words === status ? "" : words;
}
