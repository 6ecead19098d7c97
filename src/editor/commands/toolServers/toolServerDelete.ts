/** Deleting a tool server: the agents that use it are named before. */

import * as vscode from "vscode";
import type { ManagedAgents } from "../../../api/managedAgents/index.ts";
import type { Services } from "../../services.ts";
import { agentsUsing } from "../../toolServers/toolUse.ts";
import type { ChosenServer } from "./toolServerChoice.ts";

const atOnce = 6;
const mostNamed = 10;

/** Asks once, naming who uses it, and deletes. */
export async function deleteToolServer(
  services: Services,
  { connectionId, server }: ChosenServer,
): Promise<void> {
  const client = await services.platforms.managedAgents(connectionId);
  const users = await vscode.window.withProgress(
    {
      location: vscode.ProgressLocation.Notification,
      title: `Looking for agents that use “${server.name}”`,
      cancellable: true,
    },
    (_, token) => findUsers(client, server.url, token),
  );
  if (users === undefined) return;
  const confirmed = await vscode.window.showWarningMessage(
    `Delete the tool server “${server.name}”?`,
    { modal: true, detail: `${usersWords(users)} This can't be undone.` },
    "Delete",
  );
  if (confirmed === "Delete") await client.toolServers.delete(server.id);
}

/** Undefined when the person cancelled: then nothing is deleted. */
async function findUsers(
  { agents }: ManagedAgents,
  url: string,
  token: vscode.CancellationToken,
): Promise<readonly string[] | undefined> {
  const cancelling = new AbortController();
  const listening = token.onCancellationRequested(() => cancelling.abort());
  const { signal } = cancelling;
  try {
    const ids: string[] = [];
    for await (const { id } of agents.list({ page_size: 100 }, { signal })) ids.push(id);
    const users: string[] = [];
    for (let start = 0; start < ids.length; start += atOnce) {
      const some = ids.slice(start, start + atOnce).map((id) => agents.get(id, { signal }));
      // An agent that was deleted meanwhile uses nothing.
      const found = await Promise.allSettled(some);
      users.push(
        ...agentsUsing(
          url,
          found.flatMap((result) => (result.status === "fulfilled" ? [result.value] : [])),
        ),
      );
      signal.throwIfAborted();
    }
    return users;
  } catch (error) {
    if (signal.aborted) return undefined;
    throw error;
  } finally {
    listening.dispose();
  }
}

function usersWords(users: readonly string[]): string {
  if (users.length === 0) return "No agent that you own uses it.";
  const named = users.slice(0, mostNamed).map((name) => `“${name}”`);
  const more = users.length > mostNamed ? ` and ${String(users.length - mostNamed)} more` : "";
  const verb = users.length === 1 ? "uses it and loses" : "use it and lose";
  return `${named.join(", ")}${more} ${verb} its tools.`;
}
