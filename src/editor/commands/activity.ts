/** What can be done with long operations. */

import { CancellationError } from "vscode";
import { Activity } from "../kit/activityLog.ts";
import { showInformation } from "../kit/notice.ts";
import type { Services } from "../services.ts";
import { refIn } from "../kit/ask/meant.ts";
import { askChoice } from "../kit/ask/questions.ts";
import type { CommandsOf } from "../kit/commands.ts";

/** The commands of the Activity view. */
export function commands({ activity }: Services): CommandsOf<"activity"> {
  return {
    "agentOperations.activity.cancel": async (node) => {
      const meant = refIn(node, (value) => (value instanceof Activity ? value : undefined));
      const chosen = meant ?? (await choose(activity.entries));
      chosen.options.cancel?.();
    },
    "agentOperations.activity.clear": () => activity.clear(),
  };
}

async function choose(entries: readonly Activity[]): Promise<Activity> {
  const choices = entries
    .filter(({ end, options }) => end === undefined && options.cancel !== undefined)
    .map((value) => ({
      label: value.options.title,
      description: value.waiting ?? value.steps.at(-1)?.label ?? "",
      value,
    }));
  if (choices.length === 0) {
    void showInformation("Nothing is going on that could be cancelled.");
    throw new CancellationError();
  }
  return askChoice({ title: "Cancel Activity" }, choices, { placeholder: "What should end?" });
}
