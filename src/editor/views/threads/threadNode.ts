/** A thread's row: what it is called, how it stands, and how long ago that was. */

import * as vscode from "vscode";
import type { ThreadRef } from "../../connections/connection.ts";
import { serverText } from "../../connections/serverRef.ts";
import type { CommandId } from "../../kit/ids.ts";
import { localTime } from "../../kit/words.ts";
import { factsTooltip } from "../../kit/tree/factsTooltip.ts";
import type { TreeNode } from "../../kit/tree/node.ts";
import { ageOf } from "../../threads/threadRow.ts";
import type { ThreadRow } from "../../threads/threadRow.ts";

const longestMetadata = 2000;

/** A thread's row; its parent changes with its status. */
export class ThreadNode implements TreeNode {
  readonly id: string;
  readonly ref: ThreadRef;
  readonly known: readonly TreeNode[] = [];
  parent: TreeNode;
  row: ThreadRow;
  /** What its server does not support, as menus ask for it: `unsupported:rename`. */
  unsupported = "";

  constructor(parent: TreeNode, ref: ThreadRef, row: ThreadRow) {
    this.id = `thread:${ref.connectionId}/${serverText(ref.server)}/${ref.threadId}`;
    this.ref = ref;
    this.parent = parent;
    this.row = row;
  }

  snapshot(): string {
    return [this.row.title, this.#context, this.#age].join("\n");
  }

  item(): vscode.TreeItem {
    const { title, status } = this.row;
    const item = new vscode.TreeItem(title, vscode.TreeItemCollapsibleState.None);
    const open: CommandId = "agentOperations.thread.open";
    item.id = this.id;
    const facts = [statusWords(status), this.#origin, this.#age].filter((part) => part !== "");
    item.description = facts.join(" · ");
    item.iconPath = statusIcon(status);
    item.contextValue = this.#context;
    item.command = { command: open, title: "Open Thread", arguments: [this.ref] };
    item.accessibilityInformation = { label: [title, ...facts].join(", ") };
    return item;
  }

  tooltip(): vscode.MarkdownString {
    const { id, title, status, createdAt, updatedAt, metadata } = this.row;
    const graph = metadata["graph_id"];
    const rest = Object.entries(metadata).filter(([name]) => name !== "title" && name !== "graph_id");
    const tooltip = factsTooltip(title, {
      Status: status,
      Thread: id,
      Graph: typeof graph === "string" ? graph : "",
      Created: localTime(createdAt),
      Updated: localTime(updatedAt),
    });
    if (rest.length > 0)
      tooltip.appendCodeblock(
        JSON.stringify(Object.fromEntries(rest), null, 2).slice(0, longestMetadata),
        "json",
      );
    return tooltip;
  }

  children(): Promise<readonly TreeNode[]> {
    return Promise.resolve([]);
  }

  get #context(): string {
    return `thread ${this.row.status} ${this.unsupported}`.trimEnd();
  }

  /** Where the server lists none, only those are known that were made here. */
  get #origin(): string {
    return this.unsupported.split(" ").includes("unsupported:list") ? "made here" : "";
  }

  get #age(): string {
    return ageOf(this.row.updatedAt, Date.now());
  }
}

/** A status in a person's words; one that is not known is shown as the server spells it. */
export function statusWords(status: string): string {
  return { interrupted: "needs you", busy: "running", idle: "idle", error: "error" }[status] ?? status;
}

/** A status as an icon in the theme's colors. */
export function statusIcon(status: string): vscode.ThemeIcon {
  const icons: Readonly<Record<string, readonly [string, string]>> = {
    interrupted: ["bell-dot", "list.warningForeground"],
    busy: ["loading~spin", "progressBar.background"],
    idle: ["comment", "icon.foreground"],
    error: ["error", "list.errorForeground"],
  };
  const [icon, color] = icons[status] ?? ["question", "descriptionForeground"];
  return new vscode.ThemeIcon(icon, new vscode.ThemeColor(color));
}
