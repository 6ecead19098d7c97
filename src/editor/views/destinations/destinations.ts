/** The Destinations view: platforms, the buckets that traces are exported to, and the exports. It draws a model. */

import * as vscode from "vscode";
import { isOver } from "../../../api/bulkExports/exportStatus.ts";
import type { DestinationRef } from "../../destinations/destinations.ts";
import { CONTEXTS, VIEWS } from "../../kit/ids.ts";
import { reload } from "../../kit/tree/branchNode.ts";
import type { TreeNode } from "../../kit/tree/node.ts";
import type { PollResult } from "../../kit/tree/pollSchedule.ts";
import type { Services } from "../../services.ts";
import { PlatformView } from "../platform/platformView.ts";
import { destinationId, destinationNodes } from "./destinationNodes.ts";

/** The view, and what only a view can do: select a row. */
export class DestinationsView implements vscode.Disposable {
  readonly #destinations: Services["destinations"];
  readonly #view: PlatformView;
  readonly #subscriptions: vscode.Disposable;

  constructor(services: Services) {
    const { destinations } = services;
    this.#destinations = destinations;
    this.#view = new PlatformView(services, {
      viewId: VIEWS.destinations,
      refresh: "agentOperations.destinations.refresh",
      emptyContext: CONTEXTS.destinationsEmpty,
      children: async (connectionId, _parent, _host, signal) => {
        await destinations.fetch(connectionId, signal);
        return undefined;
      },
      known: (connectionId, parent, host) => {
        const facts = destinations.known(connectionId);
        return (
          facts &&
          destinationNodes(facts, { connectionId, destinations, host, jobs: facts.jobs ?? [] }, parent)
        );
      },
      failure: (connectionId) => destinations.failure(connectionId),
      forget: (connectionId) => destinations.reset(connectionId),
      empty: ([only, ...others]) =>
        only !== undefined && others.length === 0 && only.known?.length === 0 ? "empty" : undefined,
      poll: (signal) => this.#poll(signal),
    });
    this.#subscriptions = vscode.Disposable.from(
      this.#view,
      destinations.onDidChange(({ connectionId }) => this.#changed(connectionId)),
    );
  }

  /** The rows as the editor sees them. */
  get nodes(): PlatformView["nodes"] {
    return this.#view.nodes;
  }

  /** Fetches everything anew that was fetched, down to the runs. */
  async refresh(): Promise<void> {
    await Promise.all(this.#view.roots.map((root) => reload(root)));
    this.#view.hurry();
  }

  /** Selects a destination; does nothing while it is not listed. */
  async reveal(ref: DestinationRef): Promise<void> {
    const root = this.#view.roots.find((node) => node.connectionId === ref.connectionId);
    const node = (await root?.children())?.find(({ id }) => id === destinationId(ref));
    if (node !== undefined) await this.#view.view.reveal(node, { select: true, expand: true });
  }

  dispose(): void {
    this.#subscriptions.dispose();
  }

  /** What the model has is drawn at once; what is below exports is fetched anew. */
  #changed(connectionId: string): void {
    this.#view.changed();
    const root = this.#view.roots.find((node) => node.connectionId === connectionId);
    for (const node of root?.known ?? []) void reload(node);
    this.#view.hurry();
  }

  /** Only platforms that are open are asked, and only while one of their exports goes on. */
  async #poll(signal: AbortSignal): Promise<PollResult> {
    const going = this.#view.roots.filter(
      ({ connectionId, known }) =>
        known !== undefined &&
        this.#destinations.known(connectionId)?.jobs?.some(({ status }) => !isOver(status)) === true,
    );
    const before = this.#text();
    await Promise.all(going.map((root) => reload(root, signal)));
    return { changed: before !== this.#text(), busy: going.length > 0 };
  }

  #text(): string {
    const lines = (nodes: readonly TreeNode[]): readonly string[] =>
      nodes.flatMap((node) => [node.snapshot(), ...lines(node.known ?? [])]);
    return lines(this.#view.roots).join("\n");
  }
}
