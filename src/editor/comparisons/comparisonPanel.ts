/** A tab with two runs or threads beside each other: the host's side of its page. */

import * as vscode from "vscode";
import type { RunCreate } from "../../api/agentServer/wire.ts";
import { compare } from "../../run/compare/comparison.ts";
import type { FromComparison, SideName, ToComparison } from "../../run/compare/messages.ts";
import type { ThreadRef } from "../connections/connection.ts";
import { stepStates } from "../documents/threadStateUri.ts";
import { pageHtml, pageRoots } from "../kit/webviewPage.ts";
import type { RunPanels } from "../runPanel/runPanels.ts";
import type { Services } from "../services.ts";
import { titleOnTab } from "../threads/servers/threadTitle.ts";
import { type Compared, HeldSide } from "./comparedSide.ts";

/** How often what goes on is compared anew. */
const pauseMs = 300;

interface ComparisonNeeds {
  readonly services: Services;
  readonly panels: RunPanels;
  /** By it the tab is found again after a reload of the window. */
  readonly id: string;
  /** Perhaps the thread of a side is known since its first run. */
  readonly sideChanged: (self: ComparisonPanel) => void;
  readonly closed: (self: ComparisonPanel) => void;
}

/** Compares its sides as long as its tab is open. */
export class ComparisonPanel {
  readonly sides: Readonly<Record<SideName, HeldSide>>;
  readonly #panel: vscode.WebviewPanel;
  readonly #webview: vscode.Webview;
  readonly #panels: RunPanels;
  readonly #sideChanged: () => void;
  #due: NodeJS.Timeout | undefined;
  #ready = false;
  /** What was begun for a tab that is closed since has nothing to draw. */
  #isClosed = false;
  #shown: ToComparison | undefined;

  constructor(
    panel: vscode.WebviewPanel,
    compared: Readonly<Record<SideName, Compared>>,
    { services, panels, id, sideChanged, closed }: ComparisonNeeds,
  ) {
    this.#sideChanged = (): void => sideChanged(this);
    this.#panel = panel;
    this.#webview = panel.webview;
    this.#panels = panels;
    const changed = (): void => this.#changed();
    this.sides = {
      left: new HeldSide(compared.left, services, changed),
      right: new HeldSide(compared.right, services, changed),
    };
    panel.webview.onDidReceiveMessage((message: unknown) => {
      const request = requestOf(message);
      if (request === undefined) services.log.warn("A comparison's page sent a message that is not known.");
      else void this.answer(request).catch((error: unknown) => services.report.failure("Compare", error));
    });
    panel.onDidChangeViewState(() => {
      // The editor drops the page of a hidden tab and makes it anew.
      if (!panel.visible) this.#ready = false;
      this.#each((side) => side.watch(panel.visible));
    });
    panel.onDidDispose(() => {
      this.#isClosed = true;
      clearTimeout(this.#due);
      this.#each((side) => side.dispose());
      closed(this);
    });
    this.#each((side) => side.watch(panel.visible));
    const { extensionUri } = services.context;
    panel.webview.options = { enableScripts: true, localResourceRoots: [...pageRoots(extensionUri)] };
    panel.webview.html = pageHtml(panel.webview, extensionUri, {
      ...{ title: "Compare", styleSheet: "compare.css", script: "compare.js", panelId: id },
    });
    changed();
  }

  /** What the page shows, or would show. */
  get shown(): ToComparison {
    const { left, right } = this.sides;
    return {
      type: "comparison",
      comparison: compare(left.side, right.side),
      facts: { left: left.facts, right: right.facts },
    };
  }

  /** Starts a run on a side whose thread it makes. */
  start(side: SideName, body: RunCreate): Promise<void> {
    return this.sides[side].start(body);
  }

  /** What is known beside the steps changed: what tokens cost. */
  factsChanged(): void {
    this.#changed();
  }

  noteDeleted(threads: readonly ThreadRef[]): void {
    this.#each((side) => side.noteDeleted(threads));
  }

  close(): void {
    this.#panel.dispose();
  }

  #each(work: (side: HeldSide) => void): void {
    work(this.sides.left);
    work(this.sides.right);
  }

  #changed(): void {
    if (this.#isClosed) return;
    this.#due ??= setTimeout(() => {
      this.#due = undefined;
      const { left, right } = this.sides;
      const titles = [...new Set([left.title, right.title].map(titleOnTab))];
      const title = titles.length === 1 ? `Compare ${titles.join()}` : titles.join(" ↔ ");
      if (this.#panel.title !== title) this.#panel.title = title;
      this.#panel.iconPath = (right.isProtected ? right : left).icon;
      this.#shown = undefined;
      this.#sideChanged();
      if (this.#ready) this.#send();
    }, pauseMs);
  }

  #send(): void {
    this.#shown ??= this.shown;
    void this.#webview.postMessage(this.#shown);
  }

  /** Does what the page asks for. */
  async answer(request: FromComparison): Promise<void> {
    switch (request.type) {
      case "ready":
        this.#ready = true;
        this.#send();
        return;
      case "openStates":
        await this.#openStates(request);
        return;
      case "openThread": {
        const { thread } = this.sides[request.side];
        if (thread === undefined) return;
        const panel = this.#panels.open(thread);
        if (request.entry !== undefined) panel.focus({ type: "goTo", landmark: { entry: request.entry } });
        return;
      }
      default:
        request satisfies never;
    }
  }

  /** Two steps by the states that they left; one alone by what it changed. */
  async #openStates(request: Extract<FromComparison, { type: "openStates" }>): Promise<void> {
    const [left, right] = (["left", "right"] as const).map((side) => {
      const { thread } = this.sides[side];
      const step = this.sides[side].step(request[side]);
      const checkpoints = step?.checkpoints;
      if (thread === undefined || step === undefined || checkpoints === undefined) return undefined;
      const name = step.name === "" ? "a step" : step.name;
      return { name, states: stepStates(thread, { name, lane: step.lane, checkpoints }) };
    });
    const one = left ?? right;
    if (one === undefined) return;
    if (left === undefined || right === undefined) {
      await vscode.commands.executeCommand("vscode.diff", ...one.states);
      return;
    }
    const titles = [this.sides.left.title, this.sides.right.title].map(titleOnTab).join(" ↔ ");
    const [after, other] = [left.states[1], right.states[1]];
    await vscode.commands.executeCommand("vscode.diff", after, other, `After ${one.name}: ${titles}`);
  }
}

/** What a page may ask for: it shows what agents say, so each message is checked. */
function requestOf(message: unknown): FromComparison | undefined {
  const { type, left, right, side, entry } = Object(message) as Readonly<Record<string, unknown>>;
  const isId = (value: unknown): value is string | undefined =>
    value === undefined || typeof value === "string";
  if (type === "ready") return { type };
  if (type === "openStates" && isId(left) && isId(right)) return { type, left, right };
  if (type === "openThread" && (side === "left" || side === "right") && isId(entry))
    return { type, side, entry };
  return undefined;
}
