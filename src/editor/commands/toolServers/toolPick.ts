/** Giving the tools that are picked in the Tool Servers view to an agent, or to a tools.json in the workspace. */

import * as vscode from "vscode";
import { isObject } from "../../../api/shape.ts";
import { shownFolder } from "../../agents/files/agentUri.ts";
import { type PickedTool, toolsProblems, withTools } from "../../agents/files/toolsFile.ts";
import { counted, withoutIcons } from "../../kit/words.ts";
import type { ToolSchemaDocuments } from "../../documents/toolSchemas.ts";
import { fileExists } from "../../kit/workspaceFiles.ts";
import { abortable, showInformation } from "../../kit/notice.ts";
import { NotPossibleError } from "../../kit/remedies.ts";
import type { Services } from "../../services.ts";
import { annotationWords, mayDestroy } from "../../toolServers/toolFacts.ts";
import type { ToolRef } from "../../toolServers/toolServers.ts";
import type { TreeNode } from "../../kit/tree/node.ts";
import type { Views } from "../../views/index.ts";
import type { CommandsOf } from "../../kit/commands.ts";
import { askChoice, askSeveral, askThen } from "../../kit/ask/questions.ts";
import { hasTexts, refIn } from "../../kit/ask/meant.ts";

/** Where tools are written to. */
interface Target {
  readonly uri: vscode.Uri;
  readonly name: string;
}

const title = "Use Picked Tools";
const mostListed = 100;
const excluded = "**/{node_modules,.git}/**";

/** The commands of tools and of those that are picked. */
export function commands(
  services: Services,
  {
    views,
    toolSchemas,
  }: { readonly views: Pick<Views, "toolServers">; readonly toolSchemas: ToolSchemaDocuments },
): CommandsOf<"toolServers" | "tool"> {
  const { toolServers } = services;
  return {
    "agentOperations.toolServers.refresh": () => views.toolServers.refresh(),
    "agentOperations.toolServers.useTools": async () => {
      await useTools(services, toolServers.picked);
      toolServers.clearPicks();
    },
    "agentOperations.toolServers.clearPicks": () => toolServers.clearPicks(),
    "agentOperations.tool.togglePick": async (value) => {
      const tool = refIn(value, toolRefIn);
      // A key gives the focused row, and that may be one that says why there are no tools.
      const row = refIn(value, (named) => (isRow(named) ? named : undefined));
      if (tool !== undefined) toolServers.pick([[tool, !toolServers.isPicked(tool)]]);
      else if (row !== undefined) await press(row);
    },
    "agentOperations.tool.openSchema": async (value) => {
      const tool = refIn(value, toolRefIn);
      if (tool !== undefined) await toolSchemas.open(tool);
    },
  };
}

/** Does what a click on the row does. */
async function press(node: Pick<TreeNode, "item">): Promise<void> {
  const { command } = node.item();
  if (command === undefined) return;
  await vscode.commands.executeCommand(command.command, ...((command.arguments ?? []) as unknown[]));
}

async function useTools(services: Services, tools: readonly ToolRef[]): Promise<void> {
  if (tools.length === 0) {
    throw new NotPossibleError("No tool is picked.", "Tick tools in the Tool Servers view first.");
  }
  const [asked, target] = await askThen(
    () => askWhich(tools),
    async (which) => [which, await askTarget(services, tools)] as const,
  );
  await write(
    target,
    tools.map((tool) => picked(tool, asked)),
  );
}

/** Before which tools a person is asked; those that may destroy something are ticked from the start. */
function askWhich(tools: readonly ToolRef[]): Promise<readonly ToolRef[]> {
  const choices = tools.map((ref) => {
    const words = annotationWords(ref.tool.annotations).join(" · ") || "says nothing of itself";
    return {
      label: withoutIcons(ref.tool.name),
      description: `${ref.serverName} · ${words}`,
      value: ref,
      picked: mayDestroy(ref.tool),
    };
  });
  const placeholder = "Before which tools is a person asked? Tick them, then press Enter";
  return askSeveral({ title, step: 1, totalSteps: 2 }, choices, { placeholder });
}

