/** The outline of a thread: its runs, to choose one from. */

import * as vscode from "vscode";
import { runsIn, waitingRuns } from "../../../run/panel/landmarks.ts";
import type { RunEntry } from "../../../run/panel/transcript.ts";
import { askChoice, type Choice } from "../../kit/ask/questions.ts";
import { NotPossibleError } from "../../kit/remedies.ts";
import type { RunPanel } from "../../runPanel/runPanel.ts";
import { dotted, durationText, localTime } from "../../kit/words.ts";
import { themeIcon } from "../../kit/tree/rowItem.ts";
import { statusIcon } from "../../threads/threadStatus.ts";

const longestLabel = 90;

/** Lets a person choose among the runs of a panel's thread, the newest first; the id of its entry. */
export async function chooseRun(panel: RunPanel | undefined, title = "Go to Run"): Promise<string> {
  const choices = panel === undefined ? [] : runChoices(panel);
  if (choices.length === 0)
    throw new NotPossibleError("This thread has no runs yet.", "Write a message and run it.");
  return askChoice({ title }, choices, {
    placeholder: "A run of this thread, the newest first",
  });
}

/** The runs of a panel's thread, the newest first, each by the id of its entry. */
export function runChoices(panel: RunPanel): readonly Choice<string>[] {
  const { entries } = panel.session;
  const waiting = waitingRuns(entries);
  const rows = runsIn(entries).map(({ run, asked }, index): Choice<string> => {
    const status = waiting.has(run.runId) ? "waiting" : run.status;
    const agent = panel.assistantName(run.assistantId);
    const asks = asked === undefined ? agent : asked.replace(/\s+/g, " ").trim().slice(0, longestLabel);
    return {
      label: `${String(index + 1)}. ${asks}`,
      description: dotted([asked === undefined ? "" : agent, status, tookOf(run)]),
      detail: run.startedAt === undefined ? "" : localTime(new Date(run.startedAt).toISOString()),
      iconPath: iconOf(status),
      value: run.id,
    };
  });
  return rows.reverse();
}

function tookOf({ startedAt, endedAt }: RunEntry): string {
  return startedAt === undefined || endedAt === undefined ? "" : durationText(endedAt - startedAt);
}

function iconOf(status: string): vscode.ThemeIcon {
  switch (status) {
    case "waiting":
      return themeIcon(statusIcon("interrupted"));
    case "running":
    case "pending":
      return themeIcon(statusIcon("busy"));
    case "error":
    case "timeout":
      return themeIcon(statusIcon("error"));
    case "interrupted":
      return new vscode.ThemeIcon("debug-pause");
    default:
      return new vscode.ThemeIcon("pass", new vscode.ThemeColor("testing.iconPassed"));
  }
}
