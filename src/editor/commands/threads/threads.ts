/** Which threads of agent servers are listed below their servers, and how. */

import { connectedServerIn } from "../../connections/serverRef.ts";
import { refIn, textOf } from "../../kit/ask/meant.ts";
import { askChoice, askText, type Choice } from "../../kit/ask/questions.ts";
import { focusView, type CommandsOf } from "../../kit/commands.ts";
import { withoutIcons } from "../../kit/words.ts";
import type { Services } from "../../services.ts";
import { KNOWN_STATUSES } from "../../threads/serverThreads.ts";
import type { ThreadListings } from "../../threads/threadListings.ts";
import { statusWords } from "../../threads/threadStatus.ts";

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
      const server = refIn(list, connectedServerIn);
      if (server !== undefined) await listings.find(server)?.loadMore(textOf(list, "group"));
    },
  };
}

async function search(listings: ThreadListings): Promise<void> {
  const text = await askText(
    { title: "Search Threads" },
    {
      value: listings.filter.text ?? "",
      placeholder: "Words of a title, a thread ID, or key=value",
      prompt:
        "The server searches IDs and metadata (key=value). Titles are compared here, newest threads first. Leave it empty to show all.",
    },
  );
  await listings.setFilter({ ...listings.filter, text });
}

async function filter(listings: ThreadListings): Promise<void> {
  const { status: current, ...others } = listings.filter;
  const statuses = [...new Set([...KNOWN_STATUSES, ...listings.statuses])];
  const choices = statuses.map((status) => ({
    label: withoutIcons(status),
    description: statusWords(status) === status ? "" : statusWords(status),
    value: status,
  }));
  const all: Choice<string | undefined> = { label: "All threads", value: undefined };
  const status = await askChoice<string | undefined>(
    { title: "Filter Threads by Status" },
    [all, ...choices],
    { placeholder: current === undefined ? "Which threads do you want to see?" : `Now shown: ${current}` },
  );
  await listings.setFilter(status === undefined ? others : { ...others, status });
}
