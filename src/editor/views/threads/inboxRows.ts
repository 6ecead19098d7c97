/** The rows of the Inbox: threads or groups of them, what leads on where more wait, and what could not be asked. */

import * as vscode from "vscode";
import type { ConnectionSetting, ThreadRef } from "../../connections/connection.ts";
import { isProtected, markIcon } from "../../connections/mark.ts";
import { agentOf, grouped, type InboxArrangement, type InboxGroup } from "../../inbox/arrangement.ts";
import type { InboxFailure } from "../../inbox/everyConnection.ts";
import type { Inbox, InboxContents } from "../../inbox/inbox.ts";
import { BranchNode } from "../../kit/tree/branchNode.ts";
import { FailureNode } from "../../kit/tree/failureNode.ts";
import { MoreNode } from "../../kit/tree/moreNode.ts";
import type { NodeHost, TreeNode } from "../../kit/tree/node.ts";
import type { Row } from "../../kit/tree/rowItem.ts";
import { counted, dotted, localTime } from "../../kit/words.ts";
import { ageOf } from "../../threads/threadFacts.ts";
import { statusIcon } from "../../threads/threadStatus.ts";
import { mayAskMore, type WaitingThread } from "../../threads/waitingThread.ts";
import { mayAskMoreWords, threadLeaf } from "./threadNode.ts";

/** What rows are made of. */
export interface InboxRowsOptions {
  readonly inbox: Pick<Inbox, "arrangement" | "contents" | "shown" | "unsent">;
  /** How many wait on all connections together, read or not. */
  readonly count: number;
  readonly connection: (id: string) => ConnectionSetting | undefined;
  /** What the clock of a thread's server says, in epoch milliseconds. */
  readonly now: (thread: ThreadRef) => number;
}

/** More than this of a question is read in its preview. */
const longestHover = 2000;

/** Everything the view shows; no rows before anything was asked. */
export function inboxRows(options: InboxRowsOptions, host: NodeHost): readonly TreeNode[] {
  const { inbox, connection } = options;
  const { contents, arrangement } = inbox;
  if (contents === undefined) return [];
  const { threads, rows } = inbox.shown;
  const listed = threads.slice(0, rows);
  const nameOf = (connectionId: string): string => connection(connectionId)?.name ?? connectionId;
  const more = rows < threads.length || contents.rest !== "none";
  return [
    ...(arrangement.group === undefined
      ? listed.map((thread) => waitingNode(options, thread, undefined, host))
      : grouped(listed, arrangement.group).map((group) => groupNode(options, group, more, host))),
    ...(more ? [moreNode(options, rows)] : []),
    ...contents.cut.map(({ connectionId, at }) =>
      cutConnection(connectionId, nameOf(connectionId), at, host),
    ),
    ...(contents.failures.length === 0 ? [] : [failedNode(contents.failures, nameOf, host)]),
  ];
}

/** How many threads wait, and whether there may be more. */
export function inboxDescription(contents: InboxContents, count: number): string {
  const shown = count === 0 ? [] : [counted(count, "waiting", "waiting")];
  return [...shown, ...wordsOfRest(contents, count)].join(", ");
}

function wordsOfRest({ asking, rest, cut, threads }: InboxContents, count: number): readonly string[] {
  const some = count === 0 ? "perhaps some waiting" : "perhaps more";
  if (asking) return ["still looking"];
  switch (rest) {
    case "none":
      return cut.length > 0 ? [some] : [];
    case "perhaps":
      return [some];
    case "more":
      return [count > threads.length ? counted(threads.length, "read", "read") : "and more"];
    default:
      return rest satisfies never;
  }
}

/** A group says how many wait in it, or only how many of them have a row where some have none. */
function groupNode(options: InboxRowsOptions, group: InboxGroup, isPart: boolean, host: NodeHost): TreeNode {
  const { key, label, connectionId, threads } = group;
  const connection = connectionId === undefined ? undefined : options.connection(connectionId);
  const isMarked = isProtected(connection);
  const word = isPart ? "shown" : "waiting";
  const description = dotted([isMarked ? "protected" : "", counted(threads.length, word, word)]);
  const row = (): Row => ({
    label,
    description,
    icon: connection === undefined ? "tools" : markIcon(connection),
    contextValue: "waitingGroup",
    spoken: `${label}, ${description}`,
    startsOpen: true,
  });
  const known = (parent: TreeNode): readonly TreeNode[] =>
    threads.map((thread) => waitingNode(options, thread, parent, host));
  const ref = { connectionId: connectionId ?? "" };
  return new BranchNode({ id: `inbox:group:${key}`, parent: undefined, ref, row, known }, host);
}

