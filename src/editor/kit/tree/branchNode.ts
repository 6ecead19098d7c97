/**
 * The row of which views are made: what it looks like and, if it can be opened, what is below it.
 *
 * Two kinds. What is below is fetched by `load`, which returns the rows; or a model keeps it: then `known` makes rows
 * of what the model has now, `load` only makes the model fetch, and `failure` says why the model could not.
 * Both may make new rows each time: a row with the id of an earlier one is taken over by that one.
 */

import type * as vscode from "vscode";
import { type Failure, Fetched } from "../fetching/fetched.ts";
import type { CommandId } from "../ids.ts";
import { FailureNode } from "./failureNode.ts";
import { type NodeHost, sameNodes, type Tooltip, type TreeNode } from "./node.ts";
import { type Row, rowItem } from "./rowItem.ts";

/** What a row is made of. */
export interface Branch<Ref extends object> {
  /** Stable over refreshes. */
  readonly id: string;
  readonly parent: TreeNode | undefined;
  /** What commands get for the row. */
  readonly ref: Ref;
  row(): Row;
  /** Everything visible of the row as text, where the details say more than the row itself. */
  snapshot?(): string;
  /** The details, made when the pointer rests on the row; the row's own tooltip stands without it. */
  tooltip?(): Tooltip | Promise<Tooltip>;
  /**
   * Fetches what is below; absent for a row that can't be opened, unless `known` has its rows from the start.
   * Returns the rows, or undefined where `known` makes them. Whatever it throws becomes a row with a remedy.
   */
  load?(parent: BranchNode<Ref>, signal: AbortSignal): Promise<readonly TreeNode[] | undefined>;
  /** What is below as a model knows it now; undefined until it was loaded. */
  known?(parent: BranchNode<Ref>): readonly TreeNode[] | undefined;
  /** Asks again for what is below this row alone, where its view should not ask for everything. */
  readonly refresh?: CommandId;
  /** Why the model of `known` could not fetch what is below; undefined when its last request went well. */
  failure?(): Failure | undefined;
  /** Makes the model forget what is below. */
  reset?(): void;
}

/** How often what is below is fetched when it is forgotten each time before it came. */
const mostAttempts = 20;

/** Stays the same object while what it stands for is fetched anew. */
export class BranchNode<Ref extends object> implements TreeNode {
  readonly id: string;
  readonly parent: TreeNode | undefined;
  readonly #host: NodeHost;
  #branch: Branch<Ref>;
  /** What `load` returned. */
  readonly #fetched: Fetched<readonly TreeNode[] | undefined>;
  /** The rows that were given last. */
  #rows: readonly TreeNode[] | undefined;

  constructor(branch: Branch<Ref>, host: NodeHost) {
    this.id = branch.id;
    this.parent = branch.parent;
    this.#branch = branch;
    this.#host = host;
    this.#fetched = new Fetched(() => host.changed());
  }

  get ref(): Ref {
    return this.#branch.ref;
  }

  /** Whether what is below was fetched, or could not be. */
  get asked(): boolean {
    return this.#branch.load !== undefined && this.known !== undefined;
  }

  /** Why what is below can't be listed; undefined when the last attempt went well. */
  get failure(): Failure | undefined {
    return this.#fetched.failure ?? this.#branch.failure?.();
  }

  /** What was fetched stays visible below the reason why it could not be fetched again. */
  get known(): readonly TreeNode[] | undefined {
    const { failure } = this;
    const below = this.#below();
    if (failure === undefined && below === undefined) return undefined;
    const { refresh = this.#host.refresh } = this.#branch;
    const failed = failure === undefined ? [] : [new FailureNode(this, this.ref, failure, refresh)];
    this.#rows = sameNodes(this.#rows, [...failed, ...(below ?? [])]);
    return this.#rows;
  }

  snapshot(): string {
    return this.#branch.snapshot?.() ?? JSON.stringify([this.#branch.row(), this.#opens]);
  }

  item(): vscode.TreeItem {
    return rowItem(this.id, this.#branch.row(), this.#opens);
  }

  tooltip(): Tooltip | Promise<Tooltip> {
    return this.#branch.tooltip?.();
  }

  async children(): Promise<readonly TreeNode[]> {
    // What was fetched may be forgotten meanwhile, as a key came or went: nobody else would ask again.
    for (let attempt = 0; attempt < mostAttempts; attempt += 1) {
      if (this.known !== undefined || this.#host.signal.aborted) break;
      await this.load();
    }
    return this.known ?? [];
  }

  /** Fetches what is below anew; rows that are still there stay the same rows, with what is known below them. */
  async load(signal: AbortSignal = this.#host.signal): Promise<void> {
    await this.#fetched.load(async () => this.#branch.load?.(this, signal), signal);
  }

  /** Forgets what is below, and what is still on its way. */
  reset(): void {
    this.#fetched.reset();
    this.#rows = undefined;
    this.#branch.reset?.();
  }

  update(newer: TreeNode): boolean {
    if (!(newer instanceof BranchNode)) return false;
    // A row's id says what kind of thing it stands for.
    this.#branch = (newer as BranchNode<Ref>).#branch;
    return true;
  }

  get #opens(): boolean {
    return this.#branch.known !== undefined || this.#branch.load !== undefined;
  }

  #below(): readonly TreeNode[] | undefined {
    if (this.#branch.known !== undefined) return this.#branch.known(this);
    return this.#branch.load === undefined ? [] : this.#fetched.value;
  }
}

/** Fetches anew what was fetched below a row, and below that. */
export async function reload(node: TreeNode, signal?: AbortSignal): Promise<void> {
  if (!(node instanceof BranchNode)) return;
  if (node.asked) await node.load(signal);
  await Promise.all((node.known ?? []).map((child) => reload(child, signal)));
}
