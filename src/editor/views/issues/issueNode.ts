/** A row of the Issues view; the same object for as long as its row is there. */

import type * as vscode from "vscode";
import type { IssueTarget, RowModel } from "./issueRow.ts";
import type { TreeNode } from "../../kit/tree/node.ts";
import { rowItem } from "../../kit/tree/rowItem.ts";

/** One row; what it shows is replaced in it. */
export class IssueNode implements TreeNode {
  readonly id: string;
  readonly parent: TreeNode | undefined;
  model: RowModel;
  known: readonly IssueNode[] = [];

  constructor(model: RowModel, parent: TreeNode | undefined) {
    this.id = model.id;
    this.parent = parent;
    this.model = model;
  }

  /** What commands are to work on. */
  get target(): IssueTarget {
    return this.model.target;
  }

  snapshot(): string {
    const { label, description, context, icon, below } = this.model;
    return [label, description, context, icon.id, String(below === undefined)].join("\n");
  }

  item(): vscode.TreeItem {
    const {
      label,
      description,
      icon,
      context: contextValue,
      below,
      startsOpen = false,
      command,
    } = this.model;
    const spoken = this.model.spoken ?? `${label} ${description}`.trim();
    const click = command && { command: { command, title: "Open", arguments: [this] } };
    const row = { label, description, icon, contextValue, startsOpen, spoken, ...click };
    return rowItem(this.id, row, below !== undefined);
  }

  tooltip(): string | undefined {
    return this.model.tooltip;
  }

  children(): Promise<readonly TreeNode[]> {
    return Promise.resolve(this.known);
  }
}

/** The nodes of a tree of models: each is made once and kept while its row is there. */
export class IssueNodes {
  #nodes = new Map<string, IssueNode>();

  update(models: readonly RowModel[]): readonly IssueNode[] {
    const before = this.#nodes;
    this.#nodes = new Map();
    return models.map((model) => this.#node(model, undefined, before));
  }

  get(id: string): IssueNode | undefined {
    return this.#nodes.get(id);
  }

  #node(model: RowModel, parent: IssueNode | undefined, before: ReadonlyMap<string, IssueNode>): IssueNode {
    const kept = before.get(model.id);
    const node = kept !== undefined && kept.parent === parent ? kept : new IssueNode(model, parent);
    node.model = model;
    node.known = (model.below ?? []).map((below) => this.#node(below, node, before));
    this.#nodes.set(model.id, node);
    return node;
  }
}
