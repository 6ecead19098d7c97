/** The last row of a list that goes on: how much is shown, and on a click the next page. */

import type * as vscode from "vscode";
import type { CommandId } from "../ids.ts";
import type { TreeNode } from "./node.ts";
import { rowItem } from "./rowItem.ts";

/** What stands in the row, and what fetches the next page. */
export interface More {
  readonly label: string;
  readonly command: CommandId;
  /** Which list goes on. */
  readonly argument: object;
}

/** The row that reads on. */
export class MoreNode implements TreeNode {
  readonly id: string;
  readonly known: readonly TreeNode[] = [];
  readonly parent: TreeNode | undefined;
  #more: More;

  constructor(parent: TreeNode | undefined, more: More) {
    this.id = `more:${parent?.id ?? ""}`;
    this.parent = parent;
    this.#more = more;
  }

  snapshot(): string {
    return this.#more.label;
  }

  item(): vscode.TreeItem {
    const { label, command, argument } = this.#more;
    const click = { command, title: label, arguments: [argument] };
    return rowItem(this.id, { label, icon: "ellipsis", contextValue: "more", command: click });
  }

  update(newer: TreeNode): boolean {
    if (!(newer instanceof MoreNode)) return false;
    this.#more = newer.#more;
    return true;
  }
}
