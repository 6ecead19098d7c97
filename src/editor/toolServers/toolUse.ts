/** Which agents use a tool server. */

import type { Agent } from "../../api/managedAgents/wire.ts";
import { sameServer } from "../agents/files/toolsFile.ts";

/** The names of the agents that have a tool of the server, they themselves or a subagent of theirs. */
export function agentsUsing(url: string, agents: readonly Agent[]): readonly string[] {
  const wanted = sameServer(url);
  return agents
    .filter(({ tools, subagents }) => {
      const lists = [tools, ...(subagents ?? []).map((subagent) => subagent.tools)];
      const entries = lists.flatMap((list) => list?.tools ?? []);
      return entries.some(
        ({ mcp_server_url: used }) => typeof used === "string" && sameServer(used) === wanted,
      );
    })
    .map(({ name }) => name);
}
