/** The row of an agent server whose address stands in a platform's settings, with its threads below. */

import * as vscode from "vscode";
import type { AgentServerRef } from "../../connections/connection.ts";
import { serverText } from "../../connections/serverRef.ts";
import type { TreeNode } from "../../kit/tree/node.ts";
import { ServerBranch } from "./serverBranch.ts";
import type { ServerHost, ServerServices } from "./serverBranch.ts";

/** An agent server's row below a platform. */
export class AgentServerNode implements TreeNode {
  readonly id: string;
  readonly parent: TreeNode;
  readonly server: ServerBranch;
  readonly #startsOpen: boolean;

  constructor(
    parent: TreeNode,
    ref: AgentServerRef,
    open: boolean,
    services: ServerServices,
    host: ServerHost,
  ) {
    this.id = `server:${ref.connectionId}/${serverText(ref.server)}`;
    this.parent = parent;
    this.server = new ServerBranch(this, ref, open, services, host);
    this.#startsOpen = open;
  }

  get known(): readonly TreeNode[] | undefined {
    return this.server.known;
  }

  snapshot(): string {
    return [this.server.count, "address from the settings"].filter((part) => part !== "").join(" · ");
  }

  item(): vscode.TreeItem {
    const { Collapsed, Expanded } = vscode.TreeItemCollapsibleState;
    const { name, url } = this.server.ref;
    const item = new vscode.TreeItem(name, this.#startsOpen ? Expanded : Collapsed);
    item.id = this.id;
    item.description = this.snapshot();
    item.iconPath = new vscode.ThemeIcon("server-process");
    item.contextValue = "agentServer";
    item.tooltip = `${name}\n${url}`;
    item.accessibilityInformation = { label: `Agent server ${name} ${this.snapshot()}`.trim() };
    return item;
  }

  async children(): Promise<readonly TreeNode[]> {
    if (this.known === undefined) await this.server.load();
    return this.known ?? [];
  }
}
