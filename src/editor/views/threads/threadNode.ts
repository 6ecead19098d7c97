/** A thread's row: what it is called, how it stands, and how long ago that was. */

import type * as vscode from "vscode";
import type { ManagedThread } from "../../../api/managedAgents/wire.ts";
import type { ThreadRef } from "../../connections/connection.ts";
import { serverText } from "../../connections/serverRef.ts";
import type { CommandId } from "../../kit/ids.ts";
import { BranchNode } from "../../kit/tree/branchNode.ts";
import { factsTooltip } from "../../kit/tree/factsTooltip.ts";
import type { NodeHost, TreeNode } from "../../kit/tree/node.ts";
import { counted, localTime } from "../../kit/words.ts";
import type { Row } from "../../kit/tree/rowItem.ts";
import { statusIcon, statusWords } from "../../threads/threadStatus.ts";
import { managedUnsupported } from "../../threads/servers/managedThreadHost.ts";
import { unsupportedWords } from "../../threads/servers/threadHost.ts";
import { managedTitle } from "../../threads/servers/threadTitle.ts";
import { linksIn } from "../../../run/repair/threadLinks.ts";
import { askedIn, mayAskMore } from "../../threads/waitingThread.ts";
import { ageOf } from "../../threads/threadFacts.ts";
import type { ThreadFacts } from "../../threads/threadFacts.ts";

const longestMetadata = 2000;
/** Said of a thread in whose row a server may leave out questions. */
export const mayAskMoreWords =
  "The thread may ask more: where several subgraphs ask, its server lists what one of them asks.";

/** What any row shows that stands for a thread and opens it. */
export interface ThreadRowFacts {
  readonly ref: ThreadRef;
  /** Tells rows for one thread in one view apart. */
  readonly kind: "thread" | "waiting";
  readonly label: string;
  readonly facts: readonly string[];
  readonly icon: NonNullable<Row["icon"]>;
  /** What a click does; it opens the thread unless given. */
  readonly opens?: CommandId;
  /** Menus ask it what can be done. */
  readonly context: string;
  /** Read aloud before the facts; the label unless given. */
  readonly spoken?: string;
  tooltip(): vscode.MarkdownString;
}

/** The id of a thread's row. */
export function threadNodeId(
  kind: ThreadRowFacts["kind"],
  { connectionId, server, threadId }: ThreadRef,
): string {
  return `${kind}:${connectionId}/${serverText(server)}/${threadId}`;
}

/** A row that opens its thread. */
export function threadLeaf(
  row: ThreadRowFacts,
  parent: TreeNode | undefined,
  host: NodeHost,
): BranchNode<ThreadRef> {
  const { ref, kind, label, icon, context, spoken = label } = row;
  const facts = row.facts.filter((fact) => fact !== "");
  const { opens = "agentOperations.thread.open" } = row;
  const shown = {
    label,
    description: facts.join(" · "),
    icon,
    contextValue: context,
    command: { command: opens, title: "Open Thread", arguments: [ref] },
    spoken: [spoken, ...facts].join(", "),
  };
  const id = threadNodeId(kind, ref);
  return new BranchNode({ id, parent, ref, row: () => shown, tooltip: () => row.tooltip() }, host);
}

/** What is known of a listed thread beside what its server lists. */
interface KnownOfThread {
  /** What can't be done with it, as menus ask for it. */
  readonly unsupported: string;
  /** Whether it has a run that seems to be carried on by nobody. */
  readonly isStranded: boolean;
  /** What its server's clock says, in epoch milliseconds. */
  readonly now: number;
}

/** A row below an agent server. */
export function threadNode(
  ref: ThreadRef,
  row: ThreadFacts,
  { unsupported, isStranded, now }: KnownOfThread,
  parent: TreeNode,
  host: NodeHost,
): BranchNode<ThreadRef> {
  const { title, status, updatedAt, asks } = row;
  // Where the server lists none, only those are known that were made here.
  const origin = unsupported.split(" ").includes("unsupported:list") ? "made here" : "";
  const isContinued = status === "busy" && linksIn(row.metadata).continuedIn !== undefined;
  const state = isContinued ? "continued" : isStranded ? "stranded" : status;
  const facts = [statusWords(state), askedWords(asks), origin, ageOf(updatedAt, now)];
  // Menus know a stranded thread as a busy one, too.
  const context = ["thread", ...new Set([status, state]), unsupported].join(" ").trimEnd();
  const tooltip = (): vscode.MarkdownString => threadTooltip(row, mayAskMore(ref));
  return threadLeaf(
    { ref, kind: "thread", label: title, facts, icon: statusIcon(state), context, tooltip },
    parent,
    host,
  );
}

/** A row below a managed agent's threads; `now` is what its platform's clock says. */
export function managedThreadNode(
  thread: ManagedThread,
  {
    connectionId,
    agentId,
    now,
  }: { readonly connectionId: string; readonly agentId: string; readonly now: number },
  parent: TreeNode,
  host: NodeHost,
): BranchNode<ThreadRef> {
  const { status = "", is_pinned, is_read, test_run } = thread;
  const ref: ThreadRef = { connectionId, server: { kind: "managedAgent", agentId }, threadId: thread.id };
  const facts = [
    is_pinned === true ? "pinned" : "",
    test_run === true ? "test run" : "",
    status === "idle" && is_read === false ? "unread" : statusWords(status),
    askedWords(askedIn(thread)),
    ageOf(thread.state_updated_at ?? thread.updated_at ?? "", now),
  ];
  const pin = is_pinned === true ? "pinned" : "loose";
  const context = `thread ${status} managed ${pin} ${unsupportedWords(managedUnsupported)}`;
  const label = managedTitle(thread);
  const tooltip = (): vscode.MarkdownString => managedTooltip(thread, label);
  return threadLeaf(
    { ref, kind: "thread", label, facts, icon: statusIcon(status), context, tooltip },
    parent,
    host,
  );
}

/** That a thread asks several things; "" where that is not known. */
function askedWords(asks: number): string {
  return asks > 1 ? `asks ${String(asks)} things` : "";
}

function threadTooltip(
  { id, title, status, createdAt, updatedAt, metadata, asks }: ThreadFacts,
  mayAskMore: boolean,
): vscode.MarkdownString {
  const graph = metadata["graph_id"];
  const rest = Object.entries(metadata).filter(([name]) => name !== "title" && name !== "graph_id");
  const tooltip = factsTooltip(title, {
    Status: status,
    Asks: asks === 0 ? "" : counted(asks, "thing"),
    Thread: id,
    Graph: typeof graph === "string" ? graph : "",
    Created: localTime(createdAt),
    Updated: localTime(updatedAt),
  });
  if (asks > 0 && mayAskMore) tooltip.appendText(mayAskMoreWords);
  return withMetadata(tooltip, Object.fromEntries(rest));
}

function managedTooltip({ id, status, created_at, updated_at, metadata }: ManagedThread, title: string) {
  const tooltip = factsTooltip(title, {
    Status: status,
    Thread: id,
    Created: localTime(created_at),
    Updated: localTime(updated_at),
  });
  return withMetadata(tooltip, metadata ?? {});
}

function withMetadata(tooltip: vscode.MarkdownString, metadata: object): vscode.MarkdownString {
  if (Object.keys(metadata).length > 0)
    tooltip.appendCodeblock(JSON.stringify(metadata, null, 2).slice(0, longestMetadata), "json");
  return tooltip;
}
