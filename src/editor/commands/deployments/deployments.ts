/** What the Deployments view can be asked for: other threads, in another order, or anew. */

import * as vscode from "vscode";
import type { Views } from "../../views/index.ts";
import type { Services } from "../../services.ts";
import type { DeploymentsView } from "../../views/deployments/deployments.ts";
import type { ListRef } from "../../views/threads/serverRows.ts";
import { KNOWN_STATUSES } from "../../threads/serverThreads.ts";
import { statusWords } from "../../views/threads/threadNode.ts";
import { filterDeployments } from "./deploymentFilter.ts";
import { focusView } from "../../kit/commands.ts";
import { refOf } from "../../kit/ask/meant.ts";
import type { CommandsOf } from "../../kit/commands.ts";
import { deploymentOf } from "./revisionChoice.ts";

/** The commands of the view as a whole. */
export function commands(
  _services: Services,
  { views }: { readonly views: Pick<Views, "deployments"> },
): CommandsOf<"deployments" | "revisions" | "threads"> {
  const view = views.deployments;
  return {
    "agentOperations.deployments.refresh": () => view.refresh(),
    "agentOperations.deployments.find": find,
    "agentOperations.deployments.filter": () => filterDeployments(view),
    "agentOperations.deployments.clearFilter": async () => {
      await view.setDeploymentFilter({});
      await focusView("deployments");
    },
    "agentOperations.deployments.loadMore": async (list) => {
      const connection = refOf(list, "connectionId");
      if (connection !== undefined) await view.loadMoreDeployments(connection.connectionId);
    },
    "agentOperations.revisions.loadMore": async (list) => {
      const deployment = deploymentOf(list);
      if (deployment !== undefined) await view.loadMoreRevisions(deployment);
    },
    "agentOperations.threads.search": () => search(view),
    "agentOperations.threads.filter": () => filter(view),
    "agentOperations.threads.clearFilter": async () => {
      await view.setFilter({});
      await focusView("deployments");
    },
    "agentOperations.threads.toggleGrouping": () => view.toggleGrouping(),
    "agentOperations.threads.loadMore": async (list) => {
      if (isListRef(list)) await view.loadMore(list);
    },
  };
}

async function find(): Promise<void> {
  await focusView("deployments");
  await vscode.commands.executeCommand("list.find");
}

async function search(view: DeploymentsView): Promise<void> {
  const text = await vscode.window.showInputBox({
    ignoreFocusOut: true,
    title: "Search Threads",
    value: view.filter.text ?? "",
    placeHolder: "Words of a title, a thread id, or key=value",
    prompt:
      "The server searches ids and metadata (key=value). Titles are compared here, newest threads first. Leave it empty to show all.",
  });
  if (text === undefined) return;
  const { status } = view.filter;
  await view.setFilter({
    ...(status === undefined ? {} : { status }),
    ...(text.trim() === "" ? {} : { text: text.trim() }),
  });
}

async function filter(view: DeploymentsView): Promise<void> {
  const { status: current, text } = view.filter;
  const statuses = [...new Set([...KNOWN_STATUSES, ...view.statuses])];
  const all: vscode.QuickPickItem & { status?: string } = {
    label: "All threads",
    picked: current === undefined,
  };
  const choices = statuses.map((status) => ({ label: status, description: wordsBeside(status), status }));
  const choice = await vscode.window.showQuickPick([all, ...choices], {
    title: "Filter Threads by Status",
    placeHolder: current === undefined ? "Which threads do you want to see?" : `Now shown: ${current}`,
  });
  if (choice === undefined) return;
  await view.setFilter({
    ...(text === undefined ? {} : { text }),
    ...(choice.status === undefined ? {} : { status: choice.status }),
  });
}

function wordsBeside(status: string): string {
  const words = statusWords(status);
  return words === status ? "" : words;
}

function isListRef(value: unknown): value is ListRef {
  return typeof value === "object" && value !== null && "connectionId" in value && "server" in value;
}
