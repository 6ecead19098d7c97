/** The threads of one agent server that have one status. */

import * as vscode from "vscode";
import type { TreeNode } from "../../kit/tree/node.ts";
import { OTHER } from "../../threads/serverThreads.ts";
import type { ThreadGroup } from "../../threads/serverThreads.ts";
import { statusIcon } from "./threadNode.ts";

/** What the group's server fetches and builds for it. */
export interface GroupRows {
  known(group: StatusGroupNode): readonly TreeNode[] | undefined;
  fetch(group: StatusGroupNode): Promise<readonly TreeNode[]>;
}

/** A status group's row. */
export class StatusGroupNode implements TreeNode {
  readonly id: string;
  readonly parent: TreeNode;
  readonly status: string;
  group: ThreadGroup;
  readonly #rows: GroupRows;

  constructor(parent: TreeNode, group: ThreadGroup, rows: GroupRows) {
    this.id = `group:${parent.id}/${group.status}`;
    this.parent = parent;
    this.status = group.status;
    this.group = group;
    this.#rows = rows;
  }

  get known(): readonly TreeNode[] | undefined {
    return this.#rows.known(this);
  }

  snapshot(): string {
    return String(this.group.count);
  }

  item(): vscode.TreeItem {
    const { Collapsed, Expanded } = vscode.TreeItemCollapsibleState;
    const urgent = this.status === "interrupted" || this.status === "busy";
    const few = this.group.count <= 20;
    const item = new vscode.TreeItem(groupLabel(this.status), urgent || few ? Expanded : Collapsed);
    item.id = this.id;
    item.description = String(this.group.count);
    item.contextValue = "statusGroup";
    item.iconPath = this.status === "busy" ? new vscode.ThemeIcon("play-circle") : statusIcon(this.status);
    item.accessibilityInformation = {
      label: `${groupLabel(this.status)}, ${String(this.group.count)} threads`,
    };
    return item;
  }

  children(): Promise<readonly TreeNode[]> {
    return this.#rows.fetch(this);
  }
}

function groupLabel(status: string): string {
  if (status === OTHER) return "Other";
  return { interrupted: "Needs you", busy: "Running", idle: "Idle", error: "Error" }[status] ?? status;
}
