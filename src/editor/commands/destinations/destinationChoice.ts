/** Which destination or export a command is about: the row's, or the one that a person chooses. */

import { isOver } from "../../../api/bulkExports/bulkExport.ts";
import type { DestinationRef, ExportRef } from "../../destinations/destinations.ts";
import { exportName, statusText } from "../../destinations/exportText.ts";
import { markedLabel } from "../../connections/mark.ts";
import { withoutIcons } from "../../kit/words.ts";
import { idsIn, refIn, refOf, textIn } from "../../kit/ask/meant.ts";
import { NotPossibleError } from "../../kit/remedies.ts";
import type { Services } from "../../services.ts";
import { askEach } from "../connections/connectionChoice.ts";
import { askChoice, type Choice } from "../../kit/ask/questions.ts";

/** Throws NotPossibleError when there is none, and CancellationError when the person gave up. */
export async function chooseDestination(
  { destinations: model, platforms }: Services,
  node: unknown,
  title: string,
): Promise<DestinationRef> {
  const named = refOf(node, "destinationId");
  if (named !== undefined) return { name: named.destinationId, ...named };
  const on = refOf(node, "connectionId")?.connectionId;
  const asked = platforms.list().filter(({ id }) => on === undefined || id === on);
  const choices = await askEach(asked, async (setting) => {
    const { id: connectionId } = setting;
    const { destinations } = await model.list(connectionId);
    return destinations.map(({ id, display_name: name = id, config }): Choice<DestinationRef> => {
      const value = { connectionId, destinationId: id, name };
      return {
        value,
        label: withoutIcons(name),
        description: [markedLabel(setting), config?.bucket_name ?? ""].join(" · "),
      };
    });
  });
  if (choices.length === 0)
    throw new NotPossibleError("There is no destination yet.", "Create one first.", ["createDestination"]);
  return askChoice({ title }, choices, { placeholder: "Which destination?" });
}

/** Throws NotPossibleError when no export of that kind is there, and CancellationError when the person gave up. */
export async function chooseExport(
  { destinations: model, platforms }: Services,
  node: unknown,
  title: string,
  unfinished: boolean,
): Promise<ExportRef> {
  const named = refIn(node, exportIn);
  if (named !== undefined) return named;
  const choices = await askEach(platforms.list(), async (setting) => {
    const { id: connectionId } = setting;
    const { jobs = [] } = await model.list(connectionId);
    return jobs
      .filter(({ status }) => !unfinished || !isOver(status))
      .map((job): Choice<ExportRef> => {
        const name = exportName(job);
        const value = { connectionId, exportId: job.id, name, status: job.status };
        return {
          value,
          label: withoutIcons(name),
          description: `${markedLabel(setting)} · ${statusText(job.status)}`,
        };
      });
  });
  if (choices.length === 0) {
    const none = unfinished ? "No export is going on." : "There is no export yet.";
    throw new NotPossibleError(none, "Export traces first.", ["exportTraces"]);
  }
  return askChoice({ title }, choices, { placeholder: "Which export?" });
}

/** What an export's reference names; a caller that does not know the status leaves it out. */
function exportIn(value: unknown): ExportRef | undefined {
  const named = idsIn(value, "exportId");
  return named && { name: named.exportId, ...named, status: textIn(value, "status") ?? "" };
}
