/** What the Deployments view can be asked for: other deployments, one of them, or all of it anew. */

import type * as vscode from "vscode";
import type { Views } from "../../views/index.ts";
import type { Services } from "../../services.ts";
import type { DeploymentRef } from "../../connections/connection.ts";
import { nameOf } from "../../deployments/deploymentFacts.ts";
import { isFiltering } from "../../deployments/deploymentFilter.ts";
import { statusText } from "../../deployments/revisionStatus.ts";
import { versionOf } from "../../deployments/version.ts";
import { type CommandsOf, focusView } from "../../kit/commands.ts";
import { refOf } from "../../kit/ask/meant.ts";
import { chooseByTyping } from "../../kit/ask/typedChoice.ts";
import { NotPossibleError } from "../../kit/remedies.ts";
import { dotted, withoutIcons } from "../../kit/words.ts";
import { askEach } from "../connections/connectionChoice.ts";
import { filterDeployments } from "./deploymentFilters.ts";
import { queryOf } from "./revisionChoice.ts";

type Found = vscode.QuickPickItem & { readonly ref: DeploymentRef };

/** The commands of the view as a whole. */
export function commands(
  services: Services,
  { views }: { readonly views: Pick<Views, "deployments"> },
): CommandsOf<"deployments" | "revisions"> {
  const { deployments } = services;
  const view = views.deployments;
  return {
    "agentOperations.deployments.refresh": () => view.refresh(),
    "agentOperations.deployments.find": () => find(services, view),
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

/** Searches on every platform for what is typed, and shows the chosen deployment in the view. */
async function find(services: Services, view: Views["deployments"]): Promise<void> {
  const { connections, deployments, platforms } = services;
  const asked = connections.list().filter(({ id }) => platforms.hasControlPlane(id));
  if (asked.length === 0)
    throw new NotPossibleError("No connection has deployments.", "Add a platform.", ["addConnection"]);
  const chosen = await chooseByTyping<Found>({
    title: "Find Deployment",
    placeholder: "A part of its name, or its ID: every platform is asked",
    find: (text, signal) =>
      askEach(asked, async ({ id: connectionId, name: connection }) => {
        const plane = await platforms.controlPlane(connectionId);
        const page = await plane.deployments.page(queryOf(text), { signal });
        return page.deployments.map((deployment) => ({
          label: withoutIcons(nameOf({ id: deployment.id, deployment })),
          description: withoutIcons(
            dotted([
              connection,
              versionOf(deployment.source_revision_config) ?? "",
              statusText(deployment.status ?? ""),
            ]),
          ),
          detail: deployment.id,
          alwaysShow: true,
          ref: { connectionId, deploymentId: deployment.id },
        }));
      }),
    id: ({ ref }) => `${ref.connectionId} ${ref.deploymentId}`,
  });
  // What a filter hides can't be shown.
  const { order } = deployments.filter;
  if (isFiltering(deployments.filter)) await deployments.setFilter(order === undefined ? {} : { order });
  await focusView("deployments");
  await view.reveal(chosen.ref);
}
