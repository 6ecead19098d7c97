/** Asking a person for an agent server or a thread, when the command was not started on one. */

import * as vscode from "vscode";
import type { AgentServerRef, ThreadRef } from "../../connections/connection.ts";
import { type ConnectedServer, connectedServerIn } from "../../connections/serverRef.ts";
import { markedLabel } from "../../connections/mark.ts";
import { showInformation } from "../../kit/notice.ts";
import type { Services } from "../../services.ts";
import { queryOf } from "../../threads/threadFilter.ts";
import { themeIcon } from "../../kit/tree/rowItem.ts";
import { statusIcon, statusWords } from "../../threads/threadStatus.ts";
import { ThreadList } from "../../threads/threadList.ts";
import { ageOf, type ThreadFacts } from "../../threads/threadFacts.ts";
import { threadSource } from "../../threads/threadSource.ts";
import { askEach } from "../connections/connectionChoice.ts";
import { refIn, refOf } from "../../kit/ask/meant.ts";
import { askChoice, type Choice } from "../../kit/ask/questions.ts";
import { dotted, withoutIcons } from "../../kit/words.ts";
import { chooseByTyping } from "../../kit/ask/typedChoice.ts";

/** The agent server of a row, or the one that another caller names, if only by its deployment or as the only one. */
export async function serverOf(
  { agentServers, connections }: Services,
  value: unknown,
): Promise<ConnectedServer | undefined> {
  const named = refIn(value, connectedServerIn);
  if (named !== undefined) return named;
  const { connectionId, deploymentId } = refOf(value, "deploymentId") ?? {};
  if (connectionId !== undefined && deploymentId !== undefined)
    return { connectionId, server: { kind: "deployment", deploymentId } };
  const connection = connections.get(refOf(value, "connectionId")?.connectionId ?? "");
  const isServer = ["agentServer", "protocol", "workspaceGraphs"].includes(connection?.kind ?? "");
  return connection !== undefined && isServer ? (await agentServers.named(connection.id))[0] : undefined;
}

/** An agent server of any connection; the only one is taken without asking. Throws CancellationError when nobody chose. */
export function chooseAgentServer(services: Services, title: string): Promise<AgentServerRef> {
  return chooseServer(services, title, []);
}

/**
 * An agent server, or something else that is offered below them, where there is anything else. Those that could not be
 * reached stand last; Enter takes one of the connection in use.
 */
export async function chooseServer<Other>(
  services: Services,
  title: string,
  others: readonly Choice<Other>[],
): Promise<AgentServerRef | Other> {
  const { connections, agentServers, transport } = services;
  const settings = connections.list();
  const servers = await askEach(settings, ({ id }) => agentServers.list(id));
  const [only, ...more] = servers;
  if (only === undefined && others.length === 0) {
    await offerConnection(settings.length);
    throw new vscode.CancellationError();
  }
  if (only !== undefined && more.length + others.length === 0) return only;
  const away = settings.filter((one) => transport.connectionStates.of(one)?.state === "unreachable");
  const isAway = ({ connectionId }: AgentServerRef): boolean => away.some(({ id }) => id === connectionId);
  const inOrder = servers.toSorted((one, other) => Number(isAway(one)) - Number(isAway(other)));
  const choices = inOrder.map((value): Choice<AgentServerRef | Other> => {
    const setting = connections.get(value.connectionId);
    const label = withoutIcons(value.name);
    const where = setting === undefined ? "" : markedLabel(setting);
    return {
      label,
      description: dotted([where === label ? "" : where, isAway(value) ? "unreachable" : ""]),
      detail: value.url,
      value,
    };
  });
  const current = connections.default()?.id;
  const active = inOrder.find((one) => one.connectionId === current && !isAway(one));
  return askChoice({ title }, [...choices, ...others], { placeholder: "On which agent server?", active });
}

type ThreadItem = vscode.QuickPickItem & { readonly row: ThreadFacts };

/** A thread of a server, found among the newest or by what is typed. Throws CancellationError when nobody chose. */
export async function chooseThread(services: Services, title: string): Promise<ThreadRef> {
  const server = await chooseAgentServer(services, title);
  const find = async (text: string, signal: AbortSignal): Promise<readonly ThreadItem[]> => {
    const source = threadSource(services, server, signal);
    const list = new ThreadList(source, queryOf({ text }), 50);
    await list.load(signal);
    return (await source.entitled(list.rows)).map((row) => itemOf(row, services.agentServers.now(server)));
  };
  const placeholder = "Words of a title, a thread ID, or key=value for metadata";
  const chosen = await chooseByTyping({ title, placeholder, find, id: ({ row }) => row.id });
  return { connectionId: server.connectionId, server: server.server, threadId: chosen.row.id };
}

function itemOf(row: ThreadFacts, now: number): ThreadItem {
  return {
    label: withoutIcons(row.title),
    description: `${statusWords(row.status)} · ${ageOf(row.updatedAt, now)}`,
    detail: row.id,
    iconPath: themeIcon(statusIcon(row.status)),
    // The server or the title search chose it; what was typed need not stand in the label.
    alwaysShow: true,
    row,
  };
}

async function offerConnection(connections: number): Promise<void> {
  const [text, button, command] =
    connections === 0
      ? ["There is no connection yet.", "Start the Local Platform", "agentOperations.localPlatform.start"]
      : ["No connection has an agent server.", "Edit Connection", "agentOperations.connection.edit"];
  const choice = await showInformation(text, button);
  if (choice !== undefined) await vscode.commands.executeCommand(command);
}
