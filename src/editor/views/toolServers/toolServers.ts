/** The Tool Servers view: tool servers by platform, with their tools below, which a person can check there. */

import * as vscode from "vscode";
import { setContext } from "../../kit/contexts.ts";
import { CONTEXTS } from "../../kit/ids.ts";
import { BranchNode, reload } from "../../kit/tree/branchNode.ts";
import { findNode, type TreeNode } from "../../kit/tree/node.ts";
import type { Services } from "../../services.ts";
import type { ToolServerRef } from "../../toolServers/authAttempts.ts";
import type { ToolRef, ToolServersChange } from "../../toolServers/toolServers.ts";
import { type EditorView, showRow } from "../platform/laterView.ts";
import { PlatformView } from "../platform/platformView.ts";
import { type ToolNode, toolServerNode, type ToolServerNode, toolServerNodeId } from "./toolServerRows.ts";

/** The view of what `services.toolServers` knows. */
export class ToolServersView implements vscode.Disposable {
  /** The rows, as the editor shows them. */
  readonly platform: PlatformView;
  readonly #services: Services;
  readonly #subscriptions: vscode.Disposable;
  /** Settles when the latest change is shown. */
  #shown = Promise.resolve();

  constructor(services: Services, view: EditorView) {
    const { authAttempts, toolServers } = services;
    this.#services = services;
    this.platform = new PlatformView(services, {
      view,
      refresh: "agentOperations.toolServers.refresh",
      emptyContext: CONTEXTS.toolServersEmpty,
      children: async (connectionId, parent, host, signal) => {
        const servers = await toolServers.load(connectionId, signal);
        return servers.map((facts) => toolServerNode(facts, parent, { host, authAttempts, toolServers }));
      },
      liftsOnly: true,
      empty: (roots) => {
        const isEmpty = roots.every(({ known, failure }) => known?.length === 0 && failure === undefined);
        return roots.length > 0 && isEmpty ? "noToolServer" : undefined;
      },
    });
    this.#subscriptions = vscode.Disposable.from(
      this.platform,
      view.onDidChangeCheckboxState(({ items }) => this.#checked(items)),
      toolServers.onDidChange((change) => (this.#shown = this.#show(change))),
    );
    this.#describe();
  }

  /** The row of a tool server, if it is listed. */
  node(server: ToolServerRef): ToolServerNode | undefined {
    const node = findNode(this.platform.roots, toolServerNodeId(server));
    return node instanceof BranchNode ? (node as ToolServerNode) : undefined;
  }

  /** Selects the row of a tool server, once the latest change is shown; `expand` has its tools read. */
  async reveal(server: ToolServerRef, expand: boolean): Promise<void> {
    await this.#shown;
    await this.platform.roots.find(({ ref }) => ref.connectionId === server.connectionId)?.children();
    const node = this.node(server);
    if (node !== undefined) await showRow(this.platform.view, node, { select: true, expand });
  }

  /** Asks the platforms for their servers and the servers for their tools, as far as they are shown. */
  async refresh(): Promise<void> {
    await Promise.all(this.platform.roots.map((root) => reload(root)));
  }

  dispose(): void {
    this.#subscriptions.dispose();
  }

  async #show(change: ToolServersChange): Promise<void> {
    switch (change.kind) {
      case "servers": {
        this.platform.changed();
        const { server } = change;
        const root = this.platform.roots.find(({ ref }) => ref.connectionId === server.connectionId);
        if (root?.known === undefined) return;
        await root.load();
        const node = this.node(server);
        if (node?.known !== undefined) await node.load();
        return;
      }
      case "tools":
        await this.node(change.server)?.load();
        return;
      case "picks":
        this.#describe();
        return;
      default:
        change satisfies never;
    }
  }

  #checked(items: readonly (readonly [TreeNode, vscode.TreeItemCheckboxState])[]): void {
    this.#services.toolServers.pick(
      items.flatMap(([node, state]): [ToolRef, boolean][] =>
        isToolNode(node) ? [[node.ref, state === vscode.TreeItemCheckboxState.Checked]] : [],
      ),
    );
  }

  #describe(): void {
    const count = this.#services.toolServers.picked.length;
    this.platform.describe(count === 0 ? "" : `${String(count)} picked`);
    setContext(CONTEXTS.toolsPicked, count > 0);
    this.platform.changed();
  }
}

function isToolNode(node: TreeNode): node is ToolNode {
  return node instanceof BranchNode && node.id.startsWith("tool:");
}
