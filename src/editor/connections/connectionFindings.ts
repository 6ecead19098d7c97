/** What was found out about each connection since it or its key changed: its key, its servers, or graphs that do not run. */

import * as vscode from "vscode";
import type { GraphEntry } from "../workspaceGraphs/graphFile.ts";
import type { WorkspaceGraphs } from "../workspaceGraphs/workspaceGraphs.ts";
import type { ApiKeys, KeyState } from "./apiKeys.ts";
import type { AgentServerRef } from "./connection.ts";
import type { Connections } from "./connections.ts";

/** What was found out about one connection. */
interface Finding {
  /** Whether a key is there. */
  key?: KeyState;
  /** The agent servers whose addresses stand in the settings. */
  named?: readonly AgentServerRef[];
  /** The graphs of a project of this workspace whose server does not run. */
  graphs?: readonly GraphEntry[];
  /** Where a server of its graphs answers that was started outside of the editor. */
  other?: string | undefined;
}

interface Needs {
  readonly agentServers: { named(connectionId: string): Promise<readonly AgentServerRef[]> };
  readonly apiKeys: Pick<ApiKeys, "state">;
  readonly connections: Pick<Connections, "get">;
  readonly workspaceGraphs: Pick<WorkspaceGraphs, "file" | "otherServer" | "state">;
}

/** Finds it out when asked, and says so. */
export class ConnectionFindings implements vscode.Disposable {
  readonly #services: Needs;
  readonly #found = new Map<string, Finding>();
  readonly #changed = new vscode.EventEmitter<void>();
  /** More was found out. */
  readonly onDidChange = this.#changed.event;

  constructor(services: Needs) {
    this.#services = services;
  }

  /** What is known of a connection; nothing before it was looked at. */
  of(connectionId: string): Readonly<Finding> {
    return this.#found.get(connectionId) ?? {};
  }

  /** Looks at a connection anew; throws ConnectionError when it can't be used. */
  async find(connectionId: string): Promise<void> {
    const { agentServers, apiKeys, connections, workspaceGraphs } = this.#services;
    const found = this.#finding(connectionId);
    const setting = connections.get(connectionId);
    try {
      if (setting?.kind === "workspaceGraphs" && workspaceGraphs.state(connectionId).kind !== "running") {
        found.graphs = (await workspaceGraphs.file(connectionId)).graphs;
        await this.findOtherServer(connectionId);
        return;
      }
      if (setting !== undefined) found.key = await apiKeys.state(setting);
      found.named = await agentServers.named(connectionId);
    } finally {
      this.#changed.fire();
    }
  }

  /** Looks for a server of graphs that does not run here; whether another one, or none, is there by now. */
  async findOtherServer(connectionId: string): Promise<boolean> {
    const { workspaceGraphs } = this.#services;
    const found = this.#finding(connectionId);
    if (found.graphs === undefined || workspaceGraphs.state(connectionId).kind !== "stopped") return false;
    const before = found.other;
    found.other = await workspaceGraphs.otherServer(connectionId);
    if (found.other === before) return false;
    this.#changed.fire();
    return true;
  }

  /** Forgets what was found out, and what is still on its way: the connection was changed, or its key. */
  forget(connectionId: string): void {
    this.#found.delete(connectionId);
  }

  dispose(): void {
    this.#changed.dispose();
  }

  #finding(connectionId: string): Finding {
    const found = this.#found.get(connectionId) ?? {};
    this.#found.set(connectionId, found);
    return found;
  }
}
