/** The Failures view: what is broken on any connection, the newest first. */

import * as vscode from "vscode";
import type { ConnectedServer } from "../../connections/serverRef.ts";
import type { FailureRef, ListedFailure } from "../../failures/listedFailure.ts";
import { setContext } from "../../kit/contexts.ts";
import { CONTEXTS, SECTION, SETTINGS } from "../../kit/ids.ts";
import { type Meant, refOf } from "../../kit/ask/meant.ts";
import { BranchNode } from "../../kit/tree/branchNode.ts";
import { sameNodes, type TreeNode } from "../../kit/tree/node.ts";
import { counted } from "../../kit/words.ts";
import type { Services } from "../../services.ts";
import { type EditorView, setViewTexts } from "../platform/laterView.ts";
import { PolledView } from "../platform/polledView.ts";
import { failureRow, failureTooltip } from "./failureRow.ts";

/** The view of what `services.failures` found. */
export class FailuresView implements vscode.Disposable {
  readonly polled: PolledView;
  readonly #services: Services;
  readonly #subscriptions: vscode.Disposable;
  #rows: readonly TreeNode[] = [];

  constructor(services: Services, view: EditorView) {
    const { apiKeys, connections, deployments, failures, threads } = services;
    this.#services = services;
    this.polled = new PolledView(services, {
      view,
      refresh: "agentOperations.failures.refresh",
      emptyContext: CONTEXTS.failuresEmpty,
      roots: () => this.#rows,
      empty: () => this.empty,
      poll: (signal) => failures.poll(signal),
    });
    this.#subscriptions = vscode.Disposable.from(
      this.polled,
      failures.onDidChange(() => this.#draw()),
      view.onDidChangeVisibility(() => void this.#refreshSeen()),
      connections.onDidChange(() => void this.#refreshSeen()),
      apiKeys.onDidChange(() => void this.#refreshSeen()),
      deployments.onDidChange(() => this.polled.hurry()),
      // A thread that failed may be repaired, or gone.
      threads.onDidChange(({ kind }) => {
        if (kind !== "renamed") this.polled.hurry();
      }),
      vscode.workspace.onDidChangeConfiguration((change) => {
        if (change.affectsConfiguration(`${SECTION}.${SETTINGS.failuresBadge}`)) this.#describe();
      }),
    );
    this.polled.start();
    this.#draw();
    void this.#refreshSeen();
  }

  /** Why no rows are shown. */
  get empty(): string | undefined {
    const { connections, failures } = this.#services;
    if (connections.list().length === 0) return "noConnection";
    if (this.#rows.length > 0) return undefined;
    return failures.checked ? "nothing" : "unknown";
  }

  /** What is selected, for a key that was pressed. */
  get selected(): readonly Meant<"failureKey">[] {
    return this.polled.view.selection.flatMap((node) => refOf(node, "failureKey") ?? []);
  }

  /** The connection's name, for a person. */
  connectionOf({ ref: { connectionId } }: ListedFailure): string {
    return this.#services.connections.get(connectionId)?.name ?? "";
  }

  /** Asks now, because a person wants it. */
  async refresh(signal = this.polled.host.signal): Promise<void> {
    await this.#services.failures.load(signal);
    this.polled.hurry();
  }

  dispose(): void {
    this.#subscriptions.dispose();
  }

  async #refreshSeen(): Promise<void> {
    if (this.polled.view.visible) await this.refresh(this.polled.seen);
    else this.#draw();
  }

  #draw(): void {
    const { items } = this.#services.failures;
    this.#rows = sameNodes(
      this.#rows,
      items.map((failure) => this.#node(failure)),
    );
    this.#describe();
    this.polled.nodes.update();
  }

  #node(failure: ListedFailure): TreeNode {
    const { connections, failures } = this.#services;
    const row = () => {
      const connection = connections.get(failure.ref.connectionId);
      const unread = failures.isUnread(failure);
      return failureRow(failure, { connection, unread, now: this.#now(failure) });
    };
    const tooltip = () => failureTooltip(failure, this.connectionOf(failure));
    const ref = { ...failure.ref, failureKey: failure.key };
    return new BranchNode<FailureRef>(
      { id: `broken:${failure.key}`, parent: undefined, ref, row, tooltip },
      this.polled.host,
    );
  }

  /** What a server told is as old as its clock says; all else was seen here. */
  #now({ kind, ref }: ListedFailure): number {
    const { agentServers, platforms } = this.#services;
    if (kind === "revision") return platforms.now(ref.connectionId);
    const { server } = ref as Partial<ConnectedServer>;
    const hasServerTime = (kind === "run" || kind === "threads") && server !== undefined;
    return hasServerTime ? agentServers.now({ ...ref, server }) : Date.now();
  }

  #describe(): void {
    const { failures } = this.#services;
    const unread = failures.items.filter((failure) => failures.isUnread(failure));
    const { view } = this.polled;
    setViewTexts(view, { description: unread.length === 0 ? "" : `${String(unread.length)} new` });
    const wanted = vscode.workspace.getConfiguration(SECTION).get<string>(SETTINGS.failuresBadge, "none");
    const added = unread.filter(
      ({ kind }) => wanted === "all" || (wanted === "revisions" && kind === "revision"),
    );
    view.badge = badgeOf(unread.length, added.length);
    setContext(CONTEXTS.failuresUnread, unread.length > 0);
  }
}

/** The icon of all our views adds up their numbers: only the failures that a setting wants are added to what waits. */
function badgeOf(unread: number, added: number): vscode.ViewBadge | undefined {
  if (unread === 0) return undefined;
  const remark = added === unread ? "" : added === 0 ? ", not counted" : `, ${String(added)} counted`;
  return { value: added, tooltip: `${counted(unread, "new failure")}${remark}` };
}
