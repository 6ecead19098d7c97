/** The composition root: builds the services, registers what uses them, and has no logic of its own. */

import { join } from "node:path";
import * as vscode from "vscode";
import { AgentServers } from "./editor/agentServers.ts";
import { ApiKeys } from "./editor/apiKeys.ts";
import { Attention } from "./editor/attention.ts";
import { connectionCommands } from "./editor/commands/connection.ts";
import { connectionKeyCommands } from "./editor/commands/connectionKey.ts";
import { connectionTestCommands } from "./editor/commands/connectionTest.ts";
import { registerCommands } from "./editor/commands/index.ts";
import { localPlatformCommands } from "./editor/commands/localPlatform.ts";
import { autoStart, Connections } from "./editor/connections.ts";
import { ConnectionReports } from "./editor/documents/connectionReport.ts";
import { SCHEME } from "./editor/ids.ts";
import { LocalPlatform } from "./editor/localPlatform.ts";
import { Network } from "./editor/networkSettings.ts";
import { Report } from "./editor/report.ts";
import { registerStatusBar } from "./editor/statusBar.ts";

let shutdown: (() => Promise<void>) | undefined;

export function activate(context: vscode.ExtensionContext): unknown {
  const log = vscode.window.createOutputChannel("Agent Operations", { log: true });
  const report = new Report(log);
  const localPlatform = new LocalPlatform({
    program: join(context.extensionPath, "dist", "emulator.js"),
    dataDirectory: join(context.globalStorageUri.fsPath, "local-platform"),
    log,
    secrets: context.secrets,
    memory: context.workspaceState,
    autoStart,
    onCrash: (error) => report.failure("Local Platform", error),
  });
  const connections = new Connections(localPlatform);
  const apiKeys = new ApiKeys(context.secrets, context.globalState, localPlatform);
  const network = new Network();
  const agentServers = new AgentServers(connections, apiKeys, network, localPlatform);
  const attention = new Attention();
  const services = {
    context,
    log,
    report,
    connections,
    apiKeys,
    network,
    localPlatform,
    agentServers,
    attention,
  };
  shutdown = () => localPlatform.shutdown();
  const reports = new ConnectionReports();
  const table = {
    ...connectionCommands(services),
    ...connectionKeyCommands(services),
    ...connectionTestCommands(services, reports),
    ...localPlatformCommands(services),
    "agentOperations.log.show": () => log.show(),
  };
  context.subscriptions.push(
    log,
    localPlatform,
    connections,
    apiKeys,
    network,
    agentServers,
    attention,
    agentServers.onExchange((exchange) => report.exchange(exchange)),
    reports,
    vscode.workspace.registerTextDocumentContentProvider(SCHEME, reports),
    registerCommands(table, services),
    registerStatusBar(services),
  );
  return context.extensionMode === vscode.ExtensionMode.Test ? services : undefined;
}

/** Ends the Local Platform that this window started. */
export async function deactivate(): Promise<void> {
  await shutdown?.();
}
