/** Connecting to a tool server by OAuth: begun here, agreed to in the browser, waited for with a way to cancel. */

import * as vscode from "vscode";
import { ApiError } from "../../../api/errors.ts";
import { abortable, showInformation, showStatus, showWarning } from "../../kit/notice.ts";
import { NotPossibleError } from "../../kit/remedies.ts";
import type { Services } from "../../services.ts";
import type { AuthAttempt, ToolServerRef } from "../../toolServers/authAttempts.ts";
import { type AuthEnd, sentence } from "../../toolServers/authState.ts";
import { copyLines } from "../../kit/ask/clipboard.ts";
import type { CommandsOf } from "../../kit/commands.ts";
import { chooseToolServer, type ChosenServer } from "./toolServerChoice.ts";
import { askChoice } from "../../kit/ask/questions.ts";
import { refOf } from "../../kit/ask/meant.ts";

/** The commands that connect. */
export function toolServerConnectCommands(services: Services) {
  const { authAttempts: attempts } = services;
  return {
    "agentOperations.toolServer.connect": async (node) => {
      const isOAuth = (server: { readonly auth_type?: string }) => server.auth_type === "oauth";
      const server = await chooseToolServer(services, node, "Connect Tool Server", isOAuth);
      const isConnected = services.toolServers.get(server)?.grant === "held";
      await connectToolServer(services, server, isConnected);
    },
    "agentOperations.toolServer.cancelConnect": async (node) => {
      attempts.cancel(await beingConnected(services, node, "Cancel Connecting Tool Server"));
    },
    "agentOperations.toolServer.copyAddress": async (node) => {
      const server = await beingConnected(services, node, "Copy Sign-In Address of Tool Server");
      await copyLines([addressFor(services, server)], "address");
    },
    "agentOperations.toolServer.openAddress": async (node) => {
      await show(
        addressFor(services, await beingConnected(services, node, "Open Sign-In Page of Tool Server")),
      );
    },
  } satisfies Partial<CommandsOf<"toolServer">>;
}

/** The tool server that a row names, the only one that is being connected, or the one of them that a person chooses. */
async function beingConnected(
  { authAttempts }: Services,
  node: unknown,
  title: string,
): Promise<ToolServerRef> {
  const named = refOf(node, "toolServerId");
  if (named !== undefined) return named;
  const [only, ...others] = authAttempts.waiting;
  if (only === undefined)
    throw new NotPossibleError("No tool server is being connected.", `Use “Agents: Connect Tool Server”.`);
  if (others.length === 0) return only;
  const choices = [only, ...others].map((value) => ({ label: value.serverName, value }));
  return askChoice<ToolServerRef>({ title }, choices, { placeholder: "Which tool server?" });
}

/** Begins to connect, opens the page where the person agrees, and waits in the background. */
export async function connectToolServer(
  services: Services,
  chosen: ChosenServer,
  anew = false,
): Promise<void> {
  const { connectionId, toolServerId, server } = chosen;
  if (server.auth_type !== "oauth") {
    const remedy = "Edit it and choose OAuth, if the tool server asks for it.";
    throw new NotPossibleError(`“${server.name}” is not signed in to by OAuth.`, remedy);
  }
  const providerId = server.oauth_provider_id ?? (await registerProvider(services, chosen));
  const order = { connectionId, toolServerId, serverName: server.name, providerId, anew };
  const begun = await services.authAttempts.begin(order);
  if (begun !== "waiting") {
    showEnd(services, { connectionId, toolServerId }, server.name, begun);
    return;
  }
  void waitFor(services, { connectionId, toolServerId, serverName: server.name });
  await show(addressFor(services, chosen));
}

/** Registers a client at the server's authorization server; answers the provider's id. */
export async function registerProvider(
  { toolServers }: Services,
  { server, ...ref }: ChosenServer,
): Promise<string> {
  const title = `Registering with the authorization server of “${server.name}”`;
  return abortable(title, async (signal) => {
    try {
      return await toolServers.registerProvider(ref, signal);
    } catch (error) {
      if (!(error instanceof ApiError) || error.detail === undefined) throw error;
      if (!["server", "invalid"].includes(error.kind)) throw error;
      throw new NotPossibleError(
        `“${server.name}” has no OAuth provider yet: ${error.detail}`,
        "Check the tool server's address and that it offers OAuth, then register its provider again.",
      );
    }
  });
}

/** Shows that an attempt is waited for until it ends, and says how it ended. */
export async function waitFor(
  services: Services,
  attempt: ToolServerRef & Pick<AuthAttempt, "serverName">,
): Promise<void> {
  const { authAttempts: attempts, report } = services;
  const { serverName } = attempt;
  try {
    const end = await abortable(`Connecting “${serverName}”`, (signal, progress) => {
      signal.addEventListener("abort", () => attempts.cancel(attempt));
      progress(waitingWords(attempts.addressOf(attempt)));
      return attempts.wait(attempt);
    });
    showEnd(services, attempt, serverName, end);
  } catch (error) {
    report.failure(`Connecting “${serverName}”`, error, { connectionId: attempt.connectionId });
  }
}

function waitingWords(address: string | undefined): string {
  const page = address === undefined ? "the page that was opened" : `[the page](${linkable(address)})`;
  return `sign in on ${page} in your browser. Its row in the Tool Servers view has the address to copy.`;
}

/** Says how an attempt ended, with what can be done about it. */
function showEnd(services: Services, server: ToolServerRef, name: string, end: AuthEnd): void {
  const text = sentence(name, end);
  switch (end.outcome) {
    case "connected":
      void showInformation(text);
      return;
    case "cancelled":
      showStatus(text, 5000);
      return;
    case "timedOut":
      void offer(services, server, text, ["Check Again", "Try Again"]);
      return;
    case "refused":
    case "expired":
    case "failed":
      void offer(services, server, text, ["Try Again"]);
      return;
    default:
      end.outcome satisfies never;
  }
}

async function offer(
  services: Services,
  server: ToolServerRef,
  text: string,
  buttons: readonly string[],
): Promise<void> {
  const answer = await showWarning(text, ...buttons);
  if (answer === "Try Again") {
    await vscode.commands.executeCommand("agentOperations.toolServer.connect", server);
  }
  if (answer !== "Check Again" || !services.authAttempts.again(server)) return;
  const attempt = services.authAttempts.of(server);
  if (attempt !== undefined) void waitFor(services, attempt);
}

/** Opens the page; when the browser does not, the address can be copied. */
async function show(address: string): Promise<void> {
  // A URI would be encoded anew and could change what the address says; the editor takes a text as it is.
  const opened = await vscode.env.openExternal(address as unknown as vscode.Uri);
  if (opened) return;
  const [copyIt, again] = ["Copy Address", "Open Again"];
  const answer = await showWarning(
    "The sign-in page did not open. Copy its address and open it in a browser.",
    copyIt,
    again,
  );
  if (answer === copyIt) await copyLines([address], "address");
  if (answer === again) await show(address);
}

function addressFor({ authAttempts }: Services, server: ToolServerRef): string {
  const address = authAttempts.addressOf(server);
  if (address !== undefined) return address;
  throw new NotPossibleError(
    "There is no sign-in page: nothing is being connected, or the window was reloaded since.",
    "Connect again.",
  );
}

/** Ends of links must not stand in the address itself. */
function linkable(address: string): string {
  return address.replaceAll("(", "%28").replaceAll(")", "%29");
}
