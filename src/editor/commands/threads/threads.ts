/** Which threads of agent servers are listed below their servers, and how. */

import * as vscode from "vscode";
import { shown } from "../../kit/ask/questions.ts";
import { focusView, type CommandsOf } from "../../kit/commands.ts";
import type { Services } from "../../services.ts";
import { KNOWN_STATUSES } from "../../threads/serverThreads.ts";
import type { ThreadListings } from "../../threads/threadListings.ts";
import { statusWords } from "../../views/threads/threadNode.ts";
import type { ListRef } from "../../views/threads/threadRows.ts";

/** The commands of the lists: search, filter, grouping, and what comes next. */
export function commands({ threadListings: listings }: Services): CommandsOf<"threads"> {
  return {
    "agentOperations.threads.search": () => search(listings),
    "agentOperations.threads.filter": () => filter(listings),
    "agentOperations.threads.clearFilter": async () => {
      await listings.setFilter({});
      await focusView("deployments");
    },
    "agentOperations.threads.toggleGrouping": () => listings.toggleGrouping(),
    "agentOperations.threads.loadMore": async (list) => {
      if (isListRef(list)) await listings.find(list)?.loadMore(list.group);
    },
  };
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
  await listings.setFilter({ ...listings.filter, text: text.trim() });
}

async function filter(listings: ThreadListings): Promise<void> {
  const { status: current, ...others } = listings.filter;
  const statuses = [...new Set([...KNOWN_STATUSES, ...listings.statuses])];
  const all: vscode.QuickPickItem & { status?: string } = {
    label: "All threads",
    picked: current === undefined,
  };
  const choices = statuses.map((status) => ({
    label: status,
    description: statusWords(status) === status ? "" : statusWords(status),
    status,
  }));
  const choice = await vscode.window.showQuickPick([all, ...choices.map(shown)], {
    title: "Filter Threads by Status",
    placeHolder: current === undefined ? "Which threads do you want to see?" : `Now shown: ${current}`,
  });
  if (choice === undefined) return;
  await listings.setFilter(choice.status === undefined ? others : { ...others, status: choice.status });
}

function isListRef(value: unknown): value is ListRef {
  return typeof value === "object" && value !== null && "connectionId" in value && "server" in value;
}
