/** Which managed agent a command is about: the row's, or one that a person finds by its name. */

import type * as vscode from "vscode";
import type { Services } from "../../services.ts";
import type { AgentRef } from "../../agents/agentRow.ts";
import { BranchNode } from "../../kit/tree/branchNode.ts";
import { choosePlatform } from "../connections/connectionChoice.ts";
import { chooseByTyping } from "../../kit/ask/typedChoice.ts";

type AgentItem = vscode.QuickPickItem & { readonly ref: AgentRef };

const listSize = 50;

/** The agent that a row or another caller names. */
export function agentRefOf(value: unknown): AgentRef | undefined {
  const ref: unknown = value instanceof BranchNode ? value.ref : value;
  if (typeof ref !== "object" || ref === null || !("agentId" in ref) || !("connectionId" in ref))
    return undefined;
  return typeof ref.agentId === "string" ? (ref as AgentRef) : undefined;
}

/** The named agent, else one that the person chooses; undefined when nobody did. */
export async function chooseAgent(
  services: Services,
  node: unknown,
  title: string,
): Promise<AgentRef | undefined> {
  const named = agentRefOf(node);
  if (named !== undefined) return named;
  const connectionId = (await choosePlatform(services, node, title))?.id;
  if (connectionId === undefined) return undefined;
  const find = async (name: string, signal: AbortSignal): Promise<readonly AgentItem[]> => {
    const { agents } = await services.platforms.managedAgents(connectionId);
    const query = { page_size: listSize, ...(name === "" ? {} : { name }) };
    const page = await agents.page(query, { signal });
    return page.items.map((agent) => ({
      label: agent.name,
      description: agent.runtime?.model?.model_id ?? "",
      detail: agent.description ?? "",
      alwaysShow: true,
      ref: { connectionId, agentId: agent.id, name: agent.name },
    }));
  };
  const placeholder = "Which agent? Type a part of its name";
  return (await chooseByTyping({ title, placeholder, find, id: ({ ref }) => ref.agentId }))?.ref;
}
