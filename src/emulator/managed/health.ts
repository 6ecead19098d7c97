import type { JsonObject } from "../kit/json.ts";
import { sameServer } from "../mcp/mcpServers.ts";
import { toolServerHealth, type ToolServerHealth } from "../mcp/toolServer.ts";
import type { ManagedAgent } from "./managedAgents.ts";
import type { TreeFields } from "./fileTree.ts";

/** Headers with the caller's credentials for a tool server. */
export type HeadersFor = (url: string) => Promise<Readonly<Record<string, string>>>;

/** Whether an agent could work now: each of its tool servers is asked for its tools. */
export async function agentHealth(
  agent: ManagedAgent,
  { tools, subagents }: TreeFields,
  headersFor: HeadersFor,
  signal: AbortSignal,
): Promise<JsonObject> {
  const entries = [tools, ...subagents.map((subagent) => subagent.tools)].flatMap(
    (part) => part?.tools ?? [],
  );
  const byUrl = new Map(entries.toReversed().map(({ mcp_server_url: url }) => [sameServer(url), url]));
  const servers = await Promise.all(
    [...byUrl.values()].toReversed().map(async (url) => ({ url, ...(await probe(url, headersFor, signal)) })),
  );
  return {
    agent_id: agent.id,
    mcp_check: { ok: servers.every(({ ok }) => ok), servers },
    backend: { type: agent.backend.type, ok: true },
  };
}

async function probe(url: string, headersFor: HeadersFor, signal: AbortSignal): Promise<ToolServerHealth> {
  try {
    return await toolServerHealth(url, await headersFor(url), signal);
  } catch (error) {
    return { ok: false, error: error instanceof Error ? error.message : String(error) };
  }
}
