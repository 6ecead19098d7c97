/** The Destinations view: platforms, the buckets that traces are exported to, and the exports. */

import type * as vscode from "vscode";
import { isOver } from "../../../api/bulkExports/exportStatus.ts";
import { DestinationSource } from "../../destinations/destinationSource.ts";
import type { ExportFacts } from "../../destinations/destinationSource.ts";
import { CONTEXTS, VIEWS } from "../../kit/ids.ts";
import type { Services } from "../../services.ts";
import type { DestinationRef } from "./destinationNodes.ts";
import { destinationNodes } from "./destinationNodes.ts";
import type { PollResult } from "../../kit/tree/pollSchedule.ts";
import type { TreeNode } from "../../kit/tree/node.ts";
import { PlatformView } from "../platform/platformView.ts";
import { reload } from "../../kit/tree/branchNode.ts";

/** The view, with what is known of each platform's exports. */
export class DestinationsView implements vscode.Disposable {
  readonly source: DestinationSource;
  readonly #view: PlatformView;
  readonly #facts = new Map<string, ExportFacts>();

  constructor(services: Services) {
    const { platforms, context } = services;
    this.source = new DestinationSource(platforms, context.globalState);
    this.#view = new PlatformView(services, {
      viewId: VIEWS.destinations,
      refresh: "agentOperations.destinations.refresh",
      emptyContext: CONTEXTS.destinationsEmpty,
      children: async (connectionId, parent, host, signal) => {
        const facts = await this.source.facts(connectionId, signal);
        this.#facts.set(connectionId, facts);
        const rows = { connectionId, source: this.source, host, jobs: facts.jobs ?? [] };
        return destinationNodes(facts, rows, parent);
      },
      empty: ([only, ...others]) =>
        only !== undefined && others.length === 0 && only.known?.length === 0 ? "empty" : undefined,
      poll: (signal) => this.#poll(signal),
    });
  }

  /** The rows as the editor sees them. */
  get nodes(): PlatformView["nodes"] {
    return this.#view.nodes;
  }

  /** What is known of a platform's exports since the view last asked. */
  known(connectionId: string): ExportFacts | undefined {
    return this.#facts.get(connectionId);
  }

  /** Fetches everything anew that was fetched, down to the runs. */
  async refresh(): Promise<void> {
    await Promise.all(this.#view.roots.map((root) => reload(root)));
    this.#view.hurry();
  }

  /** Selects a destination; does nothing while it is not listed. */
  async reveal({
    connectionId,
    destinationId,
  }: Pick<DestinationRef, "connectionId" | "destinationId">): Promise<void> {
    const id = `destination:${connectionId}:${destinationId}`;
    const root = this.#view.roots.find((node) => node.connectionId === connectionId);
    const node = (await root?.children())?.find((child) => child.id === id);
    if (node !== undefined) await this.#view.view.reveal(node, { select: true, expand: true });
  }

  dispose(): void {
    this.#view.dispose();
  }

  /** Only platforms that are open are asked, and only while one of their exports goes on. */
  async #poll(signal: AbortSignal): Promise<PollResult> {
    const going = this.#view.roots.filter(
      ({ connectionId, known }) =>
        known !== undefined &&
        this.#facts.get(connectionId)?.jobs?.some(({ status }) => !isOver(status)) === true,
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
