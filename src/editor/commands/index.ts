/** All commands by their nouns: a noun's handlers are loaded with its first command, and there is one catch. */

import * as vscode from "vscode";
import type { Documents } from "../documents/index.ts";
import { refOf } from "../kit/ask/meant.ts";
import type { CommandHandler, CommandsOf } from "../kit/commands.ts";
import { type CommandId, COMMANDS, type Noun } from "../kit/ids.ts";
import type { RunPanels } from "../runPanel/runPanels.ts";
import type { Services } from "../services.ts";
import type { Views } from "../views/index.ts";

/** What commands open and show; each noun takes what it needs. */
export interface Surfaces extends Omit<Documents, "served"> {
  readonly views: Views;
  readonly panels: RunPanels;
}

interface NounModule<N extends Noun> {
  commands(services: Services, surfaces: Surfaces): CommandsOf<N>;
}

/** Where the handlers of each noun are. */
const modules: { readonly [N in Noun]: () => Promise<NounModule<N>> } = {
  activity: () => import("./activity.ts"),
  agent: () => import("./agents/agent.ts"),
  agentFile: () => import("./agents/agentFiles.ts"),
  agents: () => import("./agents/agents.ts"),
  agentThread: () => import("./threads/managedThread.ts"),
  agentThreads: () => import("./agents/agents.ts"),
  connection: () => import("./connections/connection.ts"),
  deployment: () => import("./deployments/deployment.ts"),
  deployments: () => import("./deployments/deployments.ts"),
  destination: () => import("./destinations/destination.ts"),
  destinations: () => import("./destinations/destination.ts"),
  exportJob: () => import("./destinations/exportJob.ts"),
  exportRun: () => import("./destinations/exportJob.ts"),
  inbox: () => import("./threads/inbox.ts"),
  issue: () => import("./issues/issue.ts"),
  issues: () => import("./issues/issues.ts"),
  localPlatform: () => import("./connections/localPlatform.ts"),
  log: () => Promise.resolve({ commands: ({ log }) => ({ "agentOperations.log.show": () => log.show() }) }),
  revision: () => import("./deployments/revision.ts"),
  revisionLog: () => import("./deployments/revisionLog.ts"),
  revisions: () => import("./deployments/deployments.ts"),
  runPanel: () =>
    Promise.resolve({
      commands: (_, { panels }) => ({
        "agentOperations.runPanel.focusComposer": () => panels.focusComposer(),
        "agentOperations.runPanel.focusLastMessage": () => panels.focusLastMessage(),
        "agentOperations.runPanel.stop": () => panels.stop(),
      }),
    }),
  thread: () => import("./threads/thread.ts"),
  threads: () => import("./threads/threads.ts"),
  token: () => import("./toolServers/token.ts"),
  tool: () => import("./toolServers/toolPick.ts"),
  toolServer: () => import("./toolServers/toolServer.ts"),
  toolServers: () => import("./toolServers/toolPick.ts"),
  webhook: () => import("./issues/webhook.ts"),
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
export function registerCommands(services: Services, surfaces: () => Promise<Surfaces>): vscode.Disposable {
  const { contributes } = services.context.extension.packageJSON as Manifest;
  const titles = new Map(
    contributes.commands.map(({ command, title }) => [command, title.replace(/…$/, "")]),
  );
  const registered = COMMANDS.map((id) =>
    vscode.commands.registerCommand(id, async (...args: readonly unknown[]) => {
      if (args[0] === FIRST_CALL) return;
      try {
        const handler = await handlerOf(id, services, surfaces);
        await handler(...args);
      } catch (error) {
        services.report.failure(titles.get(id) ?? id, error, {
          ...refOf(args[0], "connectionId"),
          retry: () => void vscode.commands.executeCommand(id, ...args),
        });
      }
    }),
  );
  readyKeys(contributes);
  void showSignIns(services);
  return vscode.Disposable.from(...registered);
}

async function handlerOf(
  id: CommandId,
  services: Services,
  surfaces: () => Promise<Surfaces>,
): Promise<CommandHandler> {
  const [, noun] = id.split(".") as [string, Noun];
  const module = (await modules[noun]()) as NounModule<Noun>;
  return module.commands(services, await surfaces())[id];
}

/** Shows sign-ins to tool servers that a reload cut short: they are waited for again. */
async function showSignIns(services: Services): Promise<void> {
  const { waiting } = services.authAttempts;
  if (waiting.length === 0) return;
  const { waitFor } = await import("./toolServers/toolServerConnect.ts");
  await Promise.all(waiting.map((attempt) => waitFor(services, attempt)));
}

/**
 * The editor holds a command's first call back until the extension is known to be active, and looks up the row that
 * has the focus only then, when it may be another one. So the first call of each command with a key is made here.
 */
function readyKeys({ keybindings }: Manifest["contributes"]): void {
  const keyed = [...new Set(keybindings.map(({ command }) => command))];
  const commands = keyed.map((command) => ({ command, args: [FIRST_CALL] }));
  void vscode.commands.executeCommand("runCommands", { commands });
}
