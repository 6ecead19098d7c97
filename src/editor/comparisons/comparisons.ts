/** The open comparisons, and what a person selected to be compared next. */

import * as vscode from "vscode";
import { COMPARISON_PANEL, CONTEXTS } from "../kit/ids.ts";
import { pageRoots } from "../kit/webviewPage.ts";
import type { RunPanels } from "../runPanel/runPanels.ts";
import type { Services } from "../services.ts";
import type { Compared } from "./comparedSide.ts";
import { ComparisonPanel } from "./comparisonPanel.ts";

/** Opens comparisons; each is a tab of its own. */
export class Comparisons implements vscode.Disposable {
  readonly #services: Services;
  readonly #panels: RunPanels;
  readonly #open = new Set<ComparisonPanel>();
  readonly #subscription: vscode.Disposable;
  #selected: Compared | undefined;

  constructor(services: Services, panels: RunPanels) {
    this.#services = services;
    this.#panels = panels;
    this.#subscription = services.threads.onDidChange(({ kind, threads }) => {
      if (kind === "deleted") for (const panel of this.all) panel.noteDeleted(threads);
    });
  }

  get all(): readonly ComparisonPanel[] {
    return [...this.#open];
  }

  /** The run or thread that waits for another one. */
  get selected(): Compared | undefined {
    return this.#selected;
  }

  async select(compared: Compared): Promise<void> {
    this.#selected = compared;
    await vscode.commands.executeCommand("setContext", CONTEXTS.comparisonSelected, true);
  }

  open(left: Compared, right: Compared): ComparisonPanel {
    const localResourceRoots = [...pageRoots(this.#services.context.extensionUri)];
    const options = { enableScripts: true, localResourceRoots };
    const panel = vscode.window.createWebviewPanel(
      COMPARISON_PANEL,
      "Compare",
      vscode.ViewColumn.Active,
      options,
    );
    const opened = new ComparisonPanel(
      panel,
      { left, right },
      {
        services: this.#services,
        panels: this.#panels,
        closed: (self) => this.#open.delete(self),
      },
    );
    this.#open.add(opened);
    return opened;
  }

  dispose(): void {
    this.#subscription.dispose();
  }
}
