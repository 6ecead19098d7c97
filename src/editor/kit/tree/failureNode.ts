/** The row that stands where something could not be fetched: the reason, and on a click what to do about it. */

import * as vscode from "vscode";
import { ApiError } from "../../../api/errors.ts";
import { ConnectionError } from "../../connections/connectionSettings.ts";
import type { CommandId } from "../ids.ts";
import type { Report } from "../report.ts";
import type { NodeHost, TreeNode } from "./node.ts";

/** A row in the place of what could not be fetched. */
export class FailureNode implements TreeNode {
  readonly id: string;
  readonly parent: TreeNode;
  readonly known: readonly TreeNode[] = [];
  readonly #connectionId: string;
  #error: unknown;
  readonly #report: Report;
  readonly #refresh: CommandId;

  constructor(
    parent: TreeNode,
    connectionId: string,
    error: unknown,
    { report, refresh }: Pick<NodeHost, "report" | "refresh">,
  ) {
    this.id = `failure:${parent.id}`;
    this.parent = parent;
    this.#connectionId = connectionId;
    this.#error = error;
    this.#report = report;
    this.#refresh = refresh;
  }

  snapshot(): string {
    const { message, remedy } = this.#report.words(this.#error);
    return `${message}\n${remedy}`;
  }

  item(): vscode.TreeItem {
    const { message, remedy } = this.#report.words(this.#error);
    const item = new vscode.TreeItem(message);
    item.id = this.id;
    item.description = remedy;
    item.iconPath = new vscode.ThemeIcon("warning", new vscode.ThemeColor("list.warningForeground"));
    item.contextValue = "failure";
    item.tooltip = `${message}\n\n${remedy}`;
    item.accessibilityInformation = { label: `Problem: ${message} ${remedy}` };
    item.command = {
      command: this.#remedy,
      title: remedy,
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

  /** The command that gets a person past the error. */
  get #remedy(): CommandId {
    return remedyFor(this.#error) ?? this.#refresh;
  }
}

/** What must be done about an error before asking again has a chance; undefined when there is nothing. */
function remedyFor(error: unknown): CommandId | undefined {
  if (error instanceof ConnectionError) {
    return error.reason === "localPlatformStopped"
      ? "agentOperations.localPlatform.start"
      : "agentOperations.connection.edit";
  }
  if (!(error instanceof ApiError)) return "agentOperations.log.show";
  switch (error.kind) {
    case "unauthorized":
    case "forbidden":
      return "agentOperations.connection.setApiKey";
    case "notJson":
    case "malformed":
    case "redirected":
      return "agentOperations.connection.edit";
    case "notFound":
    case "rateLimited":
    case "server":
    case "timeout":
    case "aborted":
    case "cut":
      return undefined;
    case "dns":
    case "refused":
    case "unreachable":
    case "tls":
    case "proxy":
    case "missingPermission":
    case "unsupported":
    case "conflict":
    case "invalid":
    case "tooLarge":
    case "runFailed":
      return "agentOperations.connection.test";
    default:
      return error.kind satisfies never;
  }
}
