/** An agent as files: the same layout in the editor's virtual folder and on disk. */

import type { Agent, AgentCreate, AgentFile, AgentUpdate } from "../../../api/managedAgents/wire.ts";
import { isRecord, problemsOf, readRecord } from "./fileProblem.ts";
import { kindOf, pathProblem } from "./agentPath.ts";
import { settingsChange, settingsProblems, settingsText } from "./agentSettings.ts";
import type { FileProblem } from "./fileProblem.ts";
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
  const tree = new Map([["agent.json", settingsText(agent)]]);
  const leftOut: { path: string; why: string }[] = [];
  const folded = new Map([["agent.json", "agent.json"]]);
  const files = agent.files ?? filesOf(agent);
  for (const path of Object.keys(files).sort()) {
    const file = files[path];
    const why = pathProblem(path) ?? clash(folded, path);
    if (file === undefined) continue;
    if (why !== undefined) {
      leftOut.push({ path, why });
      continue;
    }
    folded.set(path.toLowerCase(), path);
    tree.set(path, "content" in file ? file.content : `${JSON.stringify(file, null, 2)}\n`);
  }
  return { tree, leftOut };
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

/** A file directly in `skills` may be a link to a skill that is kept elsewhere. */
function fileOf(path: string, content: string): AgentFile {
  const link = /^skills\/[^/]+$/.test(path) ? readRecord(content) : undefined;
  const isLink = link?.["type"] === "skill" && typeof link["repo_handle"] === "string";
  return isLink ? (link as unknown as AgentFile) : { type: "file", content };
}

/** On some disks two names are the same file when they differ only in case. */
function clash(folded: ReadonlyMap<string, string>, path: string): string | undefined {
  const other = folded.get(path.toLowerCase());
  return other === undefined ? undefined : `its name is too much like ${other}`;
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
  if (isRecord(tools)) write("tools.json", toolsText(tools));
  for (const { name, instructions: prompt, tools: own, ...rest } of subagents ?? []) {
    write(`subagents/${name}/agent.json`, `${JSON.stringify(rest, null, 2)}\n`);
    write(`subagents/${name}/AGENTS.md`, prompt ?? "");
    if (own !== undefined) write(`subagents/${name}/tools.json`, toolsText(own));
  }
  for (const { name, description, instructions: body, files: others } of skills ?? []) {
    const front = [`name: ${JSON.stringify(name)}`, `description: ${JSON.stringify(description ?? "")}`];
    write(`skills/${name}/SKILL.md`, ["---", ...front, "---", "", body ?? ""].join("\n"));
    for (const [path, content] of Object.entries(others ?? {})) write(`skills/${name}/${path}`, content);
  }
  return files;
}
