/** A row made of what it stands for: how it looks and, if it can be opened, how to fetch what is below. */

import type * as vscode from "vscode";
import { FailureNode } from "./failureNode.ts";
import type { NodeHost, TreeNode } from "./node.ts";

/** What a row is made of. */
export interface Branch<Ref extends { readonly connectionId: string }> {
  /** Stable over refreshes. */
  readonly id: string;
  readonly parent: TreeNode | undefined;
  /** What commands are told of the row. */
  readonly ref: Ref;
  item(): vscode.TreeItem;
  /** Everything visible of the row as text. */
  look(): string;
  /** The details, made when the pointer rests on the row; the item's own tooltip stands without it. */
  tooltip?(): vscode.MarkdownString | string;
  /** What is below; absent for a row that can't be opened. Whatever it throws becomes a row with a remedy. */
  load?(parent: TreeNode, signal: AbortSignal): Promise<readonly TreeNode[]>;
}

/** What such a row needs of its view. */
export type BranchHost = Pick<NodeHost, "changed" | "signal" | "report" | "refresh">;

/** Stays the same object while what it stands for is fetched anew. */
export class BranchNode<Ref extends { readonly connectionId: string }> implements TreeNode {
  readonly id: string;
  readonly parent: TreeNode | undefined;
  readonly #host: BranchHost;
  #branch: Branch<Ref>;
  #children: readonly TreeNode[] | undefined;
  #failure: { readonly error: unknown } | undefined;
  /** How often loading was begun, and which beginning led to what is shown. */
  #begun = 0;
  #shown = 0;

  constructor(branch: Branch<Ref>, host: BranchHost) {
    this.id = branch.id;
    this.parent = branch.parent;
    this.#branch = branch;
    this.#host = host;
  }

  get ref(): Ref {
    return this.#branch.ref;
  }

  get connectionId(): string {
    return this.ref.connectionId;
  }

  /** Whether what is below was asked for. */
  get asked(): boolean {
    return this.#children !== undefined || this.#failure !== undefined;
  }

  /** Why what is below can't be listed; undefined when the last attempt went well. */
  get failure(): { readonly error: unknown } | undefined {
    return this.#failure;
  }

  /** What was fetched stays visible below the reason why it could not be fetched again. */
  get known(): readonly TreeNode[] | undefined {
    if (this.#branch.load === undefined) return [];
    if (this.#failure === undefined) return this.#children;
    const failure = new FailureNode(this, this.connectionId, this.#failure.error, this.#host);
    return [failure, ...(this.#children ?? [])];
  }

  look(): string {
    return this.#branch.look();
  }

  item(): vscode.TreeItem {
    const item = this.#branch.item();
    item.id = this.id;
    return item;
  }

  tooltip(): vscode.MarkdownString | string | undefined {
    return this.#branch.tooltip?.();
  }

  async children(): Promise<readonly TreeNode[]> {
    // What was fetched may be forgotten meanwhile, as a key came or went: nobody else would ask again.
    while (this.known === undefined && !this.#host.signal.aborted) await this.load();
    return this.known ?? [];
  }

  /** Fetches what is below anew; rows that are still there stay the same rows, with what is known below them. */
  async load(signal: AbortSignal = this.#host.signal): Promise<void> {
    const turn = ++this.#begun;
    try {
      const fresh = (await this.#branch.load?.(this, signal)) ?? [];
      // An answer that was overtaken by a later one is out of date.
      if (turn < this.#shown) return;
      this.#children = fresh.map((node) => this.#same(node));
      this.#failure = undefined;
    } catch (error) {
      if (signal.aborted || turn < this.#shown) return;
      this.#failure = { error };
    }
    this.#shown = turn;
    this.#host.changed();
  }

  /** Forgets what is below, and what is still on its way. */
  reset(): void {
    this.#shown = ++this.#begun;
    this.#children = undefined;
    this.#failure = undefined;
  }

  #same(node: TreeNode): TreeNode {
    const before = this.#children?.find(({ id }) => id === node.id);
    if (!(before instanceof BranchNode) || !(node instanceof BranchNode)) return node;
    before.#branch = node.#branch;
    return before;
  }
}
