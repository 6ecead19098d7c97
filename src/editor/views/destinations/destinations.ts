/** The Destinations view: platforms, the buckets that traces are exported to, and the exports below. It draws a model. */

import * as vscode from "vscode";
import { isOver } from "../../../api/bulkExports/bulkExport.ts";
import type { DestinationRef, ExportFacts } from "../../destinations/destinations.ts";
import { CONTEXTS } from "../../kit/ids.ts";
import { BranchNode, reload } from "../../kit/tree/branchNode.ts";
import type { TreeNode } from "../../kit/tree/node.ts";
import type { PollResult } from "../../kit/fetching/pollSchedule.ts";
import type { Services } from "../../services.ts";
import { type EditorView, showRow } from "../platform/laterView.ts";
import { PlatformView } from "../platform/platformView.ts";
import type { Destination } from "../../../api/bulkExports/destinations.ts";
import { timeText } from "../../destinations/exportText.ts";
import { exportNodes } from "./exportNodes.ts";
import type { ExportRows } from "./exportNodes.ts";

/** The view, and what only a view can do: select a row. */
export class DestinationsView implements vscode.Disposable {
  readonly platform: PlatformView;
  readonly #destinations: Services["destinations"];
  readonly #subscriptions: vscode.Disposable;

  constructor(services: Services, view: EditorView) {
    const { destinations } = services;
    this.#destinations = destinations;
    this.platform = new PlatformView(services, {
      view,
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
        only !== undefined && others.length === 0 && only.known?.every(isNote) === true ? "empty" : undefined,
      liftsOnly: true,
      poll: (signal) => this.#poll(signal),
    });
    this.#subscriptions = vscode.Disposable.from(
      this.platform,
      destinations.onDidChange(({ connectionId }) => this.#changed(connectionId)),
    );
  }

  /** Fetches everything anew that was fetched, down to the runs. */
  async refresh(): Promise<void> {
    await Promise.all(this.platform.roots.map((root) => reload(root)));
    this.platform.hurry();
  }

  /** Selects a destination; does nothing while it is not listed. */
  async reveal(ref: DestinationRef): Promise<void> {
    const root = this.platform.roots.find((node) => node.ref.connectionId === ref.connectionId);
    const node = (await root?.children())?.find(({ id }) => id === destinationId(ref));
    if (node !== undefined) await showRow(this.platform.view, node, { select: true, expand: true });
  }

  dispose(): void {
    this.#subscriptions.dispose();
  }

  /** What the model has is drawn at once; what is below exports is fetched anew. */
  #changed(connectionId: string): void {
    this.platform.changed();
    const root = this.platform.roots.find((node) => node.ref.connectionId === connectionId);
    for (const node of root?.known ?? []) void reload(node);
    this.platform.hurry();
  }

  /** Only platforms that are open are asked, and only while one of their exports goes on. */
  async #poll(signal: AbortSignal): Promise<PollResult> {
    const going = this.platform.roots.filter(
      ({ ref, known }) =>
        known !== undefined &&
        this.#destinations.known(ref.connectionId)?.jobs?.some(({ status }) => !isOver(status)) === true,
    );
    const before = this.#text();
    await Promise.all(going.map((root) => reload(root, signal)));
    return { changed: before !== this.#text(), busy: going.length > 0 };
  }

  #text(): string {
    const lines = (nodes: readonly TreeNode[]): readonly string[] =>
      nodes.flatMap((node) => [node.snapshot(), ...lines(node.known ?? [])]);
    return lines(this.platform.roots).join("\n");
  }
}

/** The rows of one platform: its destinations, and exports whose destination is not among them. */
export function destinationNodes(
  { destinations, listed, jobs = [] }: ExportFacts,
  rows: ExportRows,
  parent: TreeNode,
): readonly TreeNode[] {
  const known = new Set(destinations.map(({ id }) => id));
  const strays = jobs.filter((job) => !known.has(job.bulk_export_destination_id) && isTop(rows, job));
  const isEmpty = destinations.length === 0 && strays.length === 0;
  return [
    ...destinations.map((destination) => destinationNode(rows, parent, destination, listed)),
    ...(strays.length === 0 ? [] : [straysNode(rows, parent, strays)]),
    ...(listed ? [] : [noteNode(rows, parent)]),
    ...(listed && isEmpty ? [noneNode(rows, parent)] : []),
  ];
}

/** The id of a destination's row. */
function destinationId(ref: Pick<DestinationRef, "connectionId" | "destinationId">): string {
  return `destination:${ref.connectionId}:${ref.destinationId}`;
}

