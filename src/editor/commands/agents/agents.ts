/** What the Agents view can be asked for: other agents or threads, in another order, or anew. */

import { listingFrom, orders, plainListing } from "../../agents/agentListing.ts";
import type { Views } from "../../views/index.ts";
import type { Services } from "../../services.ts";
import type { Agents } from "../../agents/agents.ts";
import { describeThreadFilter, shows, threadFilterFrom } from "../../threads/managedThreadFilter.ts";
import { KNOWN_STATUSES } from "../../threads/serverThreads.ts";
import { statusWords } from "../../threads/threadStatus.ts";
import { type CommandsOf, focusView } from "../../kit/commands.ts";
import { askChoice, askText } from "../../kit/ask/questions.ts";
import { refOf } from "../../kit/ask/meant.ts";

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
  const { listing } = agents;
  const name = await askText(
    { title: "Filter Agents by Name" },
    {
      value: listing.name ?? "",
      placeholder: "A part of the name",
      prompt: "The platform compares names. Leave it empty to show all.",
    },
  );
  await agents.setListing(listingFrom({ ...listing, name }));
}

async function sort(agents: Agents): Promise<void> {
  const { listing } = agents;
  const choices = orders.map(({ words, ...value }) => {
    const isNow = value.sort_by === listing.sort_by && value.sort_order === listing.sort_order;
    return { label: words, description: isNow ? "now" : "", value };
  });
  const order = await askChoice({ title: "Sort Agents" }, choices, { placeholder: "In which order?" });
  await agents.setListing({ ...listing, ...order });
}

async function filterThreads(agents: Agents): Promise<void> {
  const named = Object.entries(shows).map(([value, label]) => ({ label, value }));
  const statuses = KNOWN_STATUSES.map((value) => {
    const words = statusWords(value);
    return { label: value, description: words === value ? "" : words, value };
  });
  const all = { label: "All threads but test runs", value: "" };
  const now = describeThreadFilter(agents.threadFilter);
  const show = await askChoice({ title: "Filter Threads of Managed Agents" }, [all, ...named, ...statuses], {
    placeholder: now === "" ? "Which threads do you want to see?" : `Now shown: ${now}`,
  });
  await agents.setThreadFilter(threadFilterFrom({ ...agents.threadFilter, show }));
}

async function searchThreads(agents: Agents): Promise<void> {
  const text = await askText(
    { title: "Search Threads of Managed Agents" },
    {
      value: agents.threadFilter.text ?? "",
      placeholder: "A thread ID, key=value for metadata, values.key=value, or words of a title",
      prompt:
        "The platform searches IDs, metadata and values. Titles are compared here, page by page. Leave it empty to show all.",
    },
  );
  await agents.setThreadFilter(threadFilterFrom({ ...agents.threadFilter, text }));
}
