/** The open comparisons, and what a person selected to be compared next. */

import { randomUUID } from "node:crypto";

import * as vscode from "vscode";

import type { SideName } from "../../run/compare/messages.ts";
import { connectedServerIn, serverText } from "../connections/serverRef.ts";
import { setContext } from "../kit/contexts.ts";
import { COMPARISON_PANEL, CONTEXTS, SECTION, SETTINGS } from "../kit/ids.ts";
import { KeptList } from "../kit/keptList.ts";
import { pageRoots, rememberedPanel } from "../kit/webviewPage.ts";
import type { RunPanels } from "../runPanel/runPanels.ts";
import type { Services } from "../services.ts";
import type { Compared, HeldSide } from "./comparedSide.ts";
import { ComparisonPanel } from "./comparisonPanel.ts";

const mostKept = 50;

/** What is compared on one side, as it is kept over a reload. */
interface KeptSide {
  readonly connectionId: string;
  readonly serverId: string;
  readonly threadId: string | undefined;
  readonly runId: string | undefined;
}

/** Opens comparisons; each is a tab of its own. */
export class Comparisons implements vscode.Disposable {
  readonly #services: Services;
  readonly #panels: RunPanels;
  readonly #open = new Set<ComparisonPanel>();
  readonly #subscriptions: vscode.Disposable;
  readonly #kept: KeptList<readonly [panelId: string, Readonly<Record<SideName, KeptSide>>]>;
  #selected: Compared | undefined;

  constructor(services: Services, panels: RunPanels) {
    this.#services = services;
    this.#panels = panels;
    this.#kept = new KeptList(services.context.workspaceState, "comparisons", ([id]) => id, mostKept);
    this.#subscriptions = vscode.Disposable.from(
      services.threads.onDidChange(({ kind, threads }) => {
        if (kind === "deleted") for (const panel of this.all) panel.noteDeleted(threads);
      }),
      vscode.workspace.onDidChangeConfiguration((change) => {
        if (change.affectsConfiguration(`${SECTION}.${SETTINGS.prices}`))
          for (const panel of this.all) panel.factsChanged();
      }),
    );
  }

  get all(): readonly ComparisonPanel[] {
    return [...this.#open];
  }

  /** The run or thread that waits for another one. */
  get selected(): Compared | undefined {
    return this.#selected;
  }

  select(compared: Compared): void {
    this.#selected = compared;
    setContext(CONTEXTS.comparisonSelected, true);
  }

  open(left: Compared, right: Compared): ComparisonPanel {
    const panel = vscode.window.createWebviewPanel(COMPARISON_PANEL, "Compare", vscode.ViewColumn.Active, {
      enableScripts: true,
      localResourceRoots: [...pageRoots(this.#services.context.extensionUri)],
    });
    return this.#adopt(panel, randomUUID(), { left, right });
  }

  /** The editor brings a tab back: what was compared is read anew from its servers. */
  deserializeWebviewPanel(panel: vscode.WebviewPanel, state: unknown): Promise<void> {
    const id = rememberedPanel(state);
    const kept = id === undefined ? undefined : this.#kept.get(id)?.[1];
    const [left, right] = [comparedIn(kept?.left), comparedIn(kept?.right)];
    if (id === undefined || left === undefined || right === undefined) panel.dispose();
    else this.#adopt(panel, id, { left, right });
    return Promise.resolve();
  }

  dispose(): void {
    this.#subscriptions.dispose();
  }

  #adopt(
    panel: vscode.WebviewPanel,
    id: string,
    compared: Readonly<Record<SideName, Compared>>,
  ): ComparisonPanel {
    const adopted = new ComparisonPanel(panel, compared, {
      ...{ services: this.#services, panels: this.#panels, id },
      sideChanged: (self) => this.#keep(id, self),
      closed: (self) => this.#open.delete(self),
    });
    this.#keep(id, adopted);
    this.#open.add(adopted);
    return adopted;
  }

  #keep(id: string, { sides: { left, right } }: ComparisonPanel): void {
    const now = { left: keptSide(left), right: keptSide(right) };
    if (JSON.stringify(this.#kept.get(id)?.[1]) !== JSON.stringify(now)) void this.#kept.keep([id, now]);
  }
}

function keptSide({ compared: { target, runId }, thread }: HeldSide): KeptSide {
  const { connectionId, server } = target;
  return { connectionId, serverId: serverText(server), threadId: thread?.threadId, runId };
}

/** Undefined where nothing ran yet. */
function comparedIn(kept: KeptSide | undefined): Compared | undefined {
  const server = connectedServerIn(kept);
  if (server === undefined || kept?.threadId === undefined) return undefined;
  return { target: { ...server, threadId: kept.threadId }, runId: kept.runId };
}