function destinationNode(
  rows: ExportRows,
  parent: TreeNode,
  destination: Destination,
  listed: boolean,
): BranchNode<DestinationRef> {
  const { connectionId, host } = rows;
  const { id, display_name: name = id } = destination;
  const ref = { connectionId, destinationId: id, name };
  const description = [storeOf(destination), ...(listed ? [] : ["created here"])].join(" · ");
  const facts = factsOf(destination);
  const details = facts.map(({ label, value }) => `${label}: ${value}`).join("\n");
  return new BranchNode<DestinationRef>(
    {
      id: destinationId(ref),
      parent,
      ref,
      row: () => ({
        label: name,
        description,
        tooltip: details,
        icon: "archive",
        contextValue: listed ? "destination" : "destination remembered",
        spoken: `Destination ${name}, ${description}`,
      }),
      known: (self) => [
        ...facts.filter(({ row }) => row === true).map((fact) => factNode(rows, self, fact)),
        ...exportNodes(
          rows,
          self,
          rows.jobs.filter((job) => job.bulk_export_destination_id === id && isTop(rows, job)),
        ),
      ],
    },
    host,
  );
}

/** Exports that a known schedule made stand below it. */
function isTop({ jobs }: ExportRows, { source_bulk_export_id: source }: ExportRows["jobs"][number]): boolean {
  return !jobs.some(({ id }) => id === source);
}

function straysNode(rows: ExportRows, parent: TreeNode, strays: ExportRows["jobs"]): TreeNode {
  const { connectionId, host } = rows;
  return new BranchNode(
    {
      id: `strayExports:${connectionId}`,
      parent,
      ref: { connectionId },
      row: () => {
        return { label: "Other exports", description: "their destination is not listed", icon: "archive" };
      },
      known: (self) => exportNodes(rows, self, strays),
    },
    host,
  );
}

function noteNode({ connectionId, host }: ExportRows, parent: TreeNode): TreeNode {
  const id = `noDestinationList:${connectionId}`;
  const label = "This server lists no destinations";
  const row = () => ({ label, description: "those created here are shown", icon: "info" });
  return new BranchNode({ id, parent, ref: { connectionId }, row }, host);
}

/** The only platform says it by the view's own text. */
function noneNode({ connectionId, host }: ExportRows, parent: TreeNode): TreeNode {
  const row = () => ({ label: "No destination yet", icon: "info" });
  return new BranchNode({ id: `${noneBefore}${connectionId}`, parent, ref: { connectionId }, row }, host);
}

function isNote({ id }: TreeNode): boolean {
  return id.startsWith(noneBefore);
}

const noneBefore = "noDestination:";

interface Fact {
  readonly label: string;
  readonly value: string;
  readonly icon: string;
  /** Stands as a row below the destination. */
  readonly row?: boolean;
}

function factNode(
  { connectionId, host }: ExportRows,
  parent: TreeNode,
  { label, value, icon }: Fact,
): TreeNode {
  const row = () => ({ label, description: value, tooltip: `${label}: ${value}`, icon });
  return new BranchNode({ id: `fact:${label}:${parent.id}`, parent, ref: { connectionId }, row }, host);
}

function storeOf({ config }: Destination): string {
  if (config === undefined) return "";
  return [config.bucket_name, ...config.prefix.split("/")].filter((part) => part !== "").join("/");
}

function factsOf(destination: Destination): readonly Fact[] {
  const { config, credentials_keys: keys, created_at: created, updated_at: updated, id } = destination;
  const style = config?.config_kwargs_s3?.addressing_style;
  const facts: readonly (Omit<Fact, "value"> & { readonly value: string | null | undefined })[] = [
    { label: "ID", icon: "key", value: id },
    { label: "Bucket", icon: "database", value: config?.bucket_name },
    { label: "Prefix", icon: "folder", value: config?.prefix },
    { label: "Endpoint", icon: "globe", value: config?.endpoint_url ?? (config && "AWS"), row: true },
    { label: "Region", icon: "location", value: config?.region },
    { label: "Addressing style", icon: "link", value: style },
    {
      label: "Bucket in path",
      icon: "link",
      value: config?.include_bucket_in_prefix === false ? "no, the endpoint names it" : undefined,
    },
    {
      label: "Credentials",
      icon: "key",
      value: keys && (keys.length === 0 ? "from the service's own environment" : keys.join(", ")),
      row: true,
    },
    { label: "Created", icon: "clock", value: created && timeText(created) },
    { label: "Changed", icon: "clock", value: updated && timeText(updated) },
  ];
  return facts.flatMap(({ value, ...fact }) =>
    value === undefined || value === null || value === "" ? [] : [{ ...fact, value }],
  );
}
