/** What can be done with a tool server: registered, changed, connected, deleted. */

import { ApiError } from "../../../api/errors.ts";
import type { ToolServer } from "../../../api/managedAgents/toolServers.ts";
import { showInformation, showWarning } from "../../kit/notice.ts";
import { NotPossibleError } from "../../kit/remedies.ts";
import type { Services } from "../../services.ts";
import { changeOf, isElsewhere, orderOf, signInOf } from "../../toolServers/toolServerDraft.ts";
import type { ToolServerDraft } from "../../toolServers/toolServerDraft.ts";
import type { Views } from "../../views/index.ts";
import type { ToolServersView } from "../../views/toolServers/toolServers.ts";
import { choosePlatform } from "../connections/connectionChoice.ts";
import type { CommandsOf } from "../../kit/commands.ts";
import { chooseToolServer } from "./toolServerChoice.ts";
import type { ChosenServer } from "./toolServerChoice.ts";
import { connectToolServer, registerProvider, toolServerConnectCommands } from "./toolServerConnect.ts";
import { deleteToolServer } from "./toolServerDelete.ts";
import { changeToolServer, fillInToolServer } from "./toolServerForm.ts";
import { rotateHeaders } from "./toolServerHeaders.ts";

/** The commands of one tool server, but for those that connect it. */
export function commands(
  services: Services,
  { views }: { readonly views: Pick<Views, "toolServers"> },
): CommandsOf<"toolServer"> {
  const view = views.toolServers;
  /** Does something with the chosen server and shows the outcome. */
  const doing =
    (title: string, work: (chosen: ChosenServer) => Promise<void>) =>
    async (node: unknown): Promise<void> => {
      const chosen = await chooseToolServer(services, node, title);
      if (chosen === undefined) return;
      await work(chosen);
      await view.reload(chosen);
    };
  return {
    ...toolServerConnectCommands(services, view),
    "agentOperations.toolServer.register": (node) => register(services, view, node),
    "agentOperations.toolServer.edit": doing("Edit Tool Server", (chosen) => edit(services, chosen)),
    "agentOperations.toolServer.rotateHeaders": doing("Rotate Tool Server Headers", (chosen) =>
      rotateHeaders(services, chosen),
    ),
    "agentOperations.toolServer.delete": doing("Delete Tool Server", (chosen) =>
      deleteToolServer(services, chosen),
    ),
    "agentOperations.toolServer.registerProvider": doing("Register OAuth Provider", async (chosen) => {
      await registerProvider(services, chosen);
    }),
    "agentOperations.toolServer.loadTools": async (node) => {
      const chosen = await chooseToolServer(services, node, "Load Tools Again");
      if (chosen !== undefined) await view.loadTools(chosen);
    },
  };
}

async function register(services: Services, view: ToolServersView, node: unknown): Promise<void> {
  const connectionId = (await choosePlatform(services, node, "Register Tool Server"))?.id;
  if (connectionId === undefined) return;
  const draft = await fillInToolServer("Register Tool Server");
  const { toolServers } = await services.platforms.managedAgents(connectionId);
  const server = await toolServers.create(orderOf(draft)).catch((error: unknown) => {
    throw unlessTaken(error, draft.url);
  });
  const chosen = { connectionId, toolServerId: server.id, server };
  try {
    if (draft.signIn === "oauth") await registerProvider(services, chosen);
  } finally {
    await view.reload(chosen);
  }
  if (draft.signIn !== "oauth") return;
  const connect = "Connect";
  const answer = await showInformation(
    `“${server.name}” is registered. Connect to it to see and use its tools.`,
    connect,
  );
  if (answer === connect) await connectToolServer(services, await reread(services, chosen));
}

async function edit(services: Services, { connectionId, server }: ChosenServer): Promise<void> {
  const start: ToolServerDraft = {
    name: server.name,
    url: server.url,
    signIn: signInOf(server),
    headers: [],
  };
  const draft = await changeToolServer(`Edit “${server.name}”`, start);
  const drop = await dropsHeaders(server, draft);
  const change = drop === undefined ? undefined : changeOf(server, draft, drop);
  if (change === undefined) return;
  const { toolServers } = await services.platforms.managedAgents(connectionId);
  await toolServers.update(server.id, change).catch((error: unknown) => {
    throw unlessTaken(error, draft.url);
  });
}

/** Headers are secrets: whether another origin gets them is asked. Undefined when the person gave up. */
async function dropsHeaders(server: ToolServer, draft: ToolServerDraft): Promise<boolean | undefined> {
  const held = server.headers ?? [];
  if (held.length === 0 || draft.headers.length > 0 || !isElsewhere(server.url, draft.url)) return false;
  const [send, remove] = ["Send Them There", "Take Them Away"];
  const names = held.map(({ key }) => key).join(", ");
  const answer = await showWarning(
    `Send the headers of “${server.name}” to ${URL.parse(draft.url)?.host ?? draft.url}?`,
    { modal: true, detail: `The tool server moves to another address. Its headers (${names}) hold secrets.` },
    send,
    remove,
  );
  return answer === undefined ? undefined : answer === remove;
}

async function reread(services: Services, chosen: ChosenServer): Promise<ChosenServer> {
  const { toolServers } = await services.platforms.managedAgents(chosen.connectionId);
  return { ...chosen, server: await toolServers.get(chosen.toolServerId) };
}

function unlessTaken(error: unknown, url: string): unknown {
  if (!(error instanceof ApiError) || error.kind !== "conflict") return error;
  return new NotPossibleError(
    `A tool server is already registered for ${url}.`,
    "Edit that one, or use another address.",
  );
}
