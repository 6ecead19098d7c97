/** Rows of destinations: where each writes, which credentials it has, and the exports below. */

import * as vscode from "vscode";
import type { Destination } from "../../../api/bulkExports/wire.ts";
import type { DestinationRef, ExportFacts } from "../../destinations/destinations.ts";
import { timeText } from "../../destinations/exportText.ts";
import { BranchNode } from "../../kit/tree/branchNode.ts";
import { exportNodes } from "./exportNodes.ts";
import type { ExportRows } from "./exportNodes.ts";
import type { TreeNode } from "../../kit/tree/node.ts";

/** The rows of one platform: its destinations, and exports whose destination is not among them. */
export function destinationNodes(
  { destinations, listed, jobs = [] }: ExportFacts,
  rows: ExportRows,
  parent: TreeNode,
): readonly TreeNode[] {
  const known = new Set(destinations.map(({ id }) => id));
  const strays = jobs.filter((job) => !known.has(job.bulk_export_destination_id) && isTop(rows, job));
  return [
    ...destinations.map((destination) => destinationNode(rows, parent, destination, listed)),
    ...(strays.length === 0 ? [] : [straysNode(rows, parent, strays)]),
    ...(listed ? [] : [noteNode(rows, parent)]),
  ];
}

/** The id of a destination's row. */
export function destinationId(ref: Pick<DestinationRef, "connectionId" | "destinationId">): string {
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
  const description = [placeOf(destination), ...(listed ? [] : ["created here"])].join(" · ");
  const facts = factsOf(destination);
  const details = facts.map(({ label, value }) => `${label}: ${value}`).join("\n");
  return new BranchNode<DestinationRef>(
    {
      id: destinationId(ref),
      parent,
      ref,
      item: () => {
        const item = new vscode.TreeItem(name, vscode.TreeItemCollapsibleState.Collapsed);
        item.description = description;
        item.tooltip = details;
        item.iconPath = new vscode.ThemeIcon("archive");
        item.contextValue = listed ? "destination" : "destination remembered";
        item.accessibilityInformation = { label: `Destination ${name}, ${description}` };
        return item;
      },
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
      item: () => {
        const item = new vscode.TreeItem("Other exports", vscode.TreeItemCollapsibleState.Collapsed);
        item.description = "their destination is not listed";
        item.iconPath = new vscode.ThemeIcon("archive");
        return item;
      },
      known: (self) => exportNodes(rows, self, strays),
    },
    host,
  );
}

function noteNode({ connectionId, host }: ExportRows, parent: TreeNode): TreeNode {
  return new BranchNode(
    {
      id: `noDestinationList:${connectionId}`,
      parent,
      ref: { connectionId },
      item: () => {
        const item = new vscode.TreeItem("This server lists no destinations");
        item.description = "those created here are shown";
        item.iconPath = new vscode.ThemeIcon("info");
        return item;
      },
    },
    host,
  );
}

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
  return new BranchNode(
    {
      id: `fact:${label}:${parent.id}`,
      parent,
      ref: { connectionId },
      item: () => {
        const item = new vscode.TreeItem(label);
        item.description = value;
        item.tooltip = `${label}: ${value}`;
        item.iconPath = new vscode.ThemeIcon(icon);
        return item;
      },
    },
    host,
  );
}

function placeOf({ config }: Destination): string {
  if (config === undefined) return "";
  return [config.bucket_name, ...config.prefix.split("/")].filter((part) => part !== "").join("/");
}

function factsOf(destination: Destination): readonly Fact[] {
  const { config, credentials_keys: keys, created_at: created, updated_at: updated, id } = destination;
  const style = config?.config_kwargs_s3?.addressing_style;
  const facts: readonly (Omit<Fact, "value"> & { readonly value: string | null | undefined })[] = [
    { label: "Id", icon: "key", value: id },
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
