/** The rows below an agent server: its threads, or groups of them by status, and what is left to load. */

import type { AgentServerRef, ThreadRef } from "../../connections/connection.ts";
import { BranchNode } from "../../kit/tree/branchNode.ts";
import { FailureNode } from "../../kit/tree/failureNode.ts";
import { type Hint, hintNode } from "../platform/hintNode.ts";
import { MoreNode } from "../../kit/tree/moreNode.ts";
import type { NodeHost, TreeNode } from "../../kit/tree/node.ts";
import type { Row } from "../../kit/tree/rowItem.ts";
import { unsupportedWords } from "../../threads/servers/threadHost.ts";
import { OTHER } from "../../threads/serverThreads.ts";
import type { ListProgress, ServerThreads, ThreadGroup } from "../../threads/serverThreads.ts";
import type { ListRef, ThreadListing } from "../../threads/threadListing.ts";
import { statusIcon } from "../../threads/threadStatus.ts";
import { threadNode } from "./threadNode.ts";

/** The rows below the server's own row as far as they are known, the reason first why they can't be fetched. */
export function threadRows(
  listing: ThreadListing,
  parent: TreeNode,
  host: NodeHost,
): readonly TreeNode[] | undefined {
  const { failure, threads, ref } = listing;
  const { connectionId } = ref;
  const failed =
    failure === undefined ? [] : [new FailureNode(parent, { connectionId }, failure, host.refresh)];
  if (threads === undefined) return failure === undefined ? undefined : failed;
  const rows = threads.grouped
    ? groupRows(listing, threads, parent, host)
    : rowsOf(listing, threads, parent, host);
  if (failed.length + rows.length > 0) return [...failed, ...rows];
  const why = threads.filtered && threads.everything !== 0 ? "noneFits" : "none";
  return [hintNode(why, noThreads[why], parent, ref, host)];
}

function groupRows(
  listing: ThreadListing,
  threads: ServerThreads,
  parent: TreeNode,
  host: NodeHost,
): readonly TreeNode[] {
  const groups = threads.groups.map((group) => groupNode(listing, group, parent, host));
  // Groups with lists of their own go on by themselves; a title search goes on for all of them.
  return [...groups, ...(threads.groupsGoOn ? [] : moreNodes(listing.ref, threads, parent))];
}

/** Why a server has no rows, and what to do about it. */
const noThreads = {
  none: {
    label: "No thread yet",
    description: "Start one…",
    command: "agentOperations.thread.new",
    title: "New Thread",
  },
  noneFits: {
    label: "No thread fits the filter",
    description: "Show all",
    command: "agentOperations.threads.clearFilter",
    title: "Clear Thread Filter",
  },
} satisfies Readonly<Record<string, Hint>>;

/** The threads of a group, or of the server when there are no groups, and what is left to load. */
function rowsOf(
  listing: ThreadListing,
  threads: ServerThreads,
  parent: TreeNode,
  host: NodeHost,
  group?: string,
): readonly TreeNode[] {
  const { ref } = listing;
  const unsupported = unsupportedWords(listing.unsupported);
  const { connectionId, server } = ref;
  const rows = threads.rows(group).map((row) => {
    const thread: ThreadRef = { connectionId, server, threadId: row.id };
    const known = { unsupported, isStranded: listing.isStranded(row), now: listing.now() };
    return threadNode(thread, row, known, parent, host);
  });
  return [...rows, ...moreNodes(ref, threads, parent, group)];
}

/** The threads that have one status. */
function groupNode(
  listing: ThreadListing,
  { status, count }: ThreadGroup,
  parent: TreeNode,
  host: NodeHost,
): TreeNode {
  const label = groupLabel(status);
  const row = (): Row => ({
    label,
    description: String(count),
    icon: status === "busy" ? "play-circle" : statusIcon(status),
    contextValue: "statusGroup",
    startsOpen: status === "interrupted" || status === "busy" || count <= 20,
    spoken: `${label}, ${String(count)} threads`,
  });
  const known = (node: TreeNode): readonly TreeNode[] | undefined => {
    const { threads } = listing;
    return threads?.hasGroup(status) === true ? rowsOf(listing, threads, node, host, status) : undefined;
  };
  const load = async (): Promise<undefined> => {
    await listing.loadGroup(status);
  };
  const id = `group:${parent.id}/${status}`;
  return new BranchNode({ id, parent, ref: listing.ref, row, known, load }, host);
}

function moreNodes(
  { connectionId, server }: AgentServerRef,
  threads: ServerThreads,
  parent: TreeNode,
  group?: string,
): readonly TreeNode[] {
  const rest = threads.rest(group);
  if (rest === undefined) return [];
  const argument: ListRef = { connectionId, server, ...(group === undefined ? {} : { group }) };
  return [
    new MoreNode(parent, { label: restWords(rest), command: "agentOperations.threads.loadMore", argument }),
  ];
}

function restWords({ shown, total, read }: ListProgress): string {
  if (read === undefined) return `Load more (${String(shown)} of ${String(total)})`;
  return `Search further (${String(read)} of ${String(total)} searched)`;
}

function groupLabel(status: string): string {
  if (status === OTHER) return "Other";
  return { interrupted: "Waiting", busy: "Running", idle: "Idle", error: "Error" }[status] ?? status;
}
