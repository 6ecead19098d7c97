/** The composition root: registers what the editor calls, each with what is loaded then, and has no logic of its own. */

import * as vscode from "vscode";
import { registerCommands } from "./editor/commands/index.ts";
import { Connections } from "./editor/connections/connections.ts";
import { registerGraphDebugging } from "./editor/debugging/registration.ts";
import { registerConnectionMarks } from "./editor/documents/connectionMarks.ts";
import { createDocuments } from "./editor/documents/index.ts";
import { ActivityLog } from "./editor/kit/activityLog.ts";
import { COMPARISON_PANEL, PARQUET_EDITOR, RUN_PANEL } from "./editor/kit/ids.ts";
import { Later } from "./editor/kit/later.ts";
import { wasWatching } from "./editor/kit/remembered.ts";
import { Report } from "./editor/kit/report.ts";
import { LocalPlatform } from "./editor/localPlatform/localPlatform.ts";
import type { BucketKeys } from "./editor/parquet/bucketFiles.ts";
import type { ParquetDocument } from "./editor/parquet/parquetEditor.ts";
import type { TableFile } from "./editor/parquet/tableReader.ts";
import type { Core, Services } from "./editor/services.ts";
import { registerStatusBar } from "./editor/views/statusBar.ts";
import { WaitingThreads } from "./editor/threads/waitingThreads.ts";
import { WorkspaceGraphs } from "./editor/workspaceGraphs/workspaceGraphs.ts";
import { createViews } from "./editor/views/index.ts";

let shutdown: (() => Promise<unknown>) | undefined;

/** Gives the services to tests, and nothing to anybody else: they can read keys. */
export function activate(context: vscode.ExtensionContext): unknown {
  const { subscriptions } = context;
  const core = createCore(context);
  const services = new Later(async () => (await import("./editor/services.ts")).createServices(core));
  const panels = new Later(async () => {
    const { RunPanels } = await import("./editor/runPanel/runPanels.ts");
    return new RunPanels(await services.get());
  });
  const comparisons = new Later(async () => {
    const { Comparisons } = await import("./editor/comparisons/comparisons.ts");
    return new Comparisons(await services.get(), await panels.get());
  });
  const views = createViews(core, services);
  const documents = createDocuments(services, context, core.workspaceGraphs);
  subscriptions.push(services, panels, comparisons, ...Object.values({ ...views }));
  subscriptions.push(
    bringBack(RUN_PANEL, panels),
    bringBack(COMPARISON_PANEL, comparisons),
    registerParquetEditor(context, services),
    registerStatusBar({ core, panels, drafts: documents.drafts }),
  );
  subscriptions.push(registerConnectionMarks(core.connections, documents.drafts));
  subscriptions.push(registerGraphDebugging(core.workspaceGraphs));
  subscriptions.push(registerCommands({ core, services, views, panels, comparisons, ...documents }));
  if (wasWatching(context)) void services.get();
  shutdown = () =>
    Promise.all([
      core.localPlatform.shutdown(),
      core.workspaceGraphs.shutdown(),
      services.ifMade(({ issueWebhooks }) => issueWebhooks.shutdown()),
    ]);
  return context.extensionMode === vscode.ExtensionMode.Test
    ? { services, views, documents, panels, comparisons }
    : undefined;
}

/** Lets the Local Platform go: it ends when no other window uses it. Another window receives issues. */
export async function deactivate(): Promise<void> {
  await shutdown?.();
}

function createCore(context: vscode.ExtensionContext): Core {
  const log = vscode.window.createOutputChannel("Agent Operations", { log: true });
  const report = new Report(log);
  const localPlatform = new LocalPlatform(context, log, (error) => report.failure("Local Platform", error));
  const workspaceGraphs = new WorkspaceGraphs(context, ({ id, name }, error) =>
    report.failure(`Graphs of ${name}`, error, { connectionId: id }),
  );
  const connections = new Connections(localPlatform, workspaceGraphs);
  const waitingThreads = new WaitingThreads(connections);
  const activity = new ActivityLog(context.workspaceState);
  const made = { localPlatform, workspaceGraphs, connections, waitingThreads, activity };
  context.subscriptions.push(log, ...Object.values(made));
  return { context, log, report, ...made };
}

/** The editor hands panels over after a window reload. */
function bringBack(
  viewType: string,
  panels: Later<vscode.WebviewPanelSerializer & vscode.Disposable>,
): vscode.Disposable {
  return vscode.window.registerWebviewPanelSerializer(viewType, {
    deserializeWebviewPanel: async (panel, state) =>
      (await panels.get()).deserializeWebviewPanel(panel, state),
  });
}

function registerParquetEditor(
  { extensionUri }: vscode.ExtensionContext,
  services: Later<Services>,
): vscode.Disposable {
  const load = () => import("./editor/parquet/parquetEditor.ts");
  const keys: BucketKeys = new Map();
  const exported = async (uri: vscode.Uri, otherKeys: boolean): Promise<TableFile> => {
    const { exportedFile } = await import("./editor/parquet/bucketFiles.ts");
    return exportedFile(await services.get(), keys, uri, otherKeys);
  };
  const provider: vscode.CustomReadonlyEditorProvider<ParquetDocument> = {
    openCustomDocument: async (uri) => new (await load()).ParquetDocument(uri, extensionUri, exported),
    resolveCustomEditor: async (document, panel) => (await load()).showTable(extensionUri, document, panel),
  };
  const options = { supportsMultipleEditorsPerDocument: true };
  return vscode.window.registerCustomEditorProvider(PARQUET_EDITOR, provider, options);
}
