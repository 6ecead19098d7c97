/** The Issues view: the receiver, and what it received, by severity. It asks no server. */

import * as vscode from "vscode";
import { counted } from "../../kit/words.ts";
import { setContext } from "../../kit/contexts.ts";
import { CONTEXTS } from "../../kit/ids.ts";
import type { IssueWebhooks } from "../../issues/issueWebhooks.ts";
import type { Services } from "../../services.ts";
import { issueNode, issueTargetOf } from "./issueNode.ts";
import { groupModels } from "./issueRow.ts";
import type { IssueTarget } from "./issueRow.ts";
import { sameNodes, type TreeNode } from "../../kit/tree/node.ts";
import type { NodeTree } from "../../kit/tree/nodeTree.ts";
import { type EditorView, setViewTexts } from "../platform/laterView.ts";
import { ShownRows } from "../platform/shownRows.ts";
import { gapModel, receiverModel } from "./receiverRow.ts";

/** Deliveries come in bursts: they are drawn together. */
const drawMs = 100;

/** The view, with what is new beside its title and its rows. */
export class IssuesView implements vscode.Disposable {
  /** The rows as the editor asks for them. */
  readonly nodes: NodeTree;
  readonly view: EditorView;
  readonly #webhooks: IssueWebhooks;
  readonly #rows: ShownRows;
  readonly #subscriptions: vscode.Disposable;
  #roots: readonly TreeNode[] = [];
  #drawing: NodeJS.Timeout | undefined;

  constructor({ context, issueWebhooks }: Services, view: EditorView) {
    this.#webhooks = issueWebhooks;
    this.#rows = new ShownRows(context.workspaceState, {
      view,
      name: CONTEXTS.issuesEmpty,
      roots: () => this.#roots,
      empty: () => this.empty,
    });
    this.nodes = this.#rows.nodes;
    this.view = view;
    this.#subscriptions = vscode.Disposable.from(
      this.#rows,
      issueWebhooks.onDidChange(() => this.#soon()),
      issueWebhooks.subscriptions.onDidChange(() => this.#soon()),
      this.view.onDidChangeVisibility(() => this.update()),
    );
    this.update();
  }

  /** Why a welcome text stands there instead of rows. */
  get empty(): "nothing" | undefined {
    const { state, store, subscriptions } = this.#webhooks;
    const received = store.size > 0 || store.gaps.length > 0;
    const nothing = state.kind === "stopped" && !received && subscriptions.list().length === 0;
    return nothing ? "nothing" : undefined;
  }

  /** What is selected, for a key that was pressed. */
  get selected(): readonly IssueTarget[] {
    return this.view.selection.flatMap((node) => issueTargetOf(node) ?? []);
  }

  /** Draws what changed. */
  update(): void {
    clearTimeout(this.#drawing);
    this.#drawing = undefined;
    const { store } = this.#webhooks;
    const { unread } = store;
    const models = [
      receiverModel(this.#webhooks),
      ...store.gaps.map((gap) => gapModel(gap, new Date())),
      ...groupModels(store.all, Date.now()),
    ];
    this.#roots = sameNodes(
      this.#roots,
      models.map((model) => issueNode(model, this.#rows.host)),
    );
    // The icon of all our views adds up their numbers, and its number is of what waits for a person.
    this.view.badge =
      unread.length === 0
        ? undefined
        : { value: 0, tooltip: `${counted(unread.length, "new issue")}, not counted` };
    setViewTexts(this.view, { description: unread.length === 0 ? "" : `${String(unread.length)} new` });
    setContext(CONTEXTS.issuesEmpty, this.empty);
    this.nodes.update();
  }

  dispose(): void {
    clearTimeout(this.#drawing);
    this.#subscriptions.dispose();
  }

  #soon(): void {
    this.#drawing ??= setTimeout(() => this.update(), drawMs);
  }
}
