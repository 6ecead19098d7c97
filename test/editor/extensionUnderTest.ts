import { strict as assert } from "node:assert";
import * as vscode from "vscode";
import type { ConnectionSetting } from "../../src/editor/connections/connection.ts";
import type { Comparisons } from "../../src/editor/comparisons/comparisons.ts";
import type { Documents, LaterDocuments } from "../../src/editor/documents/index.ts";
import type { Later, LaterPart } from "../../src/editor/kit/later.ts";
import type { RunPanels } from "../../src/editor/runPanel/runPanels.ts";
import type { Services } from "../../src/editor/services.ts";
import type { LaterViews, Views } from "../../src/editor/views/index.ts";
import type { LocalPlatform } from "../support/localPlatform.ts";
import type { NodeHost, TreeNode } from "../../src/editor/kit/tree/node.ts";
import type { NodeTree } from "../../src/editor/kit/tree/nodeTree.ts";
import { until } from "../support/until.ts";
import { controlTime } from "./heldTime.ts";

/** What the extension hands to tests, and to nobody else. */
export interface Extension extends Services, Documents {
  readonly views: Views;
  readonly panels: RunPanels;
  readonly comparisons: Comparisons;
}

/** The same before any of it is used. */
interface Loaded {
  readonly services: Later<Services>;
  readonly views: LaterViews;
  readonly documents: LaterDocuments;
  readonly panels: Later<RunPanels>;
  readonly comparisons: Later<Comparisons>;
}

/** The extension as the editor knows it. */
export function extensionUnderTest(): vscode.Extension<Loaded> {
  const extension = vscode.extensions.getExtension<Loaded>("agent-operations.agent-operations");
  assert(extension, "the extension is not installed in this editor");
  return extension;
}

/** The extension's own services, in the editor that runs the tests; all of it is loaded. */
export async function theExtension(): Promise<Extension> {
  const { services, views, documents, panels, comparisons } = await extensionUnderTest().activate();
  const made = await services.get();
  controlTime(made);
  return {
    ...made,
    ...((await allOf(documents)) as Documents),
    views: (await allOf(views)) as Views,
    panels: await panels.get(),
    comparisons: await comparisons.get(),
  };
}

async function allOf(parts: object): Promise<unknown> {
  const made = Object.entries(parts as Record<string, Later<LaterPart>>).map(
    async ([name, part]) => [name, await part.get()] as const,
  );
  return Object.fromEntries(await Promise.all(made));
}

/** Adds a connection to one agent server, with its key when it needs one. */
export async function connect(
  extension: Extension,
  name: string,
  url: string,
  key?: string,
): Promise<ConnectionSetting> {
  return extension.connections.add({ name, kind: "agentServer", url }, async ({ id }) => {
    if (key !== undefined) await setKey(extension, id, [url], key);
  });
}

/** Adds a connection to the agent server of a platform's own deployment, as if it stood alone. */
export async function connectServer(
  extension: Extension,
  name: string,
  { ready }: LocalPlatform,
): Promise<ConnectionSetting> {
  return connect(extension, name, ready.deploymentUrl, ready.apiKey);
}

/** Adds a connection to a whole platform. */
export async function connectPlatform(
  extension: Extension,
  name: string,
  { ready }: LocalPlatform,
): Promise<ConnectionSetting> {
  const { baseUrl: url, controlPlaneUrl, workspaceId, apiKey } = ready;
  return extension.connections.add({ name, kind: "platform", url, controlPlaneUrl, workspaceId }, ({ id }) =>
    setKey(extension, id, [url, controlPlaneUrl], apiKey),
  );
}

/** Keeps another key than there is, and waits until the extension was told: it then asks everything anew. */
export async function setKey(
  { apiKeys }: Extension,
  connectionId: string,
  urls: readonly string[],
  key: string,
): Promise<void> {
  await toldOf(apiKeys, connectionId, () => apiKeys.set(connectionId, urls, key));
}

/** Takes every connection away, closes all editors and cancels what is going on. */
export async function tidyUp(extension: Extension): Promise<void> {
  const { apiKeys, connections, activity } = extension;
  await vscode.commands.executeCommand("workbench.action.closeQuickOpen");
  if (vscode.window.tabGroups.all.some(({ tabs }) => tabs.length > 0))
    await vscode.commands.executeCommand("workbench.action.closeAllEditors");
  for (const { options, end } of activity.entries) if (end === undefined) options.cancel?.();
  activity.clear();
  for (const { id } of connections.list()) {
    const hasKey = (await apiKeys.origins(id)).length > 0;
    if (hasKey) await toldOf(apiKeys, id, () => apiKeys.clear(id));
    await connections.remove(id);
  }
  for (const listed of [extension.threadListings, extension.deployments])
    if (Object.keys(listed.filter).length > 0) await listed.setFilter({});
}

