/** Test Connection: every step from the name to the interfaces, as a document that can be copied. */

import type { ProbeStep, ProbeTarget } from "../../../api/probe/index.ts";
import { type AgentServerRef, type Connection, isPlatform } from "../../connections/connection.ts";
import { ConnectionError } from "../../connections/connectionSettings.ts";
import type { ConnectionReports } from "../../documents/connectionReports.ts";
import type { Services } from "../../services.ts";
import { applicationUrl } from "../../threads/servers/chatBackends.ts";
import { abortable, showStatus, working } from "../../kit/notice.ts";
import { chooseConnection } from "./connectionChoice.ts";
import { KIND_NAMES } from "./connectionDraft.ts";
import type { CommandsOf } from "../../kit/commands.ts";

/** The command that tests a connection. */
export function connectionTestCommands(services: Services, reports: ConnectionReports) {
  return {
    "agentOperations.connection.test": (node) => testConnection(services, reports, node),
  } satisfies Partial<CommandsOf<"connection">>;
}

/**
 * Asks in the background who answers at a connection's address, and shows it in the status bar. Of a platform that is
 * the platform itself: one of its servers may be down.
 */
export async function tryConnection(services: Services, connectionId: string): Promise<void> {
  const { agentServers, connections, report } = services;
  try {
    const connection = connections.resolve(connectionId);
    // Where deployments can't be listed with the key, that is what is wrong.
    const [first] = await agentServers.list(connectionId);
    const server = isPlatform(connection) ? undefined : first;
    await working(`Trying ${connection.name}`, async () => {
      const started = performance.now();
      const who =
        server === undefined
          ? await interfaces(services, connection, first === undefined ? [] : [first])
          : await version(services, server);
      const ms = Math.round(performance.now() - started);
      const text = `${connection.name} answered in ${String(ms)} ms: ${who}`;
      showStatus(text, 10_000, "$(check) ");
    });
  } catch (error) {
    const name = connections.get(connectionId)?.name ?? connectionId;
    report.failure(`Connect to “${name}”`, error, { connectionId });
  }
}

async function version({ agentServers }: Services, server: AgentServerRef): Promise<string> {
  const client = agentServers.client(server);
  await client.ok();
  const info = await client.info();
  return `agent server ${info.version ?? "without a version"}`;
}

/** The interfaces that answer, by name; throws why the first one does not when none does. */
async function interfaces(
  services: Services,
  connection: Connection,
  servers: readonly AgentServerRef[],
): Promise<string> {
  const steps: ProbeStep[] = [];
  const signal = AbortSignal.timeout(60_000);
  for await (const step of await probeSteps(services, connection, targetsOf(connection, servers), signal))
    steps.push(step);
  const route = ["Proxy", "DNS", "TCP", "TLS"];
  const answering = steps.filter(({ name, outcome }) => outcome === "ok" && !route.includes(name));
  if (answering.length > 0) return answering.map(({ name }) => name.toLowerCase()).join(", ");
  throw (
    steps.find(({ error }) => error !== undefined)?.error ??
    new ConnectionError("silent", "Nothing answers.", "Test the connection for every step.")
  );
}

async function testConnection(services: Services, reports: ConnectionReports, node: unknown): Promise<void> {
  const placeholder = "Which connection do you want to test?";
  const connection = services.connections.resolve(
    (await chooseConnection(services, node, { placeholder })).id,
  );
  const steps: ProbeStep[] = [];
  const complete = await abortable(`Testing “${connection.name}”`, async (signal, report) => {
    try {
      const servers = await services.agentServers.list(connection.id, signal).catch(() => []);
      signal.throwIfAborted();
      const targets = targetsOf(connection, servers);
      for await (const step of await probeSteps(services, connection, targets, signal)) {
        steps.push(step);
        report(`${step.name}: ${step.detail}`);
      }
      return true;
    } catch (error) {
      if (!signal.aborted) throw error;
      return false;
    }
  });
  await reports.show(connection, { kind: KIND_NAMES[connection.kind], steps, complete });
}

async function probeSteps(
  { network, transport }: Services,
  connection: Connection,
  targets: readonly ProbeTarget[],
  signal: AbortSignal,
): Promise<AsyncIterable<ProbeStep>> {
  const { probe } = await import("../../../api/probe/index.ts");
  return probe({
    targets,
    dispatcher: await network.dispatcher(),
    headersFor: (url) => transport.headers(connection.id, url),
    proxyFor: (url) => network.proxyFor(url),
    pacUrl: network.pacUrl,
    signal,
  });
}

/** The interfaces that a connection of this kind is used for; why deployments can't be listed is a step of its own. */
function targetsOf(connection: Connection, listed: readonly AgentServerRef[]): readonly ProbeTarget[] {
  const { kind, url, controlPlaneUrl, dialect } = connection;
  const servers = listed.map((server) => ({ kind: "agentServer" as const, url: server.url }));
  const controlPlane =
    controlPlaneUrl === undefined ? [] : [{ kind: "controlPlane" as const, url: controlPlaneUrl }];
  switch (kind) {
    case "agentServer":
    case "workspaceGraphs":
      return servers;
    case "protocol":
      return [{ kind: "streamingProtocol", url: applicationUrl(url) }];
    case "localPlatform":
    case "platform":
      return [
        { kind: "managedAgents", url, dialect },
        { kind: "bulkExports", url },
        ...controlPlane,
        ...servers,
      ];
    default:
      return kind satisfies never;
  }
}
