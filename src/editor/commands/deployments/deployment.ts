/** What can be done with a deployment, apart from creating and changing it. */

import * as vscode from "vscode";
import type { Deployment } from "../../../api/controlPlane/wire.ts";
import { ApiError } from "../../../api/errors.ts";
import type { DeploymentRef } from "../../connections/connection.ts";
import { listed, withheldFrom } from "../../connections/withheld.ts";
import { NotPossibleError } from "../../kit/remedies.ts";
import { deploymentPage } from "../../deployments/consoleUrl.ts";
import { oneLine } from "../../kit/words.ts";
import { confirmAct, confirmOnEach, strictnessOf } from "../../connections/guard.ts";
import { VIEWS } from "../../kit/ids.ts";
import { confirm, showStatus, working } from "../../kit/notice.ts";
import { nameOf } from "../../deployments/deploymentFacts.ts";
import type { Services } from "../../services.ts";
import type { Views } from "../../views/index.ts";
import { deploymentDraftCommands, type DraftDocuments } from "./draftCommands.ts";
import { create } from "./deploymentQuick.ts";
import { chooseConnection } from "../connections/connectionChoice.ts";
import { promoteDeployment } from "./deploymentPromotion.ts";
import { meant } from "../../kit/ask/meant.ts";
import { copyLines } from "../../kit/ask/clipboard.ts";
import type { CommandsOf } from "../../kit/commands.ts";
import { chooseDeployment } from "./revisionChoice.ts";
import { askText } from "../../kit/ask/questions.ts";

/** Where drafts and rows of deployments are shown. */
type Surfaces = DraftDocuments & { readonly views: Pick<Views, "deployments"> };

/** The commands of deployments that are there. */
export function commands(services: Services, surfaces: Surfaces): CommandsOf<"deployment"> {
  const { views, ...documents } = surfaces;
  const chosen = (args: readonly unknown[], title: string) => deploymentsMeant(services, args, title);
  return {
    ...deploymentDraftCommands(services, documents),
    "agentOperations.deployment.create": async (node) => {
      const made = await create(services, documents.drafts, node);
      if (made !== undefined) await views.deployments.reveal(made);
    },
    "agentOperations.deployment.promote": (node) => promoteDeployment(services, documents, node),
    "agentOperations.deployment.addById": async (node) => {
      const added = await addById(services, node);
      if (added !== undefined) await views.deployments.reveal(added);
    },
    "agentOperations.deployment.removeFromList": async (...args) => {
      for (const ref of await chosen(args, "Remove Deployment from List"))
        await services.deployments.removeFromList(ref);
    },
    "agentOperations.deployment.delete": async (...args) => {
      const refs = await chosen(args, "Delete Deployment");
      await deleteDeployments(services, refs);
    },
    "agentOperations.deployment.openConsole": async (...args) => {
      for (const ref of await chosen(args, "Open Deployment in Web Console")) {
        const page = deploymentPage(
          services.connections.resolve(ref.connectionId),
          await services.deployments.get(ref),
        );
        await vscode.env.openExternal(vscode.Uri.parse(page, true));
      }
    },
    "agentOperations.deployment.copyId": async (...args) => {
      const refs = await chosen(args, "Copy Deployment ID");
      await copyLines(
        refs.map(({ deploymentId }) => deploymentId),
        "deployment ID",
      );
    },
    "agentOperations.deployment.copyUrl": async (...args) => {
      const refs = await chosen(args, "Copy Deployment URL");
      const servers = await Promise.all(refs.map((ref) => serverOf(services, ref)));
      await copyLines(
        servers.map(({ url }) => url),
        "deployment URL",
      );
    },
    "agentOperations.deployment.allowKey": async (...args) => {
      const [ref] = await chosen(args, "Send Key and Headers to a Deployment");
      if (ref !== undefined) await allowKey(services, ref);
    },
  };
}

/** What the command was started on, or the deployment that a person chooses. */
async function deploymentsMeant(
  services: Services,
  args: readonly unknown[],
  title: string,
): Promise<readonly DeploymentRef[]> {
  const named = meant(args, "deploymentId");
  if (named !== undefined) return named;
  return [await chooseDeployment(services, title)];
}

