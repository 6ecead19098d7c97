/** A row of the Issues view; the same object for as long as its row is there. */

import type * as vscode from "vscode";
import { sameNodes, type TreeNode } from "../../kit/tree/node.ts";
import { rowItem } from "../../kit/tree/rowItem.ts";
import type { IssueTarget, RowModel } from "./issueRow.ts";

/** One row; what it shows is replaced in it. */
export class IssueNode implements TreeNode {
  readonly id: string;
  readonly parent: TreeNode | undefined;
  #model: RowModel;
  #rows: readonly TreeNode[] | undefined;

  constructor(model: RowModel, parent?: TreeNode) {
    this.id = model.id;
    this.parent = parent;
    this.#model = model;
  }

  /** What commands are to work on. */
  get target(): IssueTarget {
    return this.#model.target;
  }

  get known(): readonly TreeNode[] {
    this.#rows ??= this.#below();
    return this.#rows;
  }

  snapshot(): string {
    const { below, ...row } = this.#model;
    return JSON.stringify([row, below === undefined]);
  }

  item(): vscode.TreeItem {
    const { label, description, icon, contextValue, startsOpen = false, click, below } = this.#model;
    const spoken = this.#model.spoken ?? `${label} ${description}`.trim();
    const command = click && { command: { command: click, title: "Open", arguments: [this] } };
    const row = { label, description, icon, contextValue, startsOpen, spoken, ...command };
    return rowItem(this.id, row, below !== undefined);
  }

  tooltip(): string | undefined {
    return this.#model.tooltip;
  }

  update(newer: TreeNode): boolean {
    if (!(newer instanceof IssueNode)) return false;
    this.#model = newer.#model;
    this.#rows = sameNodes(this.#rows, this.#below());
    return true;
  }

  #below(): readonly TreeNode[] {
    return (this.#model.below ?? []).map((model) => new IssueNode(model, this));
  }
}
