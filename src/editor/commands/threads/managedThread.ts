/** What can be done with threads of managed agents beyond what any thread allows: pins, and changes of many at once. */

import * as vscode from "vscode";
import type { ManagedThreadUpdate } from "../../../api/managedAgents/wire.ts";
import { problemText, readJsonObject } from "../../../run/json/jsonText.ts";
import { threadOf, type ThreadRef } from "../../connections/connection.ts";
import { counted } from "../../kit/words.ts";
import { VIEWS } from "../../kit/ids.ts";
import { showStatus, showWarning, working } from "../../kit/notice.ts";
import { NotPossibleError } from "../../kit/remedies.ts";
import type { Services } from "../../services.ts";
import type { RunPanels } from "../../runPanel/runPanels.ts";
import { runOnThread } from "../agents/agentRun.ts";
import type { Views } from "../../views/index.ts";
import type { AgentsView } from "../../views/agents/agents.ts";
import { askChoice, askText } from "../../kit/ask/questions.ts";
import type { CommandsOf } from "../../kit/commands.ts";
import { rowsMeant } from "../../kit/ask/meant.ts";

/** The commands that only managed agents' threads have. */
export function commands(
  services: Services,
  { views, panels }: { readonly views: Pick<Views, "agents">; readonly panels: RunPanels },
): CommandsOf<"agentThread"> {
  const view = views.agents;
  const change = async (
    args: readonly unknown[],
    ask: (count: number) => Promise<ManagedThreadUpdate>,
  ): Promise<void> => {
    const threads = managedThreads(view, args);
    if (threads.length === 0) {
      throw new NotPossibleError(
        "No thread of a managed agent is selected.",
        "Select threads in the Agents view first.",
      );
    }
    await bulkChange(services, threads, await ask(threads.length));
  };
  return {
    "agentOperations.agentThread.pin": (...args) => change(args, () => Promise.resolve({ is_pinned: true })),
    "agentOperations.agentThread.unpin": (...args) =>
      change(args, () => Promise.resolve({ is_pinned: false })),
    "agentOperations.agentThread.change": (...args) => change(args, askChange),
    "agentOperations.agentThread.runInBackground": async (node) => {
      const thread = threadOf(node) ?? panels.active;
      if (thread?.server.kind !== "managedAgent") {
        throw new NotPossibleError(
          "Only threads of managed agents run in the background.",
          "Open the thread and send what is to be said.",
        );
      }
      await runOnThread(services, panels, thread, thread.server.agentId);
    },
  };
}

/** The clicked row with all that are selected; from the palette, those that are selected. */
function managedThreads(view: AgentsView, args: readonly unknown[]): readonly ThreadRef[] {
  const rows = view.selectedThreads;
  const meant = rowsMeant(args, threadOf, [{ viewId: VIEWS.agents, rows }]) ?? rows;
  return meant.filter(({ server }) => server.kind === "managedAgent");
}

async function askChange(count: number): Promise<ManagedThreadUpdate> {
  const heading = { title: `Change ${counted(count, "Thread")}` };
  const choices = [
    { label: "Pin", value: "pin" as const },
    { label: "Unpin", value: "unpin" as const },
    { label: "Rename…", value: "title" as const },
    { label: "Set Metadata…", value: "metadata" as const },
  ];
  const change = await askChoice(heading, choices, { placeholder: "What do you want to change?" });
  switch (change) {
    case "pin":
      return { is_pinned: true };
    case "unpin":
      return { is_pinned: false };
    case "title":
      return { title: given(await askText(heading, { prompt: "The same name for all of them." })) };
    case "metadata": {
      const typed = await askText(heading, {
        prompt: "A JSON object; its members are added to what each thread has.",
        placeholder: '{"ticket": "4711"}',
        problem: (text) => (text === "" ? undefined : metadataProblem(text)),
      });
      return { metadata: JSON.parse(given(typed)) as NonNullable<ManagedThreadUpdate["metadata"]> };
    }
    default:
      return change satisfies never;
  }
}

/** An answer that is left empty changes nothing. */
function given(text: string): string {
  if (text === "") throw new vscode.CancellationError();
  return text;
}

/** Changes all it can, and tells once how it went. */
async function bulkChange(
  { managedThreads, log }: Services,
  threads: readonly ThreadRef[],
  data: ManagedThreadUpdate,
): Promise<void> {
  const work = () => managedThreads.modify(threads, data);
  const results = await working("Changing threads", work, { viewId: VIEWS.agents });
  const failed = results.filter(({ status }) => status !== "success");
  for (const { id, error_code: code = "", message = "" } of failed)
    log.warn(`Thread ${id} was not changed: ${[code, message].filter((part) => part !== "").join(" ")}`);
  const [first] = failed;
  if (first === undefined) {
    showStatus(`${counted(results.length, "thread")} changed`, 3000);
    return;
  }
  const why = first.message ?? first.error_code ?? "the platform does not say why";
  const text = `${String(failed.length)} of ${String(results.length)} threads were not changed: ${why}`;
  void showWarning(text, "Show Log").then((button) => {
    if (button !== undefined) log.show();
  });
}

function metadataProblem(text: string): string | undefined {
  const reading = readJsonObject(text);
  return "problem" in reading ? problemText(reading.problem) : undefined;
}
