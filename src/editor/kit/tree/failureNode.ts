/** The row that stands where something could not be fetched: the reason, and on a click what to do about it. */

import type * as vscode from "vscode";
import type { Failure } from "../fetching/fetched.ts";
import type { CommandId } from "../ids.ts";
import { adviceFor, adviceText, clickFor } from "../remedies.ts";
import { timeOrDay } from "../words.ts";
import type { TreeNode } from "./node.ts";
import { rowItem } from "./rowItem.ts";

/** A row in the place of what could not be fetched; where earlier rows stay below it, it says how old they are. */
export class FailureNode implements TreeNode {
  readonly id: string;
  readonly parent: TreeNode;
  readonly known: readonly TreeNode[] = [];
  readonly #ref: object;
  #failure: Failure;
  readonly #refresh: CommandId | undefined;

  /** `refresh` asks again for what `ref` names. */
  constructor(parent: TreeNode, ref: object, failure: Failure, refresh: CommandId | undefined) {
    this.id = `failure:${parent.id}`;
    this.parent = parent;
    this.#ref = ref;
    this.#failure = failure;
    this.#refresh = refresh;
  }

  snapshot(): string {
    const { message, remedy } = adviceFor(this.#failure.error);
    return `${this.#age}${message}\n${remedy}`;
  }

  item(): vscode.TreeItem {
    const { message: reason, remedy } = adviceFor(this.#failure.error);
    const message = `${this.#age}${reason}`;
    return rowItem(this.id, {
      label: message,
      description: remedy,
      icon: ["warning", "list.warningForeground"],
      contextValue: "failure",
      tooltip: `${message}\n\n${remedy}`,
      spoken: `Problem: ${adviceText({ message, remedy })}`,
      command: clickFor(this.#failure.error, this.#ref, this.#refresh),
    });
  }

  update(newer: TreeNode): boolean {
    if (!(newer instanceof FailureNode)) return false;
    this.#failure = newer.#failure;
    return true;
  }

  get #age(): string {
    const { asOf } = this.#failure;
    return asOf === undefined ? "" : `Rows as of ${timeOrDay(asOf)}. `;
  }
}
