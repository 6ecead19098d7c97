/** The row that stands where something could not be fetched: the reason, and on a click what to do about it. */

import type * as vscode from "vscode";
import type { CommandId } from "../ids.ts";
import { adviceFor, adviceText, commandOf, titleOf } from "../remedies.ts";
import type { NodeHost, TreeNode } from "./node.ts";
import { rowItem } from "./rowItem.ts";

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
    const connectionId = this.#connectionId;
    return rowItem(this.id, {
      label: message,
      description: remedy,
      icon: ["warning", "list.warningForeground"],
      contextValue: "failure",
      tooltip: `${message}\n\n${remedy}`,
      spoken: `Problem: ${adviceText({ message, remedy })}`,
      command: commandOf(actions[0] ?? "retry", connectionId) ?? {
        command: this.#refresh,
        title: titleOf("retry"),
        arguments: [{ connectionId }],
      },
    });
  }

  update(newer: TreeNode): boolean {
    if (!(newer instanceof FailureNode)) return false;
    this.#error = newer.#error;
    return true;
  }
}
