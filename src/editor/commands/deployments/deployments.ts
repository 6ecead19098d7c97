/** What the Deployments view can be asked for: other threads, in another order, or anew. */

import * as vscode from "vscode";
import type { Views } from "../../views/index.ts";
import type { Services } from "../../services.ts";
import type { ThreadListings } from "../../threads/threadListings.ts";
import type { ListRef } from "../../views/threads/threadRows.ts";
import { KNOWN_STATUSES } from "../../threads/serverThreads.ts";
import { knownDeploymentStatuses } from "../../../api/controlPlane/status.ts";
import type { Deployments } from "../../deployments/deployments.ts";
import { statusWords } from "../../deployments/revisionStatus.ts";
import { askChoice, askText, askThen } from "../../kit/ask/questions.ts";
import { statusWords as threadStatusWords } from "../../views/threads/threadNode.ts";
import { type CommandsOf, focusView } from "../../kit/commands.ts";
import { refOf } from "../../kit/ask/meant.ts";

/** The commands of the view as a whole. */
export function commands(
  { deployments, threadListings }: Services,
  { views }: { readonly views: Pick<Views, "deployments"> },
): CommandsOf<"deployments" | "revisions" | "threads"> {
  const view = views.deployments;
  return {
    "agentOperations.deployments.refresh": () => view.refresh(),
    "agentOperations.deployments.find": find,
    "agentOperations.deployments.filter": () => filterDeployments(deployments),
    "agentOperations.deployments.clearFilter": async () => {
      await deployments.setFilter({});
      await focusView("deployments");
    },
    "agentOperations.deployments.loadMore": async (list) => {
      const connection = refOf(list, "connectionId");
      if (connection !== undefined) await deployments.of(connection.connectionId).loadMore();
    },
    "agentOperations.revisions.loadMore": async (list) => {
      const deployment = refOf(list, "deploymentId");
      if (deployment === undefined) return;
      await deployments.of(deployment.connectionId).revisions(deployment.deploymentId).loadMore();
    },
    "agentOperations.threads.search": () => search(threadListings),
    "agentOperations.threads.filter": () => filter(threadListings),
    "agentOperations.threads.clearFilter": async () => {
      await threadListings.setFilter({});
      await focusView("deployments");
    },
    "agentOperations.threads.toggleGrouping": () => threadListings.toggleGrouping(),
    "agentOperations.threads.loadMore": async (list) => {
      if (isListRef(list)) await threadListings.find(list)?.loadMore(list.group);
    },
  };
}

async function find(): Promise<void> {
  await focusView("deployments");
  await vscode.commands.executeCommand("list.find");
}

/** First a part of the name, then a status; both may be left open. */
async function filterDeployments(deployments: Deployments): Promise<void> {
  const title = "Filter Deployments";
  const { name: before = "", status: current = "" } = deployments.filter;
  let name = before;
  const askName = async (): Promise<void> => {
    name = await askText(
      { title, step: 1, totalSteps: 2 },
      { prompt: "A part of the name. Leave it empty for any name.", placeholder: "support", value: name },
    );
  };
  const askStatus = (): Promise<string> => {
    const statuses = [...new Set([...knownDeploymentStatuses, ...deployments.statuses])];
    const choices = statuses.map((value) => ({
      label: value,
      description: besides(value, statusWords(value)),
      value,
    }));
    const place = { title, step: 2, totalSteps: 2, canGoBack: true };
    const question = { placeholder: "In which status?", active: current };
    return askChoice(place, [{ label: "Any status", value: "" }, ...choices], question);
  };
  const status = await askThen(askName, askStatus);
  await deployments.setFilter({
    ...(name === "" ? {} : { name }),
    ...(status === "" ? {} : { status }),
  });
}

async function search(listings: ThreadListings): Promise<void> {
  const text = await vscode.window.showInputBox({
    ignoreFocusOut: true,
    title: "Search Threads",
    value: listings.filter.text ?? "",
    placeHolder: "Words of a title, a thread id, or key=value",
    prompt:
      "The server searches ids and metadata (key=value). Titles are compared here, newest threads first. Leave it empty to show all.",
  });
  if (text === undefined) return;
  const { status } = listings.filter;
  await listings.setFilter({
    ...(status === undefined ? {} : { status }),
    ...(text.trim() === "" ? {} : { text: text.trim() }),
  });
}

async function filter(listings: ThreadListings): Promise<void> {
  const { status: current, text } = listings.filter;
  const statuses = [...new Set([...KNOWN_STATUSES, ...listings.statuses])];
  const all: vscode.QuickPickItem & { status?: string } = {
    label: "All threads",
    picked: current === undefined,
  };
  const choices = statuses.map((status) => ({
    label: status,
    description: besides(status, threadStatusWords(status)),
    status,
  }));
  const choice = await vscode.window.showQuickPick([all, ...choices], {
    title: "Filter Threads by Status",
    placeHolder: current === undefined ? "Which threads do you want to see?" : `Now shown: ${current}`,
  });
  if (choice === undefined) return;
  await listings.setFilter({
    ...(text === undefined ? {} : { text }),
    ...(choice.status === undefined ? {} : { status: choice.status }),
  });
}

/** The words for a status, where they differ from it. */
function besides(status: string, words: string): string {
  return words === status ? "" : words;
}

function isListRef(value: unknown): value is ListRef {
  return typeof value === "object" && value !== null && "connectionId" in value && "server" in value;
}
