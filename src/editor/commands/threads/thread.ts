/** What can be done with a thread. */

import type { ThreadCapability } from "../../../run/panel/messages.ts";
import { threadOf, type ThreadRef } from "../../connections/connection.ts";
import { confirmOnEach } from "../../connections/guard.ts";
import type { StateEdits } from "../../documents/stateEdits/stateEdits.ts";
import type { ThreadStateDocuments } from "../../documents/threadStates.ts";
import { VIEWS } from "../../kit/ids.ts";
import { showInformation, working } from "../../kit/notice.ts";
import { adviceFor } from "../../kit/remedies.ts";
import type { RunPanels } from "../../runPanel/runPanels.ts";
import type { Services } from "../../services.ts";
import type { Views } from "../../views/index.ts";
import { flagOf, rowsMeant, textOf } from "../../kit/ask/meant.ts";
import { copyLines } from "../../kit/ask/clipboard.ts";
import { askText } from "../../kit/ask/questions.ts";
import type { CommandsOf } from "../../kit/commands.ts";
import { cloneThread } from "./clone.ts";
import { continueInCopy } from "./continueInCopy.ts";
import { chooseRun } from "./runChoice.ts";
import { chooseAgentServer, chooseThread, serverOf } from "./threadChoice.ts";
import { repairThread, actionIn } from "./repair.ts";
import { openEarlierState } from "./threadHistory.ts";

/** What the commands open, and where threads can be selected. */
export interface ThreadSurfaces {
  readonly views: Pick<Views, "deployments" | "agents">;
  readonly panels: RunPanels;
  readonly states: ThreadStateDocuments;
  readonly stateEdits: StateEdits;
}

/** Each handler takes the ids at once: rows may be replaced while a person is asked. */
export function commands(services: Services, surfaces: ThreadSurfaces): CommandsOf<"thread"> {
  const { panels, states } = surfaces;
  return {
    "agentOperations.thread.new": async (node) => {
      // By its key in a run panel another thread is wanted where that one is.
      const beside = flagOf(node, "inFront") ? panels.inFront?.target : undefined;
      const server =
        beside ?? (await serverOf(services, node)) ?? (await chooseAgentServer(services, "New Thread"));
      panels.openNew({ assistantId: textOf(node, "assistantId"), ...server });
    },
    "agentOperations.thread.open": async (...args) => {
      // From the palette another thread is wanted than the one in front.
      const [named] = args.flatMap((value) => threadOf(value) ?? []);
      panels.open(named ?? (await chooseThread(services, "Open Thread")));
    },
    "agentOperations.thread.rename": async (...args) => {
      const thread = await oneThread(services, surfaces, args, "Rename Thread");
      if (thread !== undefined) await rename(services, thread);
    },
    "agentOperations.thread.delete": async (...args) => {
      await remove(services, await someThreads(services, surfaces, args, "Delete Thread"));
    },
    "agentOperations.thread.copyId": async (...args) => {
      const threads = await someThreads(services, surfaces, args, "Copy Thread ID");
      await copyLines(
        threads.map(({ threadId }) => threadId),
        "thread ID",
      );
    },
    "agentOperations.thread.openState": async (...args) => {
      const thread = await oneThread(services, surfaces, args, "Open Thread State");
      if (thread !== undefined) await states.open(thread);
    },
    "agentOperations.thread.openEarlierState": async (...args) => {
      const thread = await oneThread(services, surfaces, args, "Open Earlier State");
      if (thread === undefined) return;
      refuse(services, [thread], "history");
      await openEarlierState(services, states, thread);
    },
    "agentOperations.thread.repair": async (...args) => {
      const action = actionIn(args[0]);
      const thread = await oneThread(services, surfaces, args, "Repair Thread");
      if (thread === undefined) return;
      refuse(services, [thread], "repair");
      await repairThread(services, surfaces, thread, action);
    },
    "agentOperations.thread.continueInCopy": async (...args) => {
      const thread = await oneThread(services, surfaces, args, "Continue Thread in a Copy");
      if (thread === undefined) return;
      refuse(services, [thread], "repair");
      await continueInCopy(services, panels, thread);
    },
    "agentOperations.thread.clone": async (...args) => {
      const thread = await oneThread(services, surfaces, args, "Clone Thread");
      if (thread === undefined) return;
      refuse(services, [thread], "history");
      await cloneThread(services, panels, thread);
    },
    "agentOperations.thread.search": () => panels.search(),
    "agentOperations.thread.timeline": () => panels.timeline(),
    "agentOperations.thread.goToRun": async () => {
      panels.goTo({ entry: await chooseRun(panels.inFront) });
    },
    "agentOperations.thread.nextError": () => {
      if (!panels.goTo("nextError")) void showInformation("Nothing failed in this thread.");
    },
    "agentOperations.thread.nextQuestion": () => {
      if (!panels.goTo("nextQuestion")) void showInformation("No question waits in this thread.");
    },
  };
}