async function addById(services: Services, node: unknown): Promise<DeploymentRef | undefined> {
  const connection = await chooseConnection(services, node, {
    placeholder: "On which platform is the deployment?",
    accept: ({ id }) => services.platforms.hasControlPlane(id),
  });
  const { deployments } = await services.platforms.controlPlane(connection.id);
  let found: Deployment | undefined;
  await askText(
    { title: `Add Deployment of “${connection.name}”` },
    {
      prompt: "ID of a deployment that is there already. It is shown until you remove it from the list.",
      placeholder: "6f3e2a10-5a4e-4c0e-9a52-0d5c0c3f7b11",
      problem: (typed) => (/^[^\s/?#]+$/.test(typed) ? undefined : "Enter the deployment's ID."),
      check: async (id, signal) => {
        try {
          found = await deployments.get(id, { signal });
          return undefined;
        } catch (error) {
          if (!(error instanceof ApiError) || !["notFound", "invalid"].includes(error.kind)) throw error;
          return error.detail ?? "There is no deployment with this ID.";
        }
      },
    },
  );
  if (found === undefined) return undefined;
  const ref = { connectionId: connection.id, deploymentId: found.id };
  await services.deployments.addById(ref);
  showStatus(`${nameOf({ id: found.id, deployment: found })} is in the list`, 5000);
  return ref;
}

/** Whoever runs the server could use what is sent: the person must know what it is and where it goes. */
async function allowKey(services: Services, ref: DeploymentRef): Promise<void> {
  const { url, name } = await serverOf(services, ref);
  const connection = services.connections.resolve(ref.connectionId);
  const withheld = await withheldFrom(services, ref.connectionId, url);
  if (withheld === undefined) {
    throw new NotPossibleError(
      `Nothing of “${connection.name}” is kept from this server.`,
      "Refresh the view, or set the connection's key or headers.",
      ["retry"],
    );
  }
  const { origin, what } = withheld;
  const question = `Send ${listed(what)} of “${connection.name}” to ${origin}?`;
  const detail = `The deployment “${name}” is there. Whoever runs this server can use what is sent; allow it only if you trust them.`;
  await confirm(question, detail, "Send There");
  await services.apiKeys.allow(ref.connectionId, url);
}

async function serverOf(services: Services, ref: DeploymentRef) {
  const server = await services.deployments.server(ref);
  if (server !== undefined) return server;
  const what = `The deployment ${ref.deploymentId} has no address yet.`;
  throw new NotPossibleError(what, "Wait until a revision of it is deployed.", ["retry"]);
}

const deletedDetail =
  "Its revisions, its agent server and the threads on it are deleted on the platform; its traces stay. This can't be undone.";

interface NamedDeployment extends DeploymentRef {
  readonly name: string;
}

/** Deletes those that a person confirms; failures are reported once. */
async function deleteDeployments(services: Services, refs: readonly DeploymentRef[]): Promise<void> {
  const named = await Promise.all(
    refs.map(async (ref) => ({ ...ref, name: await services.deployments.nameOf(ref) })),
  );
  await confirmAll(services, named);
  const results = await working(
    "Deleting deployments",
    () => Promise.allSettled(named.map((ref) => services.deployments.delete(ref))),
    { viewId: VIEWS.deployments },
  );
  const failures = named.flatMap((ref, index) => {
    const result = results[index];
    return result?.status === "rejected" ? [{ ref, error: result.reason as unknown }] : [];
  });
  const [first] = failures;
  if (first === undefined) return;
  if (named.length === 1) throw first.error;
  const names = failures.map(({ ref }) => ref.name).join(", ");
  services.report.failure(`Not deleted: ${names}`, first.error, { connectionId: first.ref.connectionId });
}

/** Asks about all at once, or about each where a connection is protected; throws CancellationError when the person gives up. */
async function confirmAll({ connections }: Services, named: readonly NamedDeployment[]): Promise<void> {
  const used = named.map((ref) => connections.resolve(ref.connectionId));
  const [first] = used;
  if (named.length > 1 && used.every((one) => strictnessOf(one) === "nothing")) {
    const isOne = used.every((one) => one.id === first?.id);
    const lines = named.map(({ name }, index) =>
      isOne ? oneLine(name) : `${oneLine(name)} on ${used[index]?.name ?? ""}`,
    );
    const question = `Delete ${String(named.length)} deployments?`;
    const detail = `${lines.join(isOne ? ", " : "\n")}\n\n${deletedDetail}`;
    await confirmOnEach(used, { question, detail, verb: "Delete", always: true });
    return;
  }
  for (const ref of named) {
    const question = `Delete the deployment “${ref.name}”?`;
    const act = { name: ref.name, question, detail: deletedDetail, verb: "Delete", always: true };
    await confirmAct(connections.resolve(ref.connectionId), act);
  }
}
