/** A managed agent in words: what stands beside its name, in its tooltip and below it. */

import type { Agent, AgentSummary, Backend, ToolEntry, Tools } from "../../api/managedAgents/wire.ts";
import { sameServer } from "./files/toolsFile.ts";
import { localTime, dotted } from "../kit/words.ts";

/** Beside the name, and as named lines. */
export function agentFacts(agent: AgentSummary): {
  readonly short: string;
  readonly long: readonly (readonly [name: string, value: string])[];
} {
  const model = agent.runtime?.model?.model_id ?? "";
  const access = accessWords(agent);
  const { scope } = agent.backend?.sandbox_config ?? {};
  const backend = [agent.backend?.type, scope === undefined ? "" : `one per ${scope}`];
  const long = [
    ["Description", agent.description ?? ""],
    ["Model", model],
    ["Access", access === "" ? "read and write" : access],
    ["Shared with", agent.permissions?.visibility === "user" ? "named users" : "the workspace"],
    ["Backend", backend.filter((part) => part !== undefined && part !== "").join(", ")],
    ["Agent", agent.id],
    ["Created", localTime(agent.created_at)],
    ["Updated", localTime(agent.updated_at)],
  ] as const;
  const short = dotted([model, access]);
  return { short, long: long.filter(([, value]) => value !== "") };
}

/** One tool of an agent. */
export interface ToolFact {
  readonly key: string;
  readonly label: string;
  readonly description: string;
  readonly details: string;
  /** Whether a person is asked before each use. */
  readonly asks: boolean;
}

/** The agent's own tools and those of its subagents. */
export function toolFacts({ tools, subagents }: Agent): readonly ToolFact[] {
  const own = factsOf(tools, "");
  const others = (subagents ?? []).flatMap(({ name, tools: theirs }) => factsOf(theirs, name));
  return [...own, ...others];
}

/** The backend's type, and its settings as named lines. */
export function backendFacts(backend: Backend | null | undefined): {
  readonly type: string;
  readonly settings: readonly (readonly [name: string, value: string])[];
} {
  const type = backend?.type ?? "state";
  const settings = Object.entries(backend?.sandbox_config ?? {}).map(
    ([name, value]) => [name, typeof value === "string" ? value : JSON.stringify(value)] as const,
  );
  return { type, settings: [["type", type], ...settings] };
}

/** Whether the person is asked before the tool is used (`interrupt_config`). */
export function asksFirst({ name, mcp_server_url }: ToolEntry, tools: Tools): boolean {
  const url = sameServer(mcp_server_url);
  const entries = Object.entries(tools.interrupt_config ?? {}).map(([key, asks]) => {
    const [server = "", tool] = key.split("::");
    return tool === undefined ? { tool: server, server: undefined, asks } : { tool, server, asks };
  });
  const matching = entries.filter((entry) => entry.tool === name);
  const exact = matching.find(({ server }) => server !== undefined && sameServer(server) === url);
  return (exact ?? matching.find(({ server }) => server === undefined))?.asks ?? false;
}

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

function factsOf(tools: Tools | null | undefined, subagent: string): readonly ToolFact[] {
  return (tools?.tools ?? []).map((tool) => {
    const asks = asksFirst(tool, tools ?? {});
    const server = tool.mcp_server_name ?? hostOf(tool.mcp_server_url);
    const description = [server, asks ? "asks first" : "", subagent === "" ? "" : `subagent ${subagent}`];
    return {
      key: [subagent, tool.mcp_server_url, tool.name].join(" "),
      label: tool.display_name ?? tool.name,
      description: dotted(description),
      details: `${tool.name}\n${tool.mcp_server_url}${asks ? "\nA person is asked before each use." : ""}`,
      asks,
    };
  });
}

function accessWords({ access_level }: AgentSummary): string {
  if (access_level === undefined || access_level === "WRITE") return "";
  if (access_level === "RUN") return "can run";
  return access_level === "READ" ? "read only" : access_level;
}

function hostOf(url: string): string {
  return URL.parse(url)?.host ?? url;
}
