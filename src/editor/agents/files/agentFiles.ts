/** Managed agents as files in the editor: everything that it takes, made once. */

import * as vscode from "vscode";
import type { Platforms } from "../../connections/platforms.ts";
import type { Report } from "../../kit/report.ts";
import { AgentBases } from "./agentBases.ts";
import { AgentConflicts } from "./agentConflicts.ts";
import { registerAgentDiagnostics } from "./agentDiagnostics.ts";
import { AgentFileSystem } from "./agentFileSystem.ts";
import { AgentStore } from "./agentStore.ts";
import { registerAutoSaveNotice } from "./autoSaveNotice.ts";

/** Agents' files, served to the editor until they are disposed of. */
export class AgentFiles implements vscode.Disposable {
  readonly store: AgentStore;
  readonly conflicts: AgentConflicts;
  readonly #subscriptions: vscode.Disposable;

  constructor(services: {
    readonly context: Pick<vscode.ExtensionContext, "globalState" | "workspaceState">;
    readonly platforms: Platforms;
    readonly report: Report;
  }) {
    this.store = new AgentStore(services.platforms);
    const bases = new AgentBases(services.context.workspaceState);
    const files = new AgentFileSystem(this.store, bases, services.report);
    this.conflicts = new AgentConflicts(files);
    this.#subscriptions = vscode.Disposable.from(
      this.store,
      files,
      this.conflicts,
      registerAgentDiagnostics(),
      registerAutoSaveNotice(services.context.globalState),
    );
  }

  dispose(): void {
    this.#subscriptions.dispose();
  }
}
