/** Entering and deleting the API key of a connection. */

import { keyProblem } from "../../connections/apiKeys.ts";
import { originsOf } from "../../connections/connectionSettings.ts";
import { showWarning } from "../../kit/notice.ts";
import type { Services } from "../../services.ts";
import { chooseConnection } from "./connectionChoice.ts";
import { tryConnection } from "./connectionTest.ts";
import { AUTH_NAMES } from "./connectionDraft.ts";
import type { CommandsOf } from "../../kit/commands.ts";
import { askText } from "../../kit/ask/questions.ts";

/** The commands of a connection's key. */
export function connectionKeyCommands(services: Services) {
  return {
    "agentOperations.connection.setApiKey": (node) => setApiKey(services, node),
    "agentOperations.connection.clearApiKey": (node) => clearApiKey(services, node),
  } satisfies Partial<CommandsOf<"connection">>;
}

async function setApiKey(services: Services, node: unknown): Promise<void> {
  const connection = await choose(services, node, "Which connection is the key for?");
  if (connection === undefined) return;
  services.connections.resolve(connection.id);
  const origins = originsOf(connection);
  const scheme = AUTH_NAMES[connection.auth ?? "apiKey"];
  const key = await askText(
    { title: `${scheme} of "${connection.name}"` },
    {
      prompt: `Kept in secret storage and sent to ${origins.join(", ")} only.`,
      placeholder: `${scheme}, or \${env:NAME} for an environment variable`,
      secret: true,
      problem: (typed) =>
        typed === "" ? "Enter it, or press Escape to keep what is there." : keyProblem(typed),
    },
  );
  await services.apiKeys.set(connection.id, origins, key);
  void tryConnection(services, connection.id);
}

async function clearApiKey(services: Services, node: unknown): Promise<void> {
  const connection = await choose(services, node, "Whose key do you want to delete?");
  if (connection === undefined) return;
  const confirmed = await showWarning(
    `Delete the API key of "${connection.name}"?`,
    { modal: true, detail: "Requests go without a key until you set one again." },
    "Delete Key",
  );
  if (confirmed !== undefined) await services.apiKeys.clear(connection.id);
}

function choose(services: Services, node: unknown, placeholder: string): ReturnType<typeof chooseConnection> {
  return chooseConnection(services, node, { placeholder, accept: ({ kind }) => kind !== "localPlatform" });
}
