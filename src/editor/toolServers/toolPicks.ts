/** The tools that a person has checked in the Tool Servers view. */

import * as vscode from "vscode";
import type { Tool } from "../../api/managedAgents/toolServers.ts";
import type { ToolServerRef } from "./authAttempts.ts";

/** One tool of one tool server, as the view shows it. */
export interface ToolRef extends ToolServerRef {
  readonly serverName: string;
  readonly serverUrl: string;
  readonly tool: Tool;
}

/** The picked tools of all servers, until they are used or cleared. */
export class ToolPicks implements vscode.Disposable {
  readonly #picked = new Map<string, ToolRef>();
  readonly #changed = new vscode.EventEmitter<void>();
  readonly onDidChange = this.#changed.event;

  /** In the order in which they were checked. */
  get all(): readonly ToolRef[] {
    return [...this.#picked.values()];
  }

  has(tool: ToolRef): boolean {
    return this.#picked.has(keyOf(tool));
  }

  set(changes: readonly (readonly [tool: ToolRef, picked: boolean])[]): void {
    for (const [tool, picked] of changes) {
      if (picked) this.#picked.set(keyOf(tool), tool);
      else this.#picked.delete(keyOf(tool));
    }
    this.#changed.fire();
  }

  /** Forgets the tools of servers that are listed no more. */
  retain(connectionId: string, toolServerIds: readonly string[]): void {
    const gone = this.all.filter(
      (tool) => tool.connectionId === connectionId && !toolServerIds.includes(tool.toolServerId),
    );
    if (gone.length > 0) this.set(gone.map((tool) => [tool, false] as const));
  }

  clear(): void {
    this.#picked.clear();
    this.#changed.fire();
  }

  dispose(): void {
    this.#changed.dispose();
  }
}

function keyOf({ connectionId, toolServerId, tool }: ToolRef): string {
  return JSON.stringify([connectionId, toolServerId, tool.name]);
}
