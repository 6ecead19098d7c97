/** What can be done with long operations. */

import * as vscode from "vscode";
import type { Activity } from "../kit/activityLog.ts";
import { showInformation } from "../kit/notice.ts";
import type { Services } from "../services.ts";
import { ActivityNode } from "../views/activityNode.ts";
import type { CommandsOf } from "../kit/commands.ts";

/** The commands of the Activity view. */
export function commands({ activity }: Services): CommandsOf<"activity"> {
  return {
    "agentOperations.activity.cancel": async (node) => {
      const chosen = node instanceof ActivityNode ? node.activity : await choose(activity.entries);
      chosen?.options.cancel?.();
    },
    "agentOperations.activity.clear": () => activity.clear(),
  };
}

async function choose(entries: readonly Activity[]): Promise<Activity | undefined> {
  const choices = entries
    .filter(({ end, options }) => end === undefined && options.cancel !== undefined)
    .map((activity) => ({
      label: activity.options.title,
      description: activity.waiting ?? activity.steps.at(-1)?.label ?? "",
      activity,
    }));
  if (choices.length === 0) {
    void showInformation("Nothing is going on that could be cancelled.");
    return undefined;
  }
  const title = "Cancel Activity";
  return (await vscode.window.showQuickPick(choices, { title, placeHolder: "What should end?" }))?.activity;
}
