/** All commands by their nouns: a noun's handlers are loaded with its first command, and there is one catch. */

import * as vscode from "vscode";
import { act } from "../connections/guard.ts";
import type { Comparisons } from "../comparisons/comparisons.ts";
import type { Documents, LaterDocuments } from "../documents/index.ts";
import { refOf } from "../kit/ask/meant.ts";
import type { CommandHandler, CommandsOf } from "../kit/commands.ts";
import { type CommandId, COMMANDS, type Noun } from "../kit/ids.ts";
import { Later, type LaterPart } from "../kit/later.ts";
import { WATCHED } from "../kit/remembered.ts";
import type { RunPanels } from "../runPanel/runPanels.ts";
import type { Core, Services } from "../services.ts";
import type { LaterViews, Views } from "../views/index.ts";

/** What commands work with, before it is used. */
interface Parts extends LaterDocuments {
  readonly core: Core;
  readonly services: Later<Services>;
  readonly views: LaterViews;
  readonly panels: Later<RunPanels>;
  readonly comparisons: Later<Comparisons>;
}

interface Surfaces extends Documents {
  readonly panels: RunPanels;
  readonly comparisons: Comparisons;
}

/** The names of what a noun's commands use. */
type Use = keyof Views | keyof Surfaces;

/** Those by their names, the views together. */
type Used<Name extends Use> = Pick<Surfaces, Name & keyof Surfaces> & {
  readonly views: Pick<Views, Name & keyof Views>;
};

interface NounModule<N extends Noun, Name extends Use> {
  commands(services: Services, surfaces: Used<Name>): CommandsOf<N>;
}

/** Makes a noun's handlers. */
type Handlers<N extends Noun> = (parts: Parts) => Promise<CommandsOf<N>>;

/** Where the handlers of each noun are, and which views, panels and documents they use. */
const nouns: { readonly [N in Noun]: Handlers<N> } = {
  activity: noun(() => import("./activity.ts")),
  agent: noun(() => import("./agents/agent.ts"), "agents", "panels"),
  agentFile: noun(() => import("./agents/agentFiles.ts"), "agentFiles"),
  agents: noun(() => import("./agents/agents.ts"), "agents"),
  agentThread: noun(() => import("./threads/managedThread.ts"), "agents", "panels"),
  agentThreads: noun(() => import("./agents/agents.ts"), "agents"),
  audit: noun(() => import("./audit.ts"), "auditLog"),
  bulk: noun(() => import("./bulk.ts"), "bulkReports", "deployments"),
  comparison: noun(() => import("./threads/comparison.ts"), "comparisons", "panels"),
  connection: noun(() => import("./connections/connection.ts"), "deployments", "reports"),
  deployment: noun(() => import("./deployments/deployment.ts"), "deployments", "drafts", "servers"),
  deployments: noun(() => import("./deployments/deployments.ts"), "deployments"),
  destination: noun(() => import("./destinations/destination.ts"), "destinations"),
  destinations: noun(() => import("./destinations/destination.ts"), "destinations"),
  exportJob: noun(() => import("./destinations/exportJob.ts")),
  exportRun: noun(() => import("./destinations/exportJob.ts")),
  graph: noun(() => import("./graphs/graphs.ts"), "drafts", "graphLogs", "panels"),
  graphs: noun(() => import("./graphs/graphs.ts"), "drafts", "graphLogs", "panels"),
  node: noun(() => import("./graphs/graphNodes.ts"), "panels"),
  failure: noun(() => import("./failures.ts"), "failures"),
  failures: noun(() => import("./failures.ts"), "failures"),
  inbox: noun(() => import("./threads/inbox.ts"), "inbox", "panels", "waiting"),
  input: noun(() => import("./threads/input.ts"), "inputFiles", "panels"),
  issue: noun(() => import("./issues/issue.ts"), "issues", "issueDocuments", "panels"),
  issues: noun(() => import("./issues/issues.ts")),
  localPlatform: noun(() => import("./connections/localPlatform.ts")),
  log: ({ core }) => Promise.resolve({ "agentOperations.log.show": () => core.log.show() }),
  revision: noun(() => import("./deployments/revision.ts"), "drafts", "logs", "revisions"),
  revisionLog: noun(() => import("./deployments/revisionLog.ts"), "logs"),
  revisions: noun(() => import("./deployments/deployments.ts"), "deployments"),
  run: noun(() => import("./threads/run.ts"), "panels"),
  runPanel: async ({ panels }) => {
    const made = await panels.get();
    return {
      "agentOperations.runPanel.focusComposer": () => made.focusComposer(),
      "agentOperations.runPanel.focusLastMessage": () => void made.goTo("last"),
      "agentOperations.runPanel.stop": () => made.stop(),
    };
  },
  thread: noun(
    () => import("./threads/thread.ts"),
    "deployments",
    "agents",
    "panels",
    "states",
    "stateEdits",
  ),
  threads: noun(() => import("./threads/threads.ts")),
  token: noun(() => import("./toolServers/token.ts")),
  tool: noun(() => import("./toolServers/toolPick.ts"), "toolServers", "toolSchemas"),
  toolServer: noun(() => import("./toolServers/toolServer.ts"), "toolServers"),
  toolServers: noun(() => import("./toolServers/toolPick.ts"), "toolServers", "toolSchemas"),
  webhook: noun(() => import("./issues/webhook.ts"), "issueDocuments"),
};

