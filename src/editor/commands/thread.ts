/** What can be done with a thread. */

import * as vscode from "vscode";
import type { ThreadRef } from "../connection.ts";
import type { ThreadStateDocuments } from "../documents/threadState.ts";
import type { RunPanels } from "../runPanel/runPanels.ts";
import type { Services } from "../services.ts";
import type { DeploymentsView } from "../views/deployments.ts";
import { AgentServerNode } from "../views/agentServerNode.ts";
import { ThreadNode } from "../views/threadNode.ts";
import type { CommandTable } from "./index.ts";
import { chooseAgentServer, chooseThread } from "./threadChoice.ts";
import { confirmDelete, deleteThreads } from "./threadDelete.ts";

type ThreadCommand =
  | "agentOperations.thread.new"
  | "agentOperations.thread.open"
  | "agentOperations.thread.rename"
  | "agentOperations.thread.delete"
  | "agentOperations.thread.copyId"
  | "agentOperations.thread.openState";

/** What the commands work with. */
export interface ThreadPlaces {
  readonly view: DeploymentsView;
  readonly panels: RunPanels;
  readonly states: ThreadStateDocuments;
}

/** Each handler takes the ids at once: rows may be replaced while a person is asked. */
export function threadCommands(services: Services, places: ThreadPlaces): Pick<CommandTable, ThreadCommand> {
  const { panels, states } = places;
  return {
    "agentOperations.thread.new": async (node) => {
      const server =
        node instanceof AgentServerNode ? node.ref : await chooseAgentServer(services, "New Thread");
      if (server !== undefined) panels.openNew(server);
    },
    "agentOperations.thread.open": async (...args) => {
      // From the palette another thread is wanted than the one in front.
      const [thread = await chooseThread(services, "Open Thread")] = args.flatMap(
        (value) => refOf(value) ?? [],
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
      if (threads.length === 0) return;
      await vscode.env.clipboard.writeText(threads.map(({ threadId }) => threadId).join("\n"));
      const what = threads.length === 1 ? "Thread ID" : `${String(threads.length)} thread IDs`;
      vscode.window.setStatusBarMessage(`${what} copied`, 3000);
    },
    "agentOperations.thread.openState": async (...args) => {
      const thread = await oneThread(services, places, args, "Open Thread State");
      if (thread !== undefined) await states.open(thread);
    },
  };
}

async function rename(services: Services, { view, panels }: ThreadPlaces, thread: ThreadRef): Promise<void> {
  const client = await services.agentServers.client(thread);
  const title = view.titleOf(thread) ?? panels.titleOf(thread) ?? "";
  const typed = await vscode.window.showInputBox({
    title: "Rename Thread",
    value: title,
    prompt: "The name is kept with the thread, as metadata.title.",
    validateInput: (value) => (value.trim() === "" ? "Enter a name." : undefined),
  });
  if (typed === undefined || typed.trim() === title) return;
  await client.threads.patch(thread.threadId, { metadata: { title: typed.trim() } });
  panels.renamed(thread, typed.trim());
  await view.refreshThread(thread);
}

async function remove(
  services: Services,
  { view, panels }: ThreadPlaces,
  threads: readonly ThreadRef[],
): Promise<void> {
  const [first] = threads;
  if (first === undefined || !(await confirmDelete(threads, view.titleOf(first) ?? panels.titleOf(first))))
    return;
  await deleteThreads(threads, services, (deleted) => {
    view.forget(deleted);
    for (const thread of deleted) panels.deleted(thread);
  });
}

async function oneThread(
  services: Services,
  places: ThreadPlaces,
  args: readonly unknown[],
  title: string,
): Promise<ThreadRef | undefined> {
  return namedThreads(places, args)[0] ?? (await chooseThread(services, title));
}

async function someThreads(
  services: Services,
  places: ThreadPlaces,
  args: readonly unknown[],
  title: string,
): Promise<readonly ThreadRef[]> {
  const named = namedThreads(places, args);
  if (named.length > 0) return named;
  const chosen = await chooseThread(services, title);
  return chosen === undefined ? [] : [chosen];
}

/**
 * The threads that a command was started on: the clicked row with all that are selected, a thread itself,
 * the view's selection for a key, or the panel that is in front.
 */
function namedThreads({ view, panels }: ThreadPlaces, args: readonly unknown[]): readonly ThreadRef[] {
  const [clicked, selected] = args;
  if (clicked === "selection") return view.selectedThreads;
  const named = (Array.isArray(selected) && selected.length > 0 ? selected : [clicked]).flatMap(
    (value: unknown) => refOf(value) ?? [],
  );
  const active = panels.active;
  return named.length > 0 || active === undefined ? named : [active];
}

function refOf(value: unknown): ThreadRef | undefined {
  if (value instanceof ThreadNode) return value.ref;
  return isThreadRef(value) ? value : undefined;
}

function isThreadRef(value: unknown): value is ThreadRef {
  if (typeof value !== "object" || value === null) return false;
  return (
    "connectionId" in value &&
    "serverId" in value &&
    "threadId" in value &&
    typeof value.threadId === "string"
  );
}
