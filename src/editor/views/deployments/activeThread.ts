/** The selection of the Deployments view follows the tab in front, as that of the Explorer does. */

import * as vscode from "vscode";
import type { ThreadRef } from "../../connections/connection.ts";
import { findNode, type TreeNode } from "../../kit/tree/node.ts";
import type { Threads } from "../../threads/threads.ts";
import { threadNodeId } from "../threads/threadNode.ts";
import type { EditorView } from "../platform/laterView.ts";

/** Selects the row of the thread whose tab is in front, once, as soon as the row is known and the view is seen. */
export class ActiveThread implements vscode.Disposable {
  readonly #view: EditorView;
  readonly #subscriptions: vscode.Disposable;
  #rows: readonly TreeNode[] = [];
  #wanted: ThreadRef | undefined;

  constructor(threads: Threads, view: EditorView) {
    this.#view = view;
    this.#wanted = threads.active;
    this.#subscriptions = vscode.Disposable.from(
      threads.onDidActivate((thread) => {
        this.#wanted = thread;
        this.#select();
      }),
      view.onDidChangeVisibility(() => this.#select()),
      // Selecting another row ends that.
      view.onDidChangeSelection(() => (this.#wanted = undefined)),
    );
  }

  /** Rows came: the wanted one may be among them. */
  update(rows: readonly TreeNode[]): void {
    this.#rows = rows;
    this.#select();
  }

  dispose(): void {
    this.#subscriptions.dispose();
  }

  #select(): void {
    const thread = this.#wanted;
    if (thread === undefined || !this.#view.visible) return;
    const node = findNode(this.#rows, threadNodeId("thread", thread));
    if (node === undefined) return;
    this.#wanted = undefined;
    if (this.#view.selection.some(({ id }) => id === node.id)) return;
    const how = { select: true, focus: false, expand: false };
    // A row that went away while it was to be shown is none to select.
    this.#view.reveal(this.#ifSeen(node, thread), how).then(undefined, () => undefined);
  }

  /**
   * Wraps the row so that showing it stops when a person left the view meanwhile. The editor shows a row only when
   * the tree is drawn, which may take seconds, and brings the view to the front for it; before that it asks for the
   * parent and the item of a row that it has not seen.
   */
  #ifSeen(node: TreeNode, thread: ThreadRef): TreeNode {
    const stillSeen = (): void => {
      if (this.#view.visible) return;
      this.#wanted ??= thread;
      throw new Error("The view was left before the row could be selected.");
    };
    return {
      id: node.id,
      known: node.known,
      snapshot: () => node.snapshot(),
      item: () => {
        stillSeen();
        return node.item();
      },
      get parent() {
        stillSeen();
        return node.parent;
      },
    };
  }
}
