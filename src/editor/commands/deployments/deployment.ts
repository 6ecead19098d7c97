/** What can be done with a deployment, apart from creating and changing it. */

import * as vscode from "vscode";
import type { Deployment } from "../../../api/controlPlane/wire.ts";
import { ApiError } from "../../../api/errors.ts";
import type { DeploymentRef } from "../../connections/connection.ts";
import { NotPossibleError } from "../../kit/remedies.ts";
import { deploymentPage } from "../../deployments/consoleUrl.ts";
import { showWarning } from "../../kit/notice.ts";
import { nameOf } from "../../deployments/deploymentRow.ts";
import type { Services } from "../../services.ts";
import type { Views } from "../../views/index.ts";
import { deploymentDraftCommands } from "./deploymentDraft.ts";
import type { DraftPlaces } from "./deploymentDraft.ts";
import { deploymentQuickCommands } from "./deploymentQuick.ts";
import { chooseConnection } from "../connections/connectionChoice.ts";
import { deleteDeployments } from "./deploymentDelete.ts";
import { copyLines } from "../../kit/ask/clipboard.ts";
import type { CommandsOf } from "../../kit/commands.ts";
import { chooseDeployment, deploymentOf } from "./revisionChoice.ts";
import { askText } from "../../kit/ask/questions.ts";

/** The commands of deployments that are there. */
export function commands(
  services: Services,
  { views, drafts, servers }: DraftPlaces & { readonly views: Pick<Views, "deployments"> },
): CommandsOf<"deployment"> {
  const meant = (args: readonly unknown[], title: string) => deploymentsMeant(services, args, title);
  const view = views.deployments;
  return {
    ...deploymentQuickCommands(services, drafts),
    ...deploymentDraftCommands(services, { drafts, servers }),
    "agentOperations.deployment.addById": (node) => addById(services, node),
    "agentOperations.deployment.removeFromList": async (...args) => {
      for (const ref of await meant(args, "Remove Deployment from List"))
        await services.deployments.memory.remove(ref);
    },
    "agentOperations.deployment.delete": async (...args) => {
      const refs = await meant(args, "Delete Deployment");
      await deleteDeployments(services, refs, (ref) => view.nameOf(ref));
    },
    "agentOperations.deployment.openConsole": async (...args) => {
      for (const ref of await meant(args, "Open Deployment in Web Console")) {
        const page = deploymentPage(
          services.connections.resolve(ref.connectionId),
          await read(services, ref),
        );
        await vscode.env.openExternal(vscode.Uri.parse(page, true));
      }
    },
    "agentOperations.deployment.copyId": async (...args) => {
      const refs = await meant(args, "Copy Deployment ID");
      await copyLines(
        refs.map(({ deploymentId }) => deploymentId),
        "deployment ID",
      );
    },
    "agentOperations.deployment.copyUrl": async (...args) => {
      const refs = await meant(args, "Copy Deployment URL");
      const servers = await Promise.all(refs.map((ref) => serverOf(services, ref)));
      await copyLines(
        servers.map(({ url }) => url),
        "deployment URL",
      );
    },
    "agentOperations.deployment.allowKey": async (...args) => {
      const [ref] = await meant(args, "Send API Key to a Deployment");
      if (ref !== undefined) await allowKey(services, ref);
    },
  };
}

/** The clicked row with all that are selected, a deployment itself, or the one that a person chooses. */
async function deploymentsMeant(
  services: Services,
  [clicked, selected]: readonly unknown[],
  title: string,
): Promise<readonly DeploymentRef[]> {
  const values: readonly unknown[] = Array.isArray(selected) && selected.length > 0 ? selected : [clicked];
  const named = values.flatMap((value) => deploymentOf(value) ?? []);
  if (named.length > 0) return named;
  const chosen = await chooseDeployment(services, title);
  return chosen === undefined ? [] : [chosen];
}

async function addById(services: Services, node: unknown): Promise<void> {
  const connection = await chooseConnection(services, node, {
    placeholder: "On which platform is the deployment?",
    accept: ({ id }) => services.platforms.hasControlPlane(id),
  });
  if (connection === undefined) return;
  const { deployments } = await services.platforms.controlPlane(connection.id);
  let found: Deployment | undefined;
  await askText(
    { title: `Add Deployment of "${connection.name}"` },
    {
      prompt: "Id of a deployment that is there already. It is shown until you remove it from the list.",
      placeholder: "6f3e2a10-5a4e-4c0e-9a52-0d5c0c3f7b11",
      problem: (typed) => (/^[^\s/?#]+$/.test(typed) ? undefined : "Enter the deployment's id."),
      check: async (id, signal) => {
        try {
          found = await deployments.get(id, { signal });
          return undefined;
        } catch (error) {
          if (!(error instanceof ApiError) || !["notFound", "invalid"].includes(error.kind)) throw error;
          return error.detail ?? "There is no deployment with this id.";
        }
      },
    },
  );
  if (found === undefined) return;
  await services.deployments.memory.add({ connectionId: connection.id, deploymentId: found.id }, "added");
  vscode.window.setStatusBarMessage(`${nameOf({ id: found.id, deployment: found })} is in the list`, 5000);
}

/** Whoever runs the server could use the key: the person must know where it goes. */
async function allowKey(services: Services, ref: DeploymentRef): Promise<void> {
  const { url, name } = await serverOf(services, ref);
  const { origin } = new URL(url);
  const connection = services.connections.resolve(ref.connectionId);
  const confirmed = await showWarning(
    `Send the API key of “${connection.name}” to ${origin}?`,
    {
      modal: true,
      detail: `The deployment “${name}” is there. Whoever runs this server can use the key; allow it only if you trust them.`,
    },
    "Send Key",
  );
  if (confirmed !== undefined) await services.apiKeys.allow(ref.connectionId, url);
}

async function serverOf(services: Services, ref: DeploymentRef) {
  const server = await services.deployments.server(ref);
  if (server !== undefined) return server;
  const what = `The deployment ${ref.deploymentId} has no address yet.`;
  throw new NotPossibleError(what, "Wait until a revision of it is deployed.", ["retry"]);
}

async function read(
  { platforms }: Services,
  { connectionId, deploymentId }: DeploymentRef,
): Promise<Deployment> {
  const { deployments } = await platforms.controlPlane(connectionId);
  return deployments.get(deploymentId);
}
