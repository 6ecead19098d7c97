/** One row of a view; it is the same object for as long as it stands for the same thing. */

import type * as vscode from "vscode";
import type { DeploymentFilter } from "../../deployments/deploymentRow.ts";
import type { CommandId } from "../ids.ts";
import type { Report } from "../report.ts";
import type { ServerThreadsOptions } from "../../threads/serverThreads.ts";

/** A row, with what is below it. */
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

/** What the rows of the Deployments view need from it. */
export interface NodeHost {
  readonly report: Report;
  /** Asks anew for everything that the view shows. */
  readonly refresh: CommandId;
  /** Something was fetched or failed: draw what changed. */
  changed(): void;
  /** How threads are to be listed. */
  listing(): ServerThreadsOptions;
  /** Which deployments are to be listed. */
  wanted(): DeploymentFilter;
  /** Aborts when the view is gone. */
  readonly signal: AbortSignal;
}
