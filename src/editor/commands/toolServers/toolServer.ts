/** What can be done with a tool server: registered, changed, connected, deleted. */

import { CancellationError } from "vscode";
import { ApiError } from "../../../api/errors.ts";
import type { ToolServer } from "../../../api/managedAgents/toolServers.ts";
import { confirmAct } from "../../connections/guard.ts";
import { abortable, showInformation, showWarning } from "../../kit/notice.ts";
import { NotPossibleError } from "../../kit/remedies.ts";
import type { Services } from "../../services.ts";
import type { Views } from "../../views/index.ts";
import {
  changeOf,
  isElsewhere,
  orderOf,
  signInOf,
  type ToolServerDraft,
} from "../../toolServers/toolServerDraft.ts";
import { choosePlatform } from "../connections/connectionChoice.ts";
import type { CommandsOf } from "../../kit/commands.ts";
import { chooseToolServer, type ChosenServer } from "./toolServerChoice.ts";
import { connectToolServer, registerProvider, toolServerConnectCommands } from "./toolServerConnect.ts";
import { changedToolServerForm, emptyToolServer, NEW_TOOL_SERVER } from "./toolServerForm.ts";
import { fillForm, reviewForm } from "../../kit/ask/form.ts";
import { sendForm } from "../../kit/ask/sentForm.ts";
import { rotateHeaders } from "./toolServerHeaders.ts";

const mostNamed = 10;

/** The commands of one tool server, but for those that connect it. */
export function commands(
  services: Services,
  { views }: { readonly views: Pick<Views, "toolServers"> },
): CommandsOf<"toolServer"> {
  const on =
    (title: string, work: (services: Services, chosen: ChosenServer) => Promise<unknown>) =>
    async (node: unknown): Promise<void> => {
      await work(services, await chooseToolServer(services, node, title));
    };
  return {
    ...toolServerConnectCommands(services),
    "agentOperations.toolServer.register": (node) => register(services, views.toolServers, node),
    "agentOperations.toolServer.edit": on("Edit Tool Server", edit),
    "agentOperations.toolServer.rotateHeaders": on("Rotate Tool Server Headers", rotateHeaders),
    "agentOperations.toolServer.delete": on("Delete Tool Server", remove),
    "agentOperations.toolServer.registerProvider": on("Register OAuth Provider", registerProvider),
    "agentOperations.toolServer.loadTools": async (node) => {
      services.toolServers.askAgain(await chooseToolServer(services, node, "Reload Tools of Tool Server"));
    },
  };
}

async function register(services: Services, view: Views["toolServers"], node: unknown): Promise<void> {
  const { id: connectionId } = await choosePlatform(services, node, "Register Tool Server");
  const { server, signIn } = await sendForm(await fillForm(NEW_TOOL_SERVER, emptyToolServer), {
    form: NEW_TOOL_SERVER,
    connectionId,
    notDone: "The tool server was not registered.",
    notKnown:
      "Whether the tool server was registered is not known: look in Tool Servers before you register it again.",
    log: services.log,
    send: async (draft) => {
      const made = services.toolServers.create(connectionId, orderOf(draft));
      return { server: await made.catch(unlessTaken(draft.url)), signIn: draft.signIn };
    },
  });
  const chosen = { connectionId, toolServerId: server.id, server };
  await view.reveal(chosen, signIn !== "oauth");
  if (signIn !== "oauth") return;
  await registerProvider(services, chosen);
  const connect = "Connect";
  const answer = await showInformation(
    `“${server.name}” is registered. Connect to it to see and use its tools.`,
    connect,
  );
  if (answer === connect) await connectToolServer(services, await reread(services, chosen));
}

async function edit({ toolServers, log }: Services, { server, ...ref }: ChosenServer): Promise<void> {
  const start: ToolServerDraft = {
    name: server.name,
    url: server.url,
    signIn: signInOf(server),
    headers: [],
  };
  const form = changedToolServerForm(`Edit “${server.name}”`);
  await sendForm(await reviewForm(form, start), {
    form,
    connectionId: ref.connectionId,
    notDone: `“${server.name}” was not changed.`,
    notKnown: `Whether “${server.name}” was changed is not known.`,
    log,
    send: async (draft) => {
      const change = changeOf(server, draft, await dropsHeaders(server, draft));
      if (change !== undefined) await toolServers.update(ref, change).catch(unlessTaken(draft.url));
    },
  });
}

/** Asks once, naming who uses it, and deletes. */
async function remove({ connections, toolServers }: Services, chosen: ChosenServer): Promise<void> {
  const { name } = chosen.server;
  const users = await abortable(`Looking for agents that use “${name}”`, (signal) =>
    toolServers.usedBy(chosen, signal),
  );
  const detail = `${usersWords(users)} This can't be undone.`;
  const act = { name, question: `Delete the tool server “${name}”?`, detail, verb: "Delete", always: true };
  await confirmAct(connections.resolve(chosen.connectionId), act);
  await toolServers.delete(chosen);
}

function usersWords(users: readonly string[]): string {
  if (users.length === 0) return "No agent that you own uses it.";
  const named = users.slice(0, mostNamed).map((name) => `“${name}”`);
  const more = users.length > mostNamed ? ` and ${String(users.length - mostNamed)} more` : "";
  const verb = users.length === 1 ? "uses it and loses" : "use it and lose";
  return `${named.join(", ")}${more} ${verb} its tools.`;
}

/** Headers are secrets: whether another origin gets them is asked. */
async function dropsHeaders(server: ToolServer, draft: ToolServerDraft): Promise<boolean> {
  const held = server.headers ?? [];
  if (held.length === 0 || draft.headers.length > 0 || !isElsewhere(server.url, draft.url)) return false;
  const [send, remove] = ["Send Them There", "Remove Them"];
  const names = held.map(({ key }) => key).join(", ");
  const answer = await showWarning(
    `Send the headers of “${server.name}” to ${URL.parse(draft.url)?.host ?? draft.url}?`,
    { modal: true, detail: `The tool server moves to another address. Its headers (${names}) hold secrets.` },
    send,
    remove,
  );
  if (answer === undefined) throw new CancellationError();
  return answer === remove;
}

async function reread(services: Services, chosen: ChosenServer): Promise<ChosenServer> {
  const { toolServers } = await services.platforms.managedAgents(chosen.connectionId);
  return { ...chosen, server: await toolServers.get(chosen.toolServerId) };
}

function unlessTaken(url: string): (error: unknown) => never {
  return (error) => {
    if (!(error instanceof ApiError) || error.kind !== "conflict") throw error;
    throw new NotPossibleError(
      `A tool server is already registered for ${url}.`,
      "Edit that one, or use another address.",
    );
  };
}
