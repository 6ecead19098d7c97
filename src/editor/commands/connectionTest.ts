/** Test Connection: every step from the name to the interfaces, as a document that can be copied. */

import * as vscode from "vscode";
import type { ProbeStep, ProbeTarget } from "../../api/probe.ts";
import type { Connection } from "../connection.ts";
import type { ConnectionReports } from "../documents/connectionReport.ts";
import type { Services } from "../services.ts";
import { chooseConnection } from "./connectionChoice.ts";
import { KIND_NAMES } from "./connectionDraft.ts";
import type { CommandTable } from "./index.ts";

export function connectionTestCommands(
  services: Services,
  reports: ConnectionReports,
): Pick<CommandTable, "agentOperations.connection.test"> {
  return { "agentOperations.connection.test": (node) => testConnection(services, reports, node) };
}

/** Asks a connection's server who it is, in the background, and says what answered. */
export async function greet({ agentServers, report }: Services, connectionId: string): Promise<void> {
  try {
    const [server] = await agentServers.list(connectionId);
    if (server === undefined) return;
    const started = performance.now();
    const location = vscode.ProgressLocation.Window;
    const info = await vscode.window.withProgress({ location, title: `Trying ${server.name}` }, async () => {
      const client = await agentServers.client(server);
      await client.ok();
      return client.info();
    });
    const ms = Math.round(performance.now() - started);
    vscode.window.setStatusBarMessage(
      `$(check) ${server.name} answered: agent server ${info.version ?? ""} in ${String(ms)} ms`,
      10_000,
    );
  } catch (error) {
    report.failure("Connection", error, { connectionId });
  }
}

async function testConnection(services: Services, reports: ConnectionReports, node: unknown): Promise<void> {
  const setting = await chooseConnection(services, node, {
    placeholder: "Which connection do you want to test?",
  });
  if (setting === undefined) return;
  const connection = services.connections.resolve(setting.id);
  const steps: ProbeStep[] = [];
  const complete = await vscode.window.withProgress(
    {
      location: vscode.ProgressLocation.Notification,
      title: `Testing "${connection.name}"`,
      cancellable: true,
    },
    async (progress, token) => {
      const abort = new AbortController();
      token.onCancellationRequested(() => abort.abort());
      try {
        for await (const step of await probeSteps(services, connection, abort.signal)) {
          steps.push(step);
          progress.report({ message: `${step.name}: ${step.detail}` });
        }
        return true;
      } catch (error) {
        if (!abort.signal.aborted) throw error;
        return false;
      }
    },
  );
  await reports.show(connection, { kind: KIND_NAMES[connection.kind], steps, complete });
}

async function probeSteps(
  { network, agentServers }: Services,
  connection: Connection,
  signal: AbortSignal,
): Promise<AsyncIterable<ProbeStep>> {
  const { probe } = await import("../../api/probe.ts");
  return probe({
    targets: await targetsOf(agentServers, connection),
    dispatcher: await network.dispatcher(),
    headersFor: (url) => agentServers.headers(connection.id, url),
    proxyFor: (url) => network.proxyFor(url),
    pacUrl: network.pacUrl,
    signal,
  });
}

/** The interfaces that a connection of this kind is used for. */
async function targetsOf(
  agentServers: Services["agentServers"],
  connection: Connection,
): Promise<ProbeTarget[]> {
  const { kind, url, controlPlaneUrl } = connection;
  const servers = (await agentServers.list(connection.id)).map((server) => ({
    kind: "agentServer" as const,
    url: server.url,
  }));
  const controlPlane =
    controlPlaneUrl === undefined ? [] : [{ kind: "controlPlane" as const, url: controlPlaneUrl }];
  switch (kind) {
    case "agentServer":
      return servers;
    case "protocol":
      return [{ kind: "streamingProtocol", url }];
    case "platform":
    case "localPlatform":
      return [{ kind: "managedAgents", url }, { kind: "bulkExports", url }, ...controlPlane, ...servers];
    default:
      return kind satisfies never;
  }
}