/** The editor tells of a key a moment after it was kept or forgotten. */
async function toldOf(
  { onDidChange }: Extension["apiKeys"],
  connectionId: string,
  change: () => Promise<void>,
): Promise<void> {
  const told = Promise.withResolvers<undefined>();
  const listening = onDidChange((id) => {
    if (id === connectionId) told.resolve(undefined);
  });
  await change();
  await told.promise;
  listening.dispose();
}

/** Brings the Deployments view to the front. */
export async function showView(): Promise<void> {
  await vscode.commands.executeCommand("agentOperations.deployments.focus");
}

/** Brings the Explorer before the views, so that nothing is asked for them. */
export async function hideView({ views }: Pick<Extension, "views">): Promise<void> {
  await vscode.commands.executeCommand("workbench.view.explorer");
  const { activity, agents, deployments, destinations, failures, inbox, issues, toolServers } = views;
  const ofPlatforms = [agents, deployments, destinations, toolServers].map(({ platform }) => platform);
  // What waits is counted as long as any of them is seen, also one that asks no server itself.
  const all = [...ofPlatforms, failures.polled, inbox.polled, issues, activity];
  await until("the views are hidden", () => all.every(({ view }) => !view.visible));
}

/** Takes views out of sight that another suite may have left there and that ask about the same; showing one brings it back. */
export async function removeOtherViews({ views }: Pick<Extension, "views">): Promise<void> {
  for (const name of ["failures", "inbox"] as const) {
    await vscode.commands.executeCommand(`agentOperations.${name}.removeView`);
    await until(`the view ${name} is hidden`, () => !views[name].polled.view.visible);
  }
}

/** The Deployments view as text, without the graphs below each server. */
export async function drawTree({ views }: Pick<Extension, "views">): Promise<string[]> {
  return drawRows(views.deployments.platform.nodes, undefined, "", (node) => !isGraphs(node));
}

function isGraphs({ id }: TreeNode): boolean {
  return id.startsWith("assistants:");
}

/** Rows without the part of their description that tells the age. */
export function ageless(rows: readonly string[]): string[] {
  return rows.map((row) => row.replace(/ · (now|\d+ \w+ ago)$/, ""));
}

/** Every row of the Deployments view by its id, without the graphs below each server. */
export async function rowsById(
  { views }: Pick<Extension, "views">,
  below?: TreeNode,
): Promise<Map<string, TreeNode>> {
  const found = new Map<string, TreeNode>();
  for (const node of await views.deployments.platform.nodes.getChildren(below)) {
    if (isGraphs(node)) continue;
    found.set(node.id, node);
    for (const [id, inner] of await rowsById({ views }, node)) found.set(id, inner);
  }
  return found;
}

/** A tree as text: one line per row, indented, its description after a bar. */
export async function drawRows(
  tree: NodeTree,
  below?: TreeNode,
  indent = "",
  wanted: (node: TreeNode) => boolean = () => true,
): Promise<string[]> {
  const lines: string[] = [];
  // A row that is left out is drawn as the one above those that stand in its place.
  const shown = await tree.getChildren(below);
  const { top } = tree;
  if (below === undefined && top !== undefined && shown.length > 0) {
    return [rowText(tree, top), ...(await drawRows(tree, top, "  ", wanted))];
  }
  for (const node of shown.filter(wanted)) {
    // What is below may tell a count that stands beside the row.
    const inner = await drawRows(tree, node, `${indent}  `, wanted);
    lines.push(indent + rowText(tree, node), ...inner);
  }
  return lines;
}

function rowText(tree: NodeTree, node: TreeNode): string {
  const { label, description } = tree.getTreeItem(node);
  const isText = (part: unknown): part is string => typeof part === "string" && part !== "";
  return [label, description].filter(isText).join(" | ");
}

/** Takes every thread away, also those that a platform starts with. */
export async function removeThreads(platform: LocalPlatform): Promise<void> {
  for (;;) {
    const { body } = await platform.send("POST", "/threads/search", { limit: 1000 });
    const ids = (body as unknown as { thread_id: string }[]).map(({ thread_id }) => thread_id);
    if (ids.length === 0) return;
    await Promise.all(ids.map((id) => platform.send("DELETE", `/threads/${id}`)));
  }
}

/** What rows are handed that no view shows. */
export function host(): NodeHost {
  const signal = new AbortController().signal;
  const refresh = "agentOperations.inbox.refresh";
  return { refresh, signal, changed: () => undefined, isOpen: () => true };
}

/** What rows are called. */
export function labels(tree: NodeTree, rows: readonly TreeNode[]): string[] {
  return rows.map((row) => {
    const { label = "" } = tree.getTreeItem(row);
    return typeof label === "string" ? label : label.label;
  });
}