/** The connection stands first, unless the row above says it. */
function waitingNode(
  { inbox, connection: find, now }: InboxRowsOptions,
  thread: WaitingThread,
  parent: TreeNode | undefined,
  host: NodeHost,
): TreeNode {
  const { ref, title, connection, since, question } = thread;
  const { group }: InboxArrangement = inbox.arrangement;
  const setting = find(ref.connectionId);
  const unsent = inbox.unsent(ref);
  const agent = group === "agent" || agentOf(thread) === connection ? "" : agentOf(thread);
  const what =
    group === "connection" || group === "agent" ? question.label : `${connection} · ${question.label}`;
  const isMarked = isProtected(setting);
  const mark = isMarked ? "protected " : "";
  return threadLeaf(
    {
      ref,
      kind: "waiting",
      label: what,
      spoken: `Waits for you on ${mark}${connection}: ${question.label}`,
      facts: [unsent === undefined ? "" : "not sent", title, agent, ageOf(since, now(ref))],
      icon:
        unsent !== undefined
          ? statusIcon("error")
          : setting !== undefined && isMarked
            ? markIcon(setting)
            : statusIcon("interrupted"),
      opens: "agentOperations.inbox.preview",
      context: contextOf(thread),
      tooltip: () => tooltip(thread, isMarked, unsent?.reason),
    },
    parent,
    host,
  );
}

/** Menus ask it what can be done. */
function contextOf({ ref, question }: WaitingThread): string {
  const allowed = question.sole?.request.allowed ?? [];
  const context = [
    "waiting",
    ref.server.kind === "managedAgent" ? "managed" : "",
    allowed.includes("approve") ? "approvable" : "",
    allowed.includes("reject") ? "rejectable" : "",
    allowed.includes("respond") ? "respondable" : "",
    question.isBreakpoint === true ? "continuable" : "",
  ];
  return context.filter((part) => part !== "").join(" ");
}

function tooltip(
  thread: WaitingThread,
  isMarked: boolean,
  unsent: string | undefined,
): vscode.MarkdownString {
  const { ref, title, connection, agent, since, question } = thread;
  const where = isMarked ? `${connection} (protected)` : connection;
  const text = new vscode.MarkdownString().appendText(dotted([where, agent])).appendMarkdown("\n\n");
  text.appendText(dotted([title, since === "" ? "" : `since ${localTime(since)}`]));
  if (unsent !== undefined) text.appendMarkdown("\n\n").appendText(`Not sent: ${unsent}`);
  const { details } = question;
  const shown = details.length > longestHover ? `${details.slice(0, longestHover)}…` : details;
  if (shown === "") return text;
  text.appendCodeblock(shown, "text");
  return mayAskMore(ref) ? text.appendText(mayAskMoreWords) : text;
}

function moreNode({ inbox, count }: InboxRowsOptions, rows: number): TreeNode {
  const { threads } = inbox.shown;
  const all = Math.max(count, inbox.contents?.threads.length ?? 0);
  const isFiltered = threads.length < (inbox.contents?.threads.length ?? 0);
  const of = isFiltered || all <= rows ? "" : ` of ${all.toLocaleString("en-US")}`;
  const label = `Load more (${String(rows)}${of} shown)`;
  return new MoreNode(undefined, { label, command: "agentOperations.inbox.loadMore", argument: {} });
}

/** A platform with more deployments than are asked. */
function cutConnection(connectionId: string, name: string, at: number, host: NodeHost): TreeNode {
  const row = (): Row => ({
    label: name,
    description: `more than ${counted(at, "deployment")}: only the first ${counted(at, "was", "were")} asked`,
    icon: "info",
    tooltip: "Open one of the others in the Deployments view to see which of its threads wait.",
  });
  const id = `inbox:cut:${connectionId}`;
  return new BranchNode({ id, parent: undefined, ref: { connectionId }, row }, host);
}

/** One row for all that can't be asked, with each and its reason below. */
function failedNode(
  failures: readonly InboxFailure[],
  nameOf: (connectionId: string) => string,
  host: NodeHost,
): TreeNode {
  const labelOf = ({ connectionId, server = "" }: InboxFailure): string =>
    dotted([nameOf(connectionId), server]);
  const row = (): Row => ({
    label: "Could not be read",
    description: failures.map(labelOf).join(", "),
    icon: ["debug-disconnect", "list.warningForeground"],
  });
  const known = (parent: TreeNode): readonly TreeNode[] =>
    failures.map((failure) => {
      const { connectionId, server = "" } = failure;
      const inner = (): Row => ({ label: labelOf(failure), icon: "debug-disconnect", startsOpen: true });
      const reason = (below: TreeNode): readonly TreeNode[] => [
        new FailureNode(below, { connectionId }, failure, host.refresh),
      ];
      const id = `inbox:failed:${connectionId} ${server}`;
      return new BranchNode({ id, parent, ref: { connectionId }, row: inner, known: reason }, host);
    });
  const ref = { connectionId: failures[0]?.connectionId ?? "" };
  return new BranchNode({ id: "inbox:failed", parent: undefined, ref, row, known }, host);
}
