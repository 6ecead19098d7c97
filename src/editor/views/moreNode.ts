/** The last row of a list that goes on: how much is shown, and on a click the next page. */

import * as vscode from "vscode";
import type { CommandId } from "../ids.ts";
import type { TreeNode } from "./node.ts";
import type { Rest } from "./serverThreads.ts";

/** Which list goes on. */
export interface ListRef {
  readonly connectionId: string;
  readonly serverId: string;
  /** The status group; absent for a list without groups. */
  readonly group?: string;
}

export class MoreNode implements TreeNode {
  readonly id: string;
  readonly known: readonly TreeNode[] = [];
  readonly parent: TreeNode;
  readonly list: ListRef;
  rest: Rest;

  constructor(parent: TreeNode, list: ListRef, rest: Rest) {
    this.id = `more:${parent.id}`;
    this.parent = parent;
    this.list = list;
    this.rest = rest;
  }

  look(): string {
    return this.#label;
  }

  item(): vscode.TreeItem {
    const item = new vscode.TreeItem(this.#label, vscode.TreeItemCollapsibleState.None);
    const more: CommandId = "agentOperations.threads.loadMore";
    item.id = this.id;
    item.contextValue = "more";
    item.iconPath = new vscode.ThemeIcon("ellipsis");
    item.command = { command: more, title: "Load More Threads", arguments: [this.list] };
    return item;
  }

  children(): Promise<readonly TreeNode[]> {
    return Promise.resolve([]);
  }

  get #label(): string {
    const { shown, total, read } = this.rest;
    if (read === undefined) return `Load more (${String(shown)} of ${String(total)})`;
    return `Search further (${String(read)} of ${String(total)} searched)`;
  }
}
