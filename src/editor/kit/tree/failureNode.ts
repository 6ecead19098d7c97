/** The row that stands where something could not be fetched: the reason, and on a click what to do about it. */

import * as vscode from "vscode";
import type { CommandId } from "../ids.ts";
import { adviceFor, commandOf, titleOf } from "../remedies.ts";
import type { NodeHost, TreeNode } from "./node.ts";

/** A row in the place of what could not be fetched. */
export class FailureNode implements TreeNode {
  readonly id: string;
  readonly parent: TreeNode;
  readonly known: readonly TreeNode[] = [];
  readonly #connectionId: string;
  #error: unknown;
  readonly #refresh: CommandId;

  constructor(
    parent: TreeNode,
    connectionId: string,
    error: unknown,
    { refresh }: Pick<NodeHost, "refresh">,
  ) {
    this.id = `failure:${parent.id}`;
    this.parent = parent;
    this.#connectionId = connectionId;
    this.#error = error;
    this.#refresh = refresh;
  }

  snapshot(): string {
    const { message, remedy } = adviceFor(this.#error);
    return `${message}\n${remedy}`;
  }

  item(): vscode.TreeItem {
    const { message, remedy, actions } = adviceFor(this.#error);
    const item = new vscode.TreeItem(message);
    item.id = this.id;
    item.description = remedy;
    item.iconPath = new vscode.ThemeIcon("warning", new vscode.ThemeColor("list.warningForeground"));
    item.contextValue = "failure";
    item.tooltip = `${message}\n\n${remedy}`;
    item.accessibilityInformation = { label: `Problem: ${message} ${remedy}` };
    item.command = commandOf(actions[0] ?? "retry", this.#connectionId) ?? {
      command: this.#refresh,
      title: titleOf("retry"),
      arguments: [{ connectionId: this.#connectionId }],
    };
    return item;
  }

  children(): Promise<readonly TreeNode[]> {
    return Promise.resolve([]);
  }

  update(newer: TreeNode): boolean {
    if (!(newer instanceof FailureNode)) return false;
    this.#error = newer.#error;
    return true;
  }
}
