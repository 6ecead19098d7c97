/** The Activity view: long operations with their steps and timers. */

import * as vscode from "vscode";
import type { Activity } from "../kit/activityLog.ts";
import { CONTEXTS } from "../kit/ids.ts";
import type { Services } from "../services.ts";
import { ActivityNode } from "./activityNode.ts";
import type { EditorView } from "./platform/laterView.ts";
import { NodeTree } from "../kit/tree/nodeTree.ts";

/** One row for each operation, the newest first. */
export class ActivityView implements vscode.Disposable {
  readonly nodes: NodeTree;
  readonly view: EditorView;
  readonly #services: Pick<Services, "activity">;
  readonly #rows = new WeakMap<Activity, ActivityNode>();
  readonly #subscriptions: vscode.Disposable;
  #timer: NodeJS.Timeout | undefined;

  constructor(services: Pick<Services, "activity">, view: EditorView) {
    this.#services = services;
    this.nodes = new NodeTree({ roots: () => this.roots, empty: () => undefined });
    this.view = view;
    this.#subscriptions = vscode.Disposable.from(
      this.nodes,
      services.activity.onDidChange(() => this.#changed()),
      this.view.onDidChangeVisibility(() => this.#changed()),
    );
    this.#changed();
  }

  get roots(): readonly ActivityNode[] {
    return this.#services.activity.entries.map((activity) => this.#row(activity));
  }

  dispose(): void {
    clearInterval(this.#timer);
    this.#subscriptions.dispose();
  }

  #row(activity: Activity): ActivityNode {
    const known = this.#rows.get(activity) ?? new ActivityNode(activity);
    this.#rows.set(activity, known);
    return known;
  }

  #changed(): void {
    this.nodes.update();
    const { entries } = this.#services.activity;
    const ended = entries.some(({ end }) => end !== undefined);
    void vscode.commands.executeCommand("setContext", CONTEXTS.activityEnded, ended);
    this.#tick(this.view.visible && entries.some(({ end }) => end === undefined));
  }

  /** Timers run only where somebody can see them. */
  #tick(wanted: boolean): void {
    if (wanted === (this.#timer !== undefined)) return;
    clearInterval(this.#timer);
    this.#timer = wanted ? setInterval(() => this.nodes.update(), 1000) : undefined;
  }
}
