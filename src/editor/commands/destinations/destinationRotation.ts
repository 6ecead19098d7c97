/** Rotating a destination's credentials, with the rules of the change-over before and after. */

import * as vscode from "vscode";
import { bulkExportFailure, type BulkExportFailure } from "../../../api/bulkExports/destinations.ts";
import { isOver, isSchedule } from "../../../api/bulkExports/bulkExport.ts";
import { counted } from "../../kit/words.ts";
import { exportName } from "../../destinations/exportText.ts";
import { askCredentials, keysForService } from "../../destinations/credentials.ts";
import { withoutKeys } from "../../destinations/destinationDraft.ts";
import { abortable, showError, showInformation, showWarning } from "../../kit/notice.ts";
import { adviceText } from "../../kit/remedies.ts";
import { isCancellation } from "../../kit/report.ts";
import type { Services } from "../../services.ts";
import type { DestinationRef } from "../../destinations/destinations.ts";

const rules = [
  "The service tries the new credentials by a test write before it stores them; bucket, prefix, region and endpoint stay as they are.",
  "New export runs use the new credentials at once. Runs that are going on keep the old ones until they end.",
  "So both sets have to work during the change-over, which lasts up to the maximum runtime of one export run: do not revoke the old key before.",
].join("\n\n");

/** Asks for other credentials until the service accepts them, and says when the old ones can be revoked. */
export async function rotate(services: Services, destination: DestinationRef): Promise<void> {
  const { connectionId, name } = destination;
  const question = `Replace the credentials of “${name}”?`;
  const goOn = await showInformation(question, { modal: true, detail: rules }, "Continue");
  if (goOn === undefined) return;
  for (;;) {
    const { values } = await askCredentials({ title: `Rotate Credentials of “${name}”` }, keysForService);
    if (values === undefined) return;
    try {
      await abortable(`Rotating the credentials of “${name}”: the service writes a test file`, (signal) =>
        services.destinations.rotate(destination, values, signal),
      );
      break;
    } catch (error) {
      if (isCancellation(error)) return;
      const failure = bulkExportFailure(error);
      if (failure === undefined) throw error;
      services.log.error(withoutKeys(`Rotate credentials: ${failure.message} ${failure.said}`, values));
      if (!(await again(failure, name, connectionId))) return;
    }
  }
  await notifyChangeOver(services, destination);
}

/** Whether other credentials are to be tried; the old ones are in force as before. */
async function again(failure: BulkExportFailure, name: string, connectionId: string): Promise<boolean> {
  const { cause } = failure;
  const text = `The credentials of “${name}” are as they were. ${adviceText(failure)}`;
  const setKey = "Set API Key";
  const retry = "Enter Other Credentials";
  const refused = cause === "permissionMissing" || cause === "workspaceMissing";
  const chosen = await showError(text, refused ? setKey : retry);
  if (chosen !== setKey) return chosen === retry;
  await vscode.commands.executeCommand("agentOperations.connection.setApiKey", { connectionId });
  return true;
}

async function notifyChangeOver(
  { destinations, exportWatches }: Services,
  { connectionId, destinationId, name }: DestinationRef,
): Promise<void> {
  const going = destinations
    .known(connectionId)
    ?.jobs?.filter(
      ({ status, bulk_export_destination_id: id }) =>
        id === destinationId && !isOver(status) && !isSchedule(status),
    );
  const begun = `New runs of “${name}” use the new credentials from now on.`;
  if (going?.length === 0) {
    void showInformation(`${begun} No export is going on: the old key can be revoked.`);
    return;
  }
  const keep =
    going === undefined
      ? "Runs that are going on keep the old ones: revoke the old key only after the maximum runtime of one run."
      : `${counted(going.length, "export")} going on may still use the old ones: revoke the old key only when they have ended.`;
  const buttons = going === undefined ? [] : ["Watch"];
  const chosen = await showWarning(`${begun} ${keep}`, ...buttons);
  if (chosen === undefined) return;
  for (const job of going ?? []) {
    exportWatches.begin({ connectionId, exportId: job.id, name: exportName(job), status: job.status });
  }
}
