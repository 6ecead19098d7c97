/** An agent as files: the same layout in the editor's virtual folder and on disk, and which names can be files there. */

import type { Agent, AgentCreate, AgentFile, AgentUpdate } from "../../../api/managedAgents/wire.ts";
import { isObject } from "../../../api/shape.ts";
import { type FileProblem, problemsOf, readRecord } from "./fileProblem.ts";
import { settingsChange, settingsProblems, settingsText } from "./agentSettings.ts";
import { FileNames, isDeviceName, pathProblem } from "./fileNames.ts";
import { toolsProblems, toolsText } from "./toolsFile.ts";

/** Texts by path. */
export type AgentTree = ReadonlyMap<string, string>;

/** An agent's files, and which of its paths can't be files. */
export interface AgentLayout {
  readonly tree: AgentTree;
  readonly leftOut: readonly { readonly path: string; readonly why: string }[];
}

/** One file that differs between two trees. */
export interface FileChange {
  readonly path: string;
  readonly kind: "added" | "changed" | "deleted";
}

/** The files of an agent that was fetched with its file tree; without one, those that its fields stand for. */
export function layoutOf(agent: Agent): AgentLayout {
  const settings = "agent.json";
  const tree = new Map([[settings, settingsText(agent)]]);
  const leftOut: { path: string; why: string }[] = [];
  const names = new FileNames();
  names.add(settings);
  const files: Readonly<Record<string, unknown>> = agent.files ?? filesOf(agent);
  // What every agent has comes first, so that no other file can take its place.
  const [own, others] = [true, false].map((isOwn) =>
    Object.keys(files)
      .filter((path) => isOfLayout(path) === isOwn)
      .sort(),
  );
  for (const path of [...(own ?? []), ...(others ?? [])]) {
    const text = textOf(files[path]);
    const why = pathProblem(path) ?? names.clash(path) ?? (text === undefined ? "it has no text" : undefined);
    if (text === undefined || why !== undefined) leftOut.push({ path, why: why ?? "" });
    else {
      names.add(path);
      tree.set(path, text);
    }
  }
  return { tree, leftOut };
}

/** What a file of a server holds; undefined for what is none. */
function textOf(file: unknown): string | undefined {
  if (!isObject(file)) return undefined;
  const { content } = file;
  if (content === undefined) return `${JSON.stringify(file, null, 2)}\n`;
  return typeof content === "string" ? content : undefined;
}

/** What must be sent for the one tree to become the other. */
export function updateOf(before: AgentTree, after: AgentTree): AgentUpdate {
  const changes = differences(before, after).filter(({ path }) => path !== "agent.json");
  const written = changes.filter(({ kind }) => kind !== "deleted");
  const deleted = changes.filter(({ kind }) => kind === "deleted").map(({ path }) => path);
  const files = written.map(({ path }) => [path, fileOf(path, after.get(path) ?? "")]);
  const [old, fresh] = [before.get("agent.json"), after.get("agent.json")];
  return {
    ...(old === undefined || fresh === undefined ? {} : settingsChange(old, fresh)),
    ...(files.length === 0 ? {} : { files: Object.fromEntries(files) as Record<string, AgentFile> }),
    ...(deleted.length === 0 ? {} : { deleted_paths: deleted }),
  };
}

/** What makes a new agent of a tree whose `agent.json` is valid. */
export function createOf(tree: AgentTree): AgentCreate {
  const nothing = new Map([["agent.json", "{}"]]);
  return updateOf(nothing, tree) as AgentCreate;
}

/** What differs, by path. */
export function differences(before: AgentTree, after: AgentTree): readonly FileChange[] {
  const paths = [...new Set([...before.keys(), ...after.keys()])].sort();
  return paths.flatMap((path): FileChange[] => {
    const [old, fresh] = [before.get(path), after.get(path)];
    if (old === fresh) return [];
    return [{ path, kind: old === undefined ? "added" : fresh === undefined ? "deleted" : "changed" }];
  });
}

/** What keeps a file of an agent from being sent. */
export function problemsOfFile(path: string, text: string): readonly FileProblem[] {
  const kind = kindOf(path);
  switch (kind) {
    case "settings":
      return settingsProblems(text);
    case "tools":
      return toolsProblems(text);
    case "subagent":
      return problemsOf(text, () => []);
    case "text":
      return [];
    default:
      return kind satisfies never;
  }
}

/** Whether an agent's folder on disk has such a file, whatever else stands beside it there. */
export function isOfLayout(path: string): boolean {
  return /^(?:agent\.json|AGENTS\.md|tools\.json|(?:skills|subagents)\/.+)$/.test(path);
}

/** A folder's name for an agent, whatever the agent is called. */
export function folderName(agentName: string): string {
  const slug = agentName
    .normalize("NFKD")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "")
    .slice(0, 60);
  return slug === "" || isDeviceName(slug) ? `agent-${slug}`.replace(/-$/, "") : slug;
}

/** Which check a file of an agent has to pass. */
function kindOf(path: string): "settings" | "tools" | "subagent" | "text" {
  if (path === "agent.json") return "settings";
  if (/^subagents\/[^/]+\/agent\.json$/.test(path)) return "subagent";
  return /^(?:subagents\/[^/]+\/)?tools\.json$/.test(path) ? "tools" : "text";
}

/** A file directly in `skills` may be a link to a skill that is kept elsewhere. */
function fileOf(path: string, content: string): AgentFile {
  const link = /^skills\/[^/]+$/.test(path) ? readRecord(content) : undefined;
  const isLink = link?.["type"] === "skill" && typeof link["repo_handle"] === "string";
  return isLink ? (link as unknown as AgentFile) : { type: "file", content };
}

function filesOf({
  system_prompt,
  instructions,
  tools,
  subagents,
  skills,
}: Agent): Record<string, AgentFile> {
  const files: Record<string, AgentFile> = {};
  const write = (path: string, content: string): void => {
    files[path] = { type: "file", content };
  };
  write("AGENTS.md", system_prompt ?? instructions ?? "");
  if (isObject(tools)) write("tools.json", toolsText(tools));
  for (const { name, instructions: prompt, tools: own, ...rest } of objectsIn(subagents)) {
    write(`subagents/${name}/agent.json`, `${JSON.stringify(rest, null, 2)}\n`);
    write(`subagents/${name}/AGENTS.md`, prompt ?? "");
    if (own !== undefined) write(`subagents/${name}/tools.json`, toolsText(own));
  }
  for (const { name, description, instructions: body, files: others } of objectsIn(skills)) {
    const front = [`name: ${JSON.stringify(name)}`, `description: ${JSON.stringify(description ?? "")}`];
    write(`skills/${name}/SKILL.md`, ["---", ...front, "---", "", body ?? ""].join("\n"));
    for (const [path, content] of Object.entries(others ?? {})) write(`skills/${name}/${path}`, content);
  }
  return files;
}

/** Servers may list what is none. */
function objectsIn<T>(items: readonly T[] | null | undefined): readonly T[] {
  return Array.isArray(items) ? (items as readonly T[]).filter(isObject) : [];
}
