/** Which tool server a command is about: the row's, or the one that a person chooses. */

import type { ToolServer } from "../../../api/managedAgents/toolServers.ts";
import { NotPossibleError } from "../../kit/remedies.ts";
import type { Services } from "../../services.ts";
import type { ToolServerRef } from "../../toolServers/authAttempts.ts";
import { choosePlatform } from "../connections/connectionChoice.ts";
import { askChoice } from "../../kit/ask/questions.ts";
import { refOf } from "../../kit/ask/meant.ts";
import { withoutIcons } from "../../kit/words.ts";

/** A tool server as it is now, and how to find it again. */
export interface ChosenServer extends ToolServerRef {
  readonly server: ToolServer;
}

/** Read anew from the platform; throws when it is gone or there is none, and CancellationError when nobody chose. */
export async function chooseToolServer(
  services: Services,
  node: unknown,
  title: string,
  accept: (server: ToolServer) => boolean = () => true,
): Promise<ChosenServer> {
  const named = refOf(node, "toolServerId");
  if (named !== undefined) {
    const { toolServers } = await services.platforms.managedAgents(named.connectionId);
    const { connectionId, toolServerId } = named;
    return { connectionId, toolServerId, server: await toolServers.get(toolServerId) };
  }
  const { id: connectionId } = await choosePlatform(services, node, title);
  const { toolServers } = await services.platforms.managedAgents(connectionId);
  const servers = (await toolServers.list()).filter(accept);
  if (servers.length === 0) {
    throw new NotPossibleError("There is no tool server for this.", "Register one first.", [
      "registerToolServer",
    ]);
  }
  const choices = servers.map((server) => ({
    value: server,
    label: withoutIcons(server.name),
    description: server.url,
  }));
  const server = await askChoice({ title }, choices, { placeholder: "Which tool server?" });
  return { connectionId, toolServerId: server.id, server };
}
