/** Deleting a tool server: the agents that use it are named before. */

import { ApiError } from "../../../api/errors.ts";
import type { ManagedAgents } from "../../../api/managedAgents/index.ts";
import { showWarning } from "../../kit/notice.ts";
import type { Services } from "../../services.ts";
import { agentsUsing } from "../../agents/agentFacts.ts";
import { abortable } from "../../kit/ask/abortable.ts";
import type { ChosenServer } from "./toolServerChoice.ts";

const atOnce = 6;
const mostNamed = 10;

/** Asks once, naming who uses it, and deletes. */
export async function deleteToolServer(
  services: Services,
  { connectionId, server }: ChosenServer,
): Promise<void> {
  const client = await services.platforms.managedAgents(connectionId);
  const users = await abortable(`Looking for agents that use “${server.name}”`, (signal) =>
    findUsers(client, server.url, signal),
  );
  const confirmed = await showWarning(
    `Delete the tool server “${server.name}”?`,
    { modal: true, detail: `${usersWords(users)} This can't be undone.` },
    "Delete",
  );
  if (confirmed === "Delete") await client.toolServers.delete(server.id);
}

/** Rejects when an agent can't be read: whether it uses the tool server is not known then. */
async function findUsers(
  { agents }: ManagedAgents,
  url: string,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const ids: string[] = [];
  for await (const { id } of agents.list({ page_size: 100 }, { signal })) ids.push(id);
  const users: string[] = [];
  for (let start = 0; start < ids.length; start += atOnce) {
    const some = ids.slice(start, start + atOnce);
    const found = await Promise.all(some.map((id) => agents.get(id, { signal }).catch(unlessGone)));
    users.push(
      ...agentsUsing(
        url,
        found.flatMap((agent) => agent ?? []),
      ),
    );
  }
  return users;
}

/** An agent that was deleted meanwhile uses nothing. */
function unlessGone(error: unknown): undefined {
  if (error instanceof ApiError && error.kind === "notFound") return undefined;
  throw error;
}

function usersWords(users: readonly string[]): string {
  if (users.length === 0) return "No agent that you own uses it.";
  const named = users.slice(0, mostNamed).map((name) => `“${name}”`);
  const more = users.length > mostNamed ? ` and ${String(users.length - mostNamed)} more` : "";
  const verb = users.length === 1 ? "uses it and loses" : "use it and lose";
  return `${named.join(", ")}${more} ${verb} its tools.`;
}
