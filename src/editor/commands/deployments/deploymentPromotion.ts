/** A deployment brought to another platform: as a draft there, which is compared and sent like any other. */

import { nameOf } from "../../deployments/deploymentFacts.ts";
import { draftOf, given, objectOf, secretNames } from "../../deployments/drafts/deploymentDraft.ts";
import { draftText } from "../../deployments/drafts/draftText.ts";
import { refOf } from "../../kit/ask/meant.ts";
import { showInformation } from "../../kit/notice.ts";
import { oneLine } from "../../kit/words.ts";
import type { Services } from "../../services.ts";
import { chooseConnection } from "../connections/connectionChoice.ts";
import type { DraftDocuments } from "./draftCommands.ts";
import { chooseDeployment } from "./revisionChoice.ts";

/** Opens a draft on the other platform: of the deployment that is called the same there, else of a new one. */
export async function promoteDeployment(
  services: Services,
  { drafts }: DraftDocuments,
  node: unknown,
): Promise<void> {
  const title = "Promote Deployment";
  const ref = refOf(node, "deploymentId") ?? (await chooseDeployment(services, title));
  const source = await services.deployments.get(ref);
  const connection = await chooseConnection(services, undefined, {
    title: `Promote “${nameOf({ id: source.id, deployment: source })}”`,
    placeholder: "To which platform?",
    accept: ({ id }) => id !== ref.connectionId && services.platforms.hasControlPlane(id),
    none: "There is no other connection with a control plane.",
    alwaysAsk: true,
  });
  const plane = await services.platforms.controlPlane(connection.id);
  const name = source.name ?? source.id;
  const { deployments } = await plane.deployments.page({ name_contains: name, limit: 100 });
  const target = deployments.find((deployment) => deployment.name === name);
  const draft = draftOf(source);
  const fresh = Object.fromEntries(Object.entries(draft).filter(([member]) => member !== "id"));
  const text =
    target === undefined
      ? draftText(fresh)
      : draftText({
          ...draftOf(target),
          source_revision_config: {
            ...objectOf(draftOf(target)["source_revision_config"]),
            ...given(objectOf(draft["source_revision_config"])),
          },
        });
  await drafts.open(`${name} on ${connection.name}`, text, connection.id);
  const missing =
    target === undefined
      ? []
      : secretNames(draft).filter((one) => !secretNames(draftOf(target)).includes(one));
  const connectionName = oneLine(connection.name);
  const words =
    target === undefined
      ? `“${oneLine(name)}” is new on ${connectionName}: the draft is a copy, and its secrets are asked for.`
      : `The draft changes “${oneLine(name)}” on ${connectionName}: only what it is made of is taken over.`;
  const missingSecrets = missing.length === 0 ? "" : ` It has no secret ${missing.join(", ")} there.`;
  void showInformation(`${words}${missingSecrets} Nothing is sent before you compare it.`);
}