async function askTarget(services: Services, tools: readonly ToolRef[]): Promise<Target> {
  const connections = [...new Set(tools.map(({ connectionId }) => connectionId))];
  const [files, agents] = await Promise.all([
    vscode.workspace.findFiles("**/tools.json", excluded, mostListed),
    // A tool server is known to its own platform alone.
    connections.length === 1
      ? abortable("Listing the agents", (signal) => agentTargets(services, connections[0] ?? "", signal))
      : [],
  ]);
  const rows = [
    { label: "Agents", kind: vscode.QuickPickItemKind.Separator },
    ...agents.map((target) => ({
      label: `$(hubot) ${withoutIcons(target.name)}`,
      description: "agent",
      value: target,
    })),
    { label: "Files in the workspace", kind: vscode.QuickPickItemKind.Separator },
    ...files.map((uri) => {
      const name = vscode.workspace.asRelativePath(uri);
      return { label: `$(json) ${name}`, description: "file", value: { uri, name } };
    }),
  ];
  if (agents.length + files.length === 0) {
    throw new NotPossibleError(
      "There is no agent and no tools.json to write to.",
      "Create an agent, or a file called tools.json in the workspace.",
    );
  }
  const what = tools.length === 1 ? "the tool" : `the ${String(tools.length)} tools`;
  const heading = { title, step: 2, totalSteps: 2, canGoBack: true };
  return askChoice<Target>(heading, rows, { placeholder: `Who gets ${what}?` });
}

async function agentTargets(
  services: Services,
  connectionId: string,
  signal: AbortSignal,
): Promise<readonly Target[]> {
  const { agents } = await services.platforms.managedAgents(connectionId);
  const targets: Target[] = [];
  for await (const { id: agentId, name } of agents.list({ page_size: mostListed }, { signal })) {
    const folder = shownFolder(services.platforms, { connectionId, agentId, name });
    targets.push({ uri: vscode.Uri.joinPath(folder, "tools.json"), name });
  }
  return targets;
}

/** A new file is written whole at once: on a protected agent each write asks. */
async function write({ uri, name }: Target, tools: readonly PickedTool[]): Promise<void> {
  const isNew = !(await fileExists(uri));
  if (isNew) await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(withTools("", tools)));
  const document = await vscode.workspace.openTextDocument(uri);
  if (!isNew) await change(document, name, tools);
  await vscode.window.showTextDocument(document, { preview: true });
  const unsaved = document.isDirty ? " The file is not saved yet." : "";
  void showInformation(`${counted(tools.length, "tool")} written to “${name}”.${unsaved}`);
}

/** As an edit of the document, so that it can be undone; what was unsaved before stays so. */
async function change(
  document: vscode.TextDocument,
  name: string,
  tools: readonly PickedTool[],
): Promise<void> {
  const text = document.getText();
  const [problem] = text.trim() === "" ? [] : toolsProblems(text);
  if (problem !== undefined) {
    const { line } = document.positionAt(problem.start);
    throw new NotPossibleError(
      `The tools.json of “${name}” is not valid (line ${String(line + 1)}: ${problem.message})`,
      "Correct it first; the tools stay picked.",
    );
  }
  const wasUnsaved = document.isDirty;
  const edit = new vscode.WorkspaceEdit();
  const whole = new vscode.Range(document.positionAt(0), document.positionAt(text.length));
  edit.replace(document.uri, whole, withTools(text, tools));
  await vscode.workspace.applyEdit(edit);
  // At once: a save that comes while Auto Save is at it would be dropped, and seem to have failed.
  if (!wasUnsaved) await document.save();
}

function picked(ref: ToolRef, asked: readonly ToolRef[]): PickedTool {
  const { tool, serverUrl, serverName } = ref;
  return { name: tool.name, serverUrl, serverName, asks: asked.includes(ref) };
}

function toolRefIn(value: unknown): ToolRef | undefined {
  return isToolRef(value) ? value : undefined;
}

function isToolRef(value: unknown): value is ToolRef {
  const hasTool = isObject(value) && hasTexts(value["tool"], "name");
  return hasTool && hasTexts(value, "connectionId", "toolServerId", "serverName", "serverUrl");
}

function isRow(value: unknown): value is Pick<TreeNode, "item"> {
  return isObject(value) && typeof value["item"] === "function";
}
