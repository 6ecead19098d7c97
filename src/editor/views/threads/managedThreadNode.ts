/** The row of a managed agent's thread. */

import * as vscode from "vscode";
import type { ManagedThread } from "../../../api/managedAgents/wire.ts";
import type { AgentRef } from "../../agents/files/agentUri.ts";
import type { ThreadRef } from "../../connections/connection.ts";
import { serverText } from "../../connections/serverRef.ts";
import type { CommandId } from "../../kit/ids.ts";
import { localTime } from "../../kit/words.ts";
import { managedUnsupported } from "../../threads/servers/managedThreadHost.ts";
import { unsupportedWords } from "../../threads/servers/threadHost.ts";
import { managedTitle } from "../../threads/servers/threadTitle.ts";
import { BranchNode } from "../../kit/tree/branchNode.ts";
import { factsTooltip } from "../../kit/tree/factsTooltip.ts";
import type { NodeHost, TreeNode } from "../../kit/tree/node.ts";
import { statusIcon, statusWords } from "./threadNode.ts";
import { ageOf } from "../../threads/threadRow.ts";

/** A managed agent's thread as a row. */
export type ManagedThreadNode = BranchNode<ThreadRef>;

/** A row below its agent's threads. */
export function managedThreadNode(
  thread: ManagedThread,
  agent: AgentRef,
  parent: TreeNode,
  host: NodeHost,
): ManagedThreadNode {
  const { connectionId, agentId } = agent;
  const ref: ThreadRef = { connectionId, server: { kind: "managedAgent", agentId }, threadId: thread.id };
  const title = managedTitle(thread);
  const description = describe(thread);
  const item = (): vscode.TreeItem => {
    const row = new vscode.TreeItem(title, vscode.TreeItemCollapsibleState.None);
    const open: CommandId = "agentOperations.thread.open";
    row.description = description;
    row.iconPath = statusIcon(thread.status ?? "");
    row.contextValue = contextOf(thread);
    row.command = { command: open, title: "Open Thread", arguments: [ref] };
    row.accessibilityInformation = { label: `${title}, ${description}` };
    return row;
  };
  const snapshot = (): string => [title, description, contextOf(thread)].join("\n");
  const id = `thread:${connectionId}/${serverText(ref.server)}/${thread.id}`;
  return new BranchNode({ id, parent, ref, item, snapshot, tooltip: () => tooltip(thread, title) }, host);
}

function describe(thread: ManagedThread): string {
  const { status = "", is_pinned, is_read, test_run } = thread;
  const unread = status === "idle" && is_read === false;
  return [
    is_pinned === true ? "pinned" : "",
    test_run === true ? "test run" : "",
    unread ? "unread" : statusWords(status),
    ageOf(thread.state_updated_at ?? thread.updated_at ?? "", Date.now()),
  ]
    .filter((part) => part !== "")
    .join(" · ");
}

/** Menus ask it what can be done. */
function contextOf({ status, is_pinned }: ManagedThread): string {
  const pin = is_pinned === true ? "pinned" : "loose";
  return `thread ${status ?? ""} managed ${pin} ${unsupportedWords(managedUnsupported)}`;
}

function tooltip(thread: ManagedThread, title: string): vscode.MarkdownString {
  const { id, status, created_at, updated_at, metadata } = thread;
  const text = factsTooltip(title, {
    Status: status,
    Thread: id,
    Created: localTime(created_at),
    Updated: localTime(updated_at),
  });
  if (Object.keys(metadata ?? {}).length > 0)
    text.appendCodeblock(JSON.stringify(metadata, null, 2).slice(0, 2000), "json");
  return text;
}
