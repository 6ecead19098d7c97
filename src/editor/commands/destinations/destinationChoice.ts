/** Which destination or export a command is about: the row's, or the one that a person chooses. */

import { isOver } from "../../../api/bulkExports/exportStatus.ts";
import { exportName, statusText } from "../../destinations/exportText.ts";
import { NotPossibleError } from "../../kit/remedies.ts";
import type { Services } from "../../services.ts";
import { BranchNode } from "../../kit/tree/branchNode.ts";
import type { DestinationRef } from "../../views/destinations/destinationNodes.ts";
import type { DestinationsView } from "../../views/destinations/destinations.ts";
import type { ExportRef } from "../../views/destinations/exportNodes.ts";
import { askEach } from "../connections/connectionChoice.ts";
import { askChoice } from "../../kit/ask/questions.ts";
import type { Choice } from "../../kit/ask/questions.ts";

/** Undefined when the person gave up; throws NotPossibleError when there is none. */
export async function chooseDestination(
  { platforms }: Services,
  view: DestinationsView,
  node: unknown,
  title: string,
): Promise<DestinationRef | undefined> {
  const named = refOf(node, "destinationId");
  if (named !== undefined) return named as DestinationRef;
  const choices = await askEach(platforms.list(), async ({ id: connectionId, name: connection }) => {
    const { destinations, listed } = await view.source.facts(connectionId);
    return destinations.map(({ id, display_name: name = id, config }): Choice<DestinationRef> => {
      const value = { connectionId, destinationId: id, name, remembered: !listed };
      return { value, label: name, description: [connection, config?.bucket_name ?? ""].join(" · ") };
    });
  });
  return choose(choices, title, "Which destination?", "There is no destination yet.");
}

/** Undefined when the person gave up; throws NotPossibleError when no export of that kind is there. */
export async function chooseExport(
  { platforms }: Services,
  view: DestinationsView,
  node: unknown,
  title: string,
  unfinished: boolean,
): Promise<ExportRef | undefined> {
  const named = refOf(node, "exportId");
  if (named !== undefined) return named as ExportRef;
  const choices = await askEach(platforms.list(), async ({ id: connectionId, name: connection }) => {
    const { jobs } = await view.source.client(connectionId);
    const listed = (await jobs.list()) ?? [];
    return listed
      .filter(({ status }) => !unfinished || !isOver(status))
      .map((job): Choice<ExportRef> => {
        const name = exportName(job);
        const value = { connectionId, exportId: job.id, name, status: job.status };
        return { value, label: name, description: `${connection} · ${statusText(job.status)}` };
      });
  });
  const none = unfinished ? "No export is going on." : "There is no export yet.";
  return choose(choices, title, "Which export?", none);
}

async function choose<T>(
  choices: readonly Choice<T>[],
  title: string,
  placeholder: string,
  none: string,
): Promise<T | undefined> {
  if (choices.length === 0) {
    throw new NotPossibleError(none, `Use "Agents: Create Destination" or "Agents: Export Traces".`);
  }
  return askChoice({ title }, choices, { placeholder });
}

/** The reference that a row or another caller names, if it has that id. */
function refOf(node: unknown, id: "destinationId" | "exportId"): object | undefined {
  const ref: unknown = node instanceof BranchNode ? node.ref : node;
  return typeof ref === "object" && ref !== null && id in ref && "connectionId" in ref ? ref : undefined;
}
