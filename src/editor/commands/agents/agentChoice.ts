/** Which managed agent a command is about: the row's, or one that a person finds by its name. */

import type * as vscode from "vscode";
import type { Services } from "../../services.ts";
import type { NamedAgentRef } from "../../agents/listedAgent.ts";
import { refOf } from "../../kit/ask/meant.ts";
import { choosePlatform } from "../connections/connectionChoice.ts";
import { chooseByTyping } from "../../kit/ask/typedChoice.ts";
import { withoutIcons } from "../../kit/words.ts";

type AgentItem = vscode.QuickPickItem & { readonly ref: NamedAgentRef };

const listSize = 50;

/** The named agent, else one that the person chooses; throws CancellationError when nobody did. */
export async function chooseAgent(services: Services, node: unknown, title: string): Promise<NamedAgentRef> {
  const named = refOf(node, "agentId");
  if (named !== undefined) return { ...named, name: named.name ?? named.agentId };
  const { id: connectionId } = await choosePlatform(services, node, title);
  const find = async (name: string, signal: AbortSignal): Promise<readonly AgentItem[]> => {
    const { agents } = await services.platforms.managedAgents(connectionId);
    const query = { page_size: listSize, ...(name === "" ? {} : { name }) };
    const page = await agents.page(query, { signal });
    return page.items.map((agent) => ({
      label: withoutIcons(agent.name),
      description: agent.runtime?.model?.model_id ?? "",
      detail: agent.description ?? "",
      alwaysShow: true,
      ref: { connectionId, agentId: agent.id, name: agent.name },
    }));
  };
  const placeholder = "Which agent? Type a part of its name";
  return (await chooseByTyping({ title, placeholder, find, id: ({ ref }) => ref.agentId })).ref;
}
