/** The run panels as the window knows them before there is one: their code is loaded with the first. */

import * as vscode from "vscode";
import { RUN_PANEL } from "../kit/ids.ts";
import type { Services } from "../services.ts";
import type { RunPanels } from "./runPanels.ts";

/** Loads the run panels once, and lets the editor bring panels back after a window reload. */
export class LazyRunPanels implements vscode.WebviewPanelSerializer, vscode.Disposable {
  readonly #services: Services;
  readonly #registered: vscode.Disposable;
  #panels: Promise<RunPanels> | undefined;

  constructor(services: Services) {
    this.#services = services;
    this.#registered = vscode.window.registerWebviewPanelSerializer(RUN_PANEL, this);
  }

  /** The panels, whose code is loaded now if it was not. */
  get(): Promise<RunPanels> {
    return (this.#panels ??= this.#load());
  }

  async deserializeWebviewPanel(panel: vscode.WebviewPanel, state: unknown): Promise<void> {
    await (await this.get()).deserializeWebviewPanel(panel, state);
  }

  dispose(): void {
    this.#registered.dispose();
    void this.#panels?.then((panels) => panels.dispose());
  }

  async #load(): Promise<RunPanels> {
    const { RunPanels } = await import("./runPanels.ts");
    return new RunPanels(this.#services);
  }
}