async function rename(services: Services, thread: ThreadRef): Promise<void> {
  refuse(services, [thread], "rename");
  const title = services.threads.titleOf(thread);
  const typed = await askText(
    { title: "Rename Thread" },
    {
      value: title,
      prompt: "The name is kept with the thread on the server.",
      problem: (text) => (text === "" ? "Enter a name." : undefined),
    },
  );
  if (typed !== title) await services.threads.rename(thread, typed);
}

/** Asks once, and tells once when some could not be deleted. */
async function remove(services: Services, threads: readonly ThreadRef[]): Promise<void> {
  const [only, ...others] = threads;
  refuse(services, threads, "delete");
  if (only === undefined) return;
  const one = others.length === 0;
  const what = one ? `the thread “${services.threads.titleOf(only)}”` : `${String(threads.length)} threads`;
  const detail = `${one ? "Its" : "Their"} messages and checkpoints are deleted on the server. This can't be undone.`;
  const used = threads.map(({ connectionId }) => services.connections.resolve(connectionId));
  const question = `Delete ${what}?`;
  await confirmOnEach(used, { question, detail, verb: "Delete", always: true });
  const failures = await working("Deleting threads", () => services.threads.delete(threads), {
    viewId: VIEWS.deployments,
  });
  const [first] = failures;
  if (first === undefined) return;
  for (const { thread, error } of failures)
    services.log.warn(`Thread ${thread.threadId} was not deleted: ${adviceFor(error).message}`);
  if (one) throw first.error;
  const doing = `${String(failures.length)} of ${String(threads.length)} threads were not deleted`;
  services.report.failure(doing, first.error, { connectionId: first.thread.connectionId });
}

/** Keys and the palette reach what no menu offers: refuses what can be done with none of the threads. */
function refuse({ threadHosts }: Services, threads: readonly ThreadRef[], ability: ThreadCapability): void {
  const refusals = threads.map((thread) => threadHosts.of(thread).unsupported.get(ability));
  const [first] = refusals;
  if (first !== undefined && !refusals.includes(undefined)) throw first;
}

async function oneThread(
  services: Services,
  surfaces: ThreadSurfaces,
  args: readonly unknown[],
  title: string,
): Promise<ThreadRef | undefined> {
  return (await someThreads(services, surfaces, args, title))[0];
}

/** Asks for a thread when the command was started on none. */
async function someThreads(
  services: Services,
  surfaces: ThreadSurfaces,
  args: readonly unknown[],
  title: string,
): Promise<readonly ThreadRef[]> {
  const { views, panels } = surfaces;
  const selections = [
    { viewId: VIEWS.deployments, rows: views.deployments.selectedThreads },
    { viewId: VIEWS.agents, rows: views.agents.selectedThreads },
  ];
  const meant = rowsMeant(args, threadOf, selections) ?? (panels.active && [panels.active]);
  if (meant !== undefined) return meant;
  return [await chooseThread(services, title)];
}
