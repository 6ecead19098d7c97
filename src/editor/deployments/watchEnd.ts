/** The one notification at the end of a watch: what became of the revision, and what to do next. */

import * as vscode from "vscode";
import type { WatchedRevision } from "../connections/connection.ts";
import { durationText } from "../kit/duration.ts";
import type { CommandId } from "../kit/ids.ts";
import { showError, showInformation, showWarning } from "../kit/notice.ts";
import type { Report } from "../kit/report.ts";
import { statusText } from "./revisionStatus.ts";
import type { WatchState } from "./revisionWatch.ts";

interface Button extends vscode.MessageItem {
  readonly command: CommandId;
}

const run: Button = { title: "Run", command: "agentOperations.thread.new" };
const openLog: Button = { title: "Open Log", command: "agentOperations.revision.openLog" };
const watchAgain: Button = { title: "Watch Again", command: "agentOperations.revision.watch" };

/** Tells the end, with the buttons that go on from there. */
export function tellEnd(
  watched: WatchedRevision,
  { end, status = "", error }: WatchState & { readonly kind: "ended" },
  report: Report,
): void {
  const { name, startedAt, connectionId } = watched;
  const after = durationText(Date.now() - startedAt);
  const ask = (shown: Thenable<Button | undefined>): void => {
    void shown.then((button) => button && vscode.commands.executeCommand(button.command, watched));
  };
  switch (end) {
    case "done":
      ask(showInformation(`${name} is deployed, after ${after}.`, run, openLog));
      break;
    case "failed":
      ask(showError(`${name}: ${statusText(status)}, after ${after}.`, openLog));
      break;
    case "stopped":
      ask(showWarning(`${name}: the revision was ${stopWords(status)}.`, openLog));
      break;
    case "gone":
      ask(showWarning<Button>(`${name} was deleted while its revision was watched.`));
      break;
    case "deadline": {
      const still = status === "" ? "was not heard of" : `is still at “${statusText(status)}”`;
      ask(showWarning(`${name} ${still} after ${after}.`, watchAgain, openLog));
      break;
    }
    case "refused":
      report.failure(`Watch ${name}`, error, { connectionId });
      break;
    case "cancelled":
      break;
    default:
      end satisfies never;
  }
}

function stopWords(status: string): string {
  return status === "SKIPPED" ? "skipped, a newer one takes its place" : statusText(status).toLowerCase();
}
