/** One row of the Deployments view; it is the same object for as long as it stands for the same thing. */

import type * as vscode from "vscode";
import type { DeploymentFilter } from "../deployments/deploymentRow.ts";
import type { ServerThreadsOptions } from "./threads/serverThreads.ts";

export interface TreeNode {
  /** Stable over refreshes: selection, expansion and scroll hang on it. */
  readonly id: string;
  readonly parent: TreeNode | undefined;
  item(): vscode.TreeItem;
  /** Everything visible of the row as text; the row is drawn again when it changes. */
  look(): string;
  /** What hangs below as far as it is known; undefined before the first question. */
  readonly known: readonly TreeNode[] | undefined;
  /** What hangs below, fetched when it is not known yet; never throws. */
  children(): Promise<readonly TreeNode[]>;
  /** The details of the row, asked for when the pointer rests on it. */
  tooltip?(): vscode.MarkdownString | string | undefined;
}

/** What the rows need from the view that they are in. */
export interface NodeHost {
  /** Something was fetched or failed: draw what changed. */
  changed(): void;
  /** How threads are to be listed. */
  listing(): ServerThreadsOptions;
  /** Which deployments are to be listed. */
  wanted(): DeploymentFilter;
  /** Aborts when the view is gone. */
  readonly signal: AbortSignal;
}
