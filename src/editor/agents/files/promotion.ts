/** What an agent gets of another one: files and settings, and never its name, its id and who may use it. */

import { isObject } from "../../../api/shape.ts";
import { settingsChange } from "./agentSettings.ts";
import { type AgentTree, differences, type FileChange } from "./agentTree.ts";
import { readRecord } from "./fileProblem.ts";

const settings = "agent.json";
/** What belongs to an agent on its platform. */
const own: readonly string[] = ["agent_id", "name", "permissions"];

/** The files of the target if it got all of the source; what the target alone has is not in it. */
export function promotedTree(source: AgentTree, target: AgentTree): AgentTree {
  const [given, kept] = [source, target].map((tree) => readRecord(tree.get(settings) ?? "{}") ?? {});
  const fresh = Object.entries(given ?? {}).filter(([name]) => !own.includes(name));
  // A model is short for a runtime, and a text has one of the two.
  const hasModel = fresh.some(([name]) => name === "model" || name === "runtime");
  const others = Object.entries(kept ?? {}).filter(([name]) => !(hasModel && /^(model|runtime)$/.test(name)));
  const text = `${JSON.stringify(Object.fromEntries([...others, ...fresh]), null, 2)}\n`;
  const before = target.get(settings);
  const isSame = before !== undefined && Object.keys(settingsChange(before, text)).length === 0;
  return new Map([...source, [settings, isSame ? before : text]]);
}

/** The files of a new agent that is like the source. */
export function copiedTree(source: AgentTree, name: string): AgentTree {
  return promotedTree(source, new Map([[settings, JSON.stringify({ name })]]));
}

/** The target with those of the changes that somebody chose. */
export function withChosen(target: AgentTree, promoted: AgentTree, chosen: readonly FileChange[]): AgentTree {
  const after = new Map(target);
  for (const { path, kind } of chosen) {
    if (kind === "deleted") after.delete(path);
    else after.set(path, promoted.get(path) ?? "");
  }
  return after;
}

/** What differs between two agents, but for what belongs to each on its platform. */
export function agentDifferences(target: AgentTree, source: AgentTree): readonly FileChange[] {
  return differences(target, promotedTree(source, target));
}

/** The settings that a change of `agent.json` is about, with what they become: `backend: {"type":"state"}`. */
export function settingsWords(before: AgentTree, after: AgentTree): string {
  const [old, fresh] = [before, after].map((tree) => tree.get(settings) ?? "{}");
  const changed = Object.entries(settingsChange(old ?? "{}", fresh ?? "{}"));
  return changed.map(([name, value]) => `${name}: ${JSON.stringify(value)}`).join(", ");
}

/** The addresses of the tool servers that an agent and its subagents use. */
export function toolServersOf(tree: AgentTree): readonly string[] {
  const texts = [...tree].flatMap(([path, text]) => (/(^|\/)tools\.json$/.test(path) ? [text] : []));
  const tools = texts.flatMap((text) => {
    const listed = readRecord(text)?.["tools"];
    return Array.isArray(listed) ? (listed as readonly unknown[]).filter(isObject) : [];
  });
  const urls = tools.map((tool) => tool["mcp_server_url"]).filter((url) => typeof url === "string");
  return [...new Set(urls.map((url) => url.replace(/\/+$/, "")))];
}
