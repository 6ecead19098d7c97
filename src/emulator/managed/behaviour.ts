import type { Agent } from "../runtime/agent.ts";
import { askBefore, useOf } from "../agents/approval.ts";
import { findAgent } from "../agents/catalog.ts";
import { isObject } from "../kit/json.ts";
import type { Tools } from "./agentBody.ts";
import { readTree } from "./fileTree.ts";
import type { ManagedAgents } from "./managedAgents.ts";

const samplePrefix = "sample:";

/**
 * The sample agent that stands in for a managed agent's model, since nothing here calls one. The first that fits:
 * 1. the model `sample:<name>` is that sample agent;
 * 2. an agent whose tools ask a person first (`interrupt_config`) wants to use them and asks;
 * 3. an agent with subagents researches with two of its own;
 * 4. any other repeats the last message.
 */
export function behaviourOf(managedAgents: ManagedAgents, id: string): Agent | undefined {
  const agent = managedAgents.get(id);
  if (agent === undefined) return undefined;
  const { tools, subagents } = readTree(managedAgents.files(agent));
  const model = isObject(agent.runtime.model) ? agent.runtime.model.model_id : undefined;
  const sample = typeof model === "string" && model.startsWith(samplePrefix) ? model : undefined;
  const guarded = guardedTools(tools).map((tool) => useOf(tool, `Uses the tool ${tool}.`));
  const named = sample === undefined ? undefined : findAgent(sample.slice(samplePrefix.length));
  if (named !== undefined && (named.name !== "approval" || guarded.length === 0)) return named;
  if (guarded.length > 0) return askBefore(guarded);
  return findAgent(subagents.length > 0 ? "researcher" : "echo");
}

/**
 * The tools before whose use a person is asked. A key of `interrupt_config` is `{server url}::{tool}`, where a slash
 * at the end of the URL does not count and further parts are ignored, or else the tool's bare name.
 */
function guardedTools({ tools, interrupt_config }: Tools): string[] {
  const bare = new Map<string, boolean>();
  const full = new Map<string, boolean>();
  for (const [key, asks] of Object.entries(interrupt_config)) {
    const [url = "", tool] = key.split("::");
    if (tool === undefined) bare.set(key, asks);
    else full.set(keyOf(url, tool), asks);
  }
  const listed = tools.filter(({ name, mcp_server_url }) => {
    return full.get(keyOf(mcp_server_url, name)) ?? bare.get(name) ?? false;
  });
  const names = new Set(tools.map(({ name }) => name));
  const others = [...bare].filter(([name, asks]) => asks && !names.has(name)).map(([name]) => name);
  const elsewhere = [...full].flatMap(([key, asks]) => {
    const name = key.slice(key.indexOf(" ") + 1);
    return asks && !names.has(name) ? [name] : [];
  });
  return [...new Set([...listed.map(({ name }) => name), ...others, ...elsewhere])];
}

function keyOf(url: string, tool: string): string {
  return `${url.replace(/\/+$/, "").toLowerCase()} ${tool}`;
}