/** The argument of a call that is made for the editor's sake alone: no handler is run. */
const FIRST_CALL = "agentOperations: first call";

/** What of package.json is needed here. */
interface Manifest {
  readonly contributes: {
    readonly commands: readonly { readonly command: string; readonly title: string }[];
    readonly keybindings: readonly { readonly command: string }[];
  };
}

/** Registers every command; whatever a handler throws is reported here, once, under the command's title. */
export function registerCommands(parts: Parts): vscode.Disposable {
  const { context, report } = parts.core;
  const { contributes } = context.extension.packageJSON as Manifest;
  const titles = new Map(
    contributes.commands.map(({ command, title }) => [command, title.replace(/…$/, "")]),
  );
  const registered = COMMANDS.map((id) =>
    vscode.commands.registerCommand(id, async (...args: readonly unknown[]) => {
      if (args[0] === FIRST_CALL) return;
      const title = titles.get(id) ?? id;
      try {
        const handler = await handlerOf(id, parts);
        await act(title, async () => handler(...args));
      } catch (error) {
        report.failure(title, error, {
          ...refOf(args[0], "connectionId"),
          retry: () => void vscode.commands.executeCommand(id, ...args),
        });
      }
    }),
  );
  readyKeys(contributes);
  if (context.workspaceState.get(WATCHED.signIns) !== undefined) void showSignIns(parts.services);
  return vscode.Disposable.from(...registered);
}

async function handlerOf(id: CommandId, parts: Parts): Promise<CommandHandler> {
  const [, name] = id.split(".") as [string, Noun];
  const handlers = (await nouns[name](parts)) as CommandsOf<Noun>;
  return handlers[id];
}

/** A noun whose module is loaded, together with what it uses, by its first command. */
function noun<N extends Noun, const Names extends readonly Use[]>(
  load: () => Promise<NounModule<N, Names[number]>>,
  ...names: Names
): Handlers<N> {
  return async ({ services, views, ...others }) => {
    const [module, made, seen, parts] = await Promise.all([
      load(),
      services.get(),
      partsOf({ ...views }, names),
      partsOf({ ...others }, names),
    ]);
    return module.commands(made, { ...parts, views: seen } as Used<Names[number]>);
  };
}

/** Those of the parts that have one of the names. */
async function partsOf(all: Readonly<Record<string, unknown>>, names: readonly string[]): Promise<object> {
  const named = names.flatMap((name) => {
    const part = all[name];
    return part instanceof Later ? [part.get().then((made: LaterPart) => [name, made] as const)] : [];
  });
  return Object.fromEntries(await Promise.all(named));
}

/** Shows sign-ins to tool servers that a reload cut short: they are waited for again. */
async function showSignIns(services: Later<Services>): Promise<void> {
  const made = await services.get();
  const { waitFor } = await import("./toolServers/toolServerConnect.ts");
  await Promise.all(made.authAttempts.waiting.map((attempt) => waitFor(made, attempt)));
}

/**
 * The editor holds a command's first call back until the extension is known to be active, and looks up the row that
 * has the focus only then, when it may be another one. So the first call of each command with a key is made here. Made
 * one by one they stay in this process, and the editor's walkthroughs don't count them as something that a person did.
 */
function readyKeys({ keybindings }: Manifest["contributes"]): void {
  const keyed = [...new Set(keybindings.map(({ command }) => command))];
  for (const command of keyed) void vscode.commands.executeCommand(command, FIRST_CALL);
}
