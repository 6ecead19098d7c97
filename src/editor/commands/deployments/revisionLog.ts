/** What can be done with an open log: follow it, pause it, show only some of its lines. */

import type { RevisionLogs, OpenLog } from "../../documents/revisionLogs.ts";
import { LOG_LEVELS } from "../../deployments/logs/logLine.ts";
import type { LogFilter } from "../../deployments/logs/logBuffer.ts";
import type { Services } from "../../services.ts";
import type { CommandsOf } from "../../kit/commands.ts";
import { askSteps } from "../../kit/ask/form.ts";
import { askChoice, askText } from "../../kit/ask/questions.ts";
import * as vscode from "vscode";

/** The commands of the log in front. */
export function commands(
  _services: Services,
  { logs }: { readonly logs: RevisionLogs },
): CommandsOf<"revisionLog"> {
  const withLog =
    (act: (log: OpenLog) => Promise<void> | void) =>
    async (uri: unknown): Promise<void> => {
      const log = uri instanceof vscode.Uri ? logs.get(uri) : logs.active;
      if (log !== undefined) await act(log);
    };
  return {
    "agentOperations.revisionLog.follow": withLog((log) => logs.follow(log, true)),
    "agentOperations.revisionLog.pause": withLog((log) => logs.follow(log, false)),
    "agentOperations.revisionLog.filter": withLog(async (log) => {
      logs.filter(log, await askFilter(log.tail.filter));
    }),
  };
}

/** Level, then text, with a way back. */
async function askFilter(before: LogFilter): Promise<LogFilter> {
  const { level, text } = await askSteps({ title: "Filter Log" }, before, () => [
    async (heading, filter) => {
      const levels = [
        { label: "All levels", value: undefined },
        ...LOG_LEVELS.slice(1).map((name) => ({ label: `${name} and above`, value: name })),
      ];
      const placeholder = "Which lines? Levels that are not known are always shown.";
      return { ...filter, level: await askChoice(heading, levels, { placeholder, active: filter.level }) };
    },
    async (heading, filter) => {
      const prompt = "Text that the lines hold; leave it empty for all.";
      return { ...filter, text: await askText(heading, { prompt, value: filter.text ?? "" }) };
    },
  ]);
  return { level, text: text || undefined };
}
