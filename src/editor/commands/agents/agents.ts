/** What the Agents view can be asked for: other agents or threads, in another order, or anew. */

import * as vscode from "vscode";
import { orders, plainListing } from "../../agents/agentListing.ts";
import type { AgentListing } from "../../agents/agentListing.ts";
import type { Views } from "../../views/index.ts";
import type { Services } from "../../services.ts";
import type { Agents } from "../../agents/agents.ts";
import { describeThreadFilter, shows } from "../../threads/managedThreadFilter.ts";
import { KNOWN_STATUSES } from "../../threads/serverThreads.ts";
import { statusWords } from "../../views/threads/threadNode.ts";
import { focusView } from "../../kit/commands.ts";
import { refOf } from "../../kit/ask/meant.ts";
import type { CommandsOf } from "../../kit/commands.ts";

/** The commands of the view as a whole. */
export function commands(
  { agents }: Services,
  { views }: { readonly views: Pick<Views, "agents"> },
): CommandsOf<"agents" | "agentThreads"> {
  return {
    "agentOperations.agents.refresh": () => views.agents.refresh(),
    "agentOperations.agents.filter": () => filter(agents),
    "agentOperations.agents.sort": () => sort(agents),
    "agentOperations.agents.clearFilter": async () => {
      await agents.setListing(plainListing);
      await focusView("agents");
    },
    "agentOperations.agents.loadMore": (list) => {
      const connectionId = refOf(list, "connectionId")?.connectionId;
      if (connectionId !== undefined) agents.loadMore(connectionId);
    },
    "agentOperations.agentThreads.filter": () => filterThreads(agents),
    "agentOperations.agentThreads.search": () => searchThreads(agents),
    "agentOperations.agentThreads.clearFilter": () => agents.setThreadFilter({}),
    "agentOperations.agentThreads.loadMore": (agent) => {
      const ref = refOf(agent, "agentId");
      if (ref !== undefined) agents.loadMoreThreads(ref);
    },
  };
}

async function filter(agents: Agents): Promise<void> {
  const { name = "", ...order } = agents.listing;
  const typed = await vscode.window.showInputBox({
    ignoreFocusOut: true,
    title: "Filter Agents by Name",
    value: name,
    placeHolder: "A part of the name",
    prompt: "The platform compares names. Leave it empty to show all.",
  });
  if (typed === undefined) return;
  const wanted = typed.trim();
  await agents.setListing({ ...order, ...(wanted === "" ? {} : { name: wanted }) });
}

async function sort(agents: Agents): Promise<void> {
  const { listing } = agents;
  const items = orders.map(({ words, ...order }) => ({
    label: words,
    picked: isOrder(order, listing),
    description: isOrder(order, listing) ? "now" : "",
    order,
  }));
  const choice = await vscode.window.showQuickPick(items, { title: "Sort Agents" });
  if (choice !== undefined) await agents.setListing({ ...listing, ...choice.order });
}

async function filterThreads(agents: Agents): Promise<void> {
  const { text } = agents.threadFilter;
  const named = Object.entries(shows).map(([show, label]) => ({ label, description: "", show }));
  const statuses = KNOWN_STATUSES.map((status) => ({
    label: status,
    description: statusWords(status) === status ? "" : statusWords(status),
    show: status,
  }));
  const all = { label: "All threads but test runs", description: "", show: undefined };
  const now = describeThreadFilter(agents.threadFilter);
  const choice = await vscode.window.showQuickPick([all, ...named, ...statuses], {
    title: "Filter Threads of Managed Agents",
    placeHolder: now === "" ? "Which threads do you want to see?" : `Now shown: ${now}`,
  });
  if (choice === undefined) return;
  await agents.setThreadFilter({
    ...(choice.show === undefined ? {} : { show: choice.show }),
    ...(text === undefined ? {} : { text }),
  });
}

async function searchThreads(agents: Agents): Promise<void> {
  const { show, text = "" } = agents.threadFilter;
  const typed = await vscode.window.showInputBox({
    ignoreFocusOut: true,
    title: "Search Threads of Managed Agents",
    value: text,
    placeHolder: "A thread id, key=value for metadata, values.key=value, or words of a title",
    prompt:
      "The platform searches ids, metadata and values. Titles are compared here, page by page. Leave it empty to show all.",
  });
  if (typed === undefined) return;
  await agents.setThreadFilter({
    ...(show === undefined ? {} : { show }),
    ...(typed.trim() === "" ? {} : { text: typed.trim() }),
  });
}

function isOrder(order: Pick<AgentListing, "sort_by" | "sort_order">, listing: AgentListing): boolean {
  return order.sort_by === listing.sort_by && order.sort_order === listing.sort_order;
}
