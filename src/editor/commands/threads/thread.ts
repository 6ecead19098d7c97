/** What can be done with a thread. */

import * as vscode from "vscode";
import type { ThreadCapability } from "../../../run/panel/messages.ts";
import type { ThreadRef } from "../../connections/connection.ts";
import { connectedServerIn } from "../../connections/serverRef.ts";
import type { ConnectedServer } from "../../connections/serverRef.ts";
import type { ThreadStateDocuments } from "../../documents/threadState.ts";
import { VIEWS } from "../../kit/ids.ts";
import type { RunPanels } from "../../runPanel/runPanels.ts";
import type { Services } from "../../services.ts";
import { branchOf } from "../../views/deployments/deploymentsTree.ts";
import type { Views } from "../../views/index.ts";
import { copyLines } from "../../kit/ask/clipboard.ts";
import type { CommandsOf } from "../../kit/commands.ts";
import { chooseAgentServer, chooseThread } from "./threadChoice.ts";
import { confirmDelete, deleteThreads } from "./threadDelete.ts";
import { openEarlierState } from "./threadHistory.ts";
import { threadOf, threadsMeant } from "./threadsMeant.ts";

/** What the commands work with. */
export interface ThreadPlaces {
  readonly views: Pick<Views, "deployments" | "agents" | "inbox">;
  readonly panels: RunPanels;
  readonly states: ThreadStateDocuments;
}

/** Each handler takes the ids at once: rows may be replaced while a person is asked. */
export function commands(services: Services, places: ThreadPlaces): CommandsOf<"thread"> {
  const { panels, states } = places;
  return {
    "agentOperations.thread.new": async (node) => {
      const server = serverOf(node) ?? (await chooseAgentServer(services, "New Thread"));
      if (server !== undefined) panels.openNew(server);
    },
    "agentOperations.thread.open": async (...args) => {
      // From the palette another thread is wanted than the one in front.
      const [thread = await chooseThread(services, "Open Thread")] = args.flatMap(
        (value) => threadOf(value) ?? [],
      );
      if (thread !== undefined) panels.open(thread);
    },
    "agentOperations.thread.rename": async (...args) => {
      const thread = await oneThread(services, places, args, "Rename Thread");
      if (thread !== undefined) await rename(services, places, thread);
    },
    "agentOperations.thread.delete": async (...args) => {
      await remove(services, places, await someThreads(services, places, args, "Delete Thread"));
    },
    "agentOperations.thread.copyId": async (...args) => {
      const threads = await someThreads(services, places, args, "Copy Thread ID");
      await copyLines(
        threads.map(({ threadId }) => threadId),
        "thread ID",
      );
    },
    "agentOperations.thread.openState": async (...args) => {
      const thread = await oneThread(services, places, args, "Open Thread State");
      if (thread !== undefined) await states.open(thread);
    },
    "agentOperations.thread.openEarlierState": async (...args) => {
      const thread = await oneThread(services, places, args, "Open Earlier State");
      if (thread === undefined) return;
      refuse(services, [thread], "history");
      await openEarlierState(services, states, thread);
    },
  };
}

/** The agent server of a row, or the one that another caller names, if only by its deployment. */
function serverOf(value: unknown): ConnectedServer | undefined {
  const branch = branchOf(value);
  if (branch !== undefined) return branch.ref;
  const named = connectedServerIn(value);
  if (named !== undefined || typeof value !== "object" || value === null) return named;
  const { connectionId, deploymentId } = value as Readonly<Record<string, unknown>>;
  return typeof connectionId === "string" && typeof deploymentId === "string"
    ? { connectionId, server: { kind: "deployment", deploymentId } }
    : undefined;
}

async function rename(services: Services, places: ThreadPlaces, thread: ThreadRef): Promise<void> {
  const { views, panels } = places;
  refuse(services, [thread], "rename");
  const title = titleOf(services, places, thread) ?? "";
  const typed = await vscode.window.showInputBox({
    ignoreFocusOut: true,
    title: "Rename Thread",
    value: title,
    prompt: "The name is kept with the thread on the server.",
    validateInput: (value) => (value.trim() === "" ? "Enter a name." : undefined),
  });
  if (typed === undefined || typed.trim() === title) return;
  await services.threadHosts.of(thread).rename(thread.threadId, typed.trim());
  panels.renamed(thread, typed.trim());
  services.agents.threadChanged(thread);
  await views.deployments.refreshThread(thread);
}

async function remove(
  services: Services,
  places: ThreadPlaces,
  threads: readonly ThreadRef[],
): Promise<void> {
  const { views, panels } = places;
  const [first] = threads;
  refuse(services, threads, "delete");
  if (first === undefined || !(await confirmDelete(threads, titleOf(services, places, first)))) return;
  await deleteThreads(threads, services, (deleted) => {
    views.deployments.forget(deleted);
    for (const thread of deleted) {
      services.agents.threadChanged(thread);
      panels.deleted(thread);
    }
  });
  await views.inbox.refreshSeen();
}

/** Keys and the palette reach what no menu offers: refuses what can be done with none of the threads. */
function refuse({ threadHosts }: Services, threads: readonly ThreadRef[], ability: ThreadCapability): void {
  const refusals = threads.map((thread) => threadHosts.of(thread).unsupported.get(ability));
  const [first] = refusals;
  if (first !== undefined && !refusals.includes(undefined)) throw first;
}

async function oneThread(
  services: Services,
  places: ThreadPlaces,
  args: readonly unknown[],
  title: string,
): Promise<ThreadRef | undefined> {
  return (await someThreads(services, places, args, title))[0];
}

/** Asks for a thread when the command was started on none. */
async function someThreads(
  services: Services,
  places: ThreadPlaces,
  args: readonly unknown[],
  title: string,
): Promise<readonly ThreadRef[]> {
  const { views, panels } = places;
  const selections = [
    { viewId: VIEWS.deployments, rows: views.deployments.selectedThreads },
    { viewId: VIEWS.agents, rows: views.agents.selectedThreads },
  ];
  const meant = threadsMeant({ selections, panels }, args);
  if (meant !== undefined) return meant;
  const chosen = await chooseThread(services, title);
  return chosen === undefined ? [] : [chosen];
}

/** What the views and panels call the thread. */
function titleOf(
  { agents }: Services,
  { views, panels }: ThreadPlaces,
  thread: ThreadRef,
): string | undefined {
  return views.deployments.titleOf(thread) ?? agents.threadTitle(thread) ?? panels.titleOf(thread);
}
