import { wrongValue } from "../kit/httpError.ts";
import { isObject, parseJson } from "../kit/json.ts";
import {
  type AgentFile,
  type Skill,
  type Subagent,
  type Tools,
  toolsBody,
  type UpdateAgentBody,
} from "./agentBody.ts";

/** The files of an agent by their paths, which never begin with a slash nor climb. */
export type FileTree = Readonly<Record<string, AgentFile>>;

/** The part of an agent that its files hold. */
export interface TreeFields {
  readonly system_prompt: string;
  /** The same as `system_prompt`, under its older name. */
  readonly instructions: string;
  readonly tools: Tools;
  readonly subagents: readonly Subagent[];
  readonly skills: readonly Skill[];
}

/** The fields of a request that change the file tree. */
type TreeChange = Pick<
  UpdateAgentBody,
  "system_prompt" | "instructions" | "tools" | "subagents" | "skills" | "files" | "deleted_paths"
>;

const promptPath = "AGENTS.md";
const toolsPath = "tools.json";

/** Whether a request changes the file tree, and so makes a revision. */
export function changesTree(change: TreeChange): boolean {
  const { system_prompt, instructions, tools, subagents, skills, files, deleted_paths } = change;
  const fields = [system_prompt, instructions, tools, subagents, skills, files, deleted_paths];
  return fields.some((field) => field !== undefined);
}

/**
 * The tree after a change. `tools`, `subagents` and `skills` replace what was there; `files` are added.
 * Throws 422 when a path is written twice, or is both a file and a folder.
 */
export function changeTree(tree: FileTree, change: TreeChange): FileTree {
  const typed = typedFiles(change);
  for (const path of [...Object.keys(change.files ?? {}), ...(change.deleted_paths ?? [])]) {
    if (Object.hasOwn(typed, path)) refuse(path, "A field of the request already writes this file.");
  }
  const isReplaced = (path: string) =>
    (change.subagents !== undefined && path.startsWith("subagents/")) ||
    (change.skills !== undefined && isInlineSkill(tree, path)) ||
    (change.deleted_paths ?? []).some((gone) => path === gone || path.startsWith(`${gone}/`));
  const kept = Object.entries(tree).filter(([path]) => !isReplaced(path));
  const changed = { ...Object.fromEntries(kept), ...typed, ...change.files };
  for (const path of Object.keys(changed)) checkFile(changed, path);
  return changed;
}

/** The fields that a tree holds. What is broken in it counts as empty. */
export function readTree(tree: FileTree): TreeFields {
  const prompt = textOf(tree, promptPath);
  return {
    system_prompt: prompt,
    instructions: prompt,
    tools: readTools(tree, toolsPath),
    subagents: folders(tree, "subagents").map((name) => readSubagent(tree, name)),
    skills: folders(tree, "skills").flatMap((name) => {
      const text = textOf(tree, `skills/${name}/SKILL.md`);
      if (!Object.hasOwn(tree, `skills/${name}/SKILL.md`)) return [];
      const others = filesBelow(tree, `skills/${name}`).filter(([path]) => path !== "SKILL.md");
      const skill = { type: "inline" as const, ...readSkill(name, text) };
      return [others.length === 0 ? skill : { ...skill, files: Object.fromEntries(others) }];
    }),
  };
}

/** The files that the typed fields of a request write. */
function typedFiles(change: TreeChange): Record<string, AgentFile> {
  const files: Record<string, AgentFile> = {};
  const write = (path: string, content: string) => (files[path] = { type: "file", content });
  const prompt = change.system_prompt ?? change.instructions;
  if (prompt !== undefined) write(promptPath, prompt);
  if (change.tools !== undefined) write(toolsPath, json(change.tools));
  for (const { name, instructions, tools, ...rest } of change.subagents ?? []) {
    write(`subagents/${name}/agent.json`, json(rest));
    write(`subagents/${name}/AGENTS.md`, instructions ?? "");
    if (tools !== undefined) write(`subagents/${name}/tools.json`, json(tools));
  }
  for (const skill of change.skills ?? []) {
    for (const [path, content] of Object.entries(skill.files ?? {})) {
      if (path === "SKILL.md") refuse(`skills/${skill.name}/${path}`, "The skill itself is this file.");
      write(`skills/${skill.name}/${path}`, content);
    }
    write(`skills/${skill.name}/SKILL.md`, writeSkill(skill));
  }
  return files;
}

function readSubagent(tree: FileTree, name: string): Subagent {
  const folder = `subagents/${name}`;
  const settings = parseJson(textOf(tree, `${folder}/agent.json`));
  const hasTools = Object.hasOwn(tree, `${folder}/tools.json`);
  return {
    ...(isObject(settings) ? settings : {}),
    name,
    instructions: textOf(tree, `${folder}/AGENTS.md`),
    ...(hasTools ? { tools: readTools(tree, `${folder}/tools.json`) } : {}),
  };
}

function readTools(tree: FileTree, path: string): Tools {
  const parsed = toolsBody.safeParse(parseJson(textOf(tree, path)));
  return parsed.success ? parsed.data : { tools: [], interrupt_config: {} };
}

function checkFile(tree: FileTree, path: string): void {
  const isTools = path === toolsPath || /^subagents\/[^/]+\/tools\.json$/.test(path);
  if (isTools && !toolsBody.safeParse(parseJson(textOf(tree, path))).success) {
    refuse(path, "This is not a list of tools: expected {tools: [...], interrupt_config: {...}}.");
  }
  for (let end = path.indexOf("/"); end !== -1; end = path.indexOf("/", end + 1)) {
    if (Object.hasOwn(tree, path.slice(0, end)))
      refuse(path, `${path.slice(0, end)} is a file, not a folder.`);
  }
}

function refuse(path: string, msg: string): never {
  throw wrongValue(["body", "files", path], msg, path);
}

function isInlineSkill(tree: FileTree, path: string): boolean {
  return path.startsWith("skills/") && tree[path]?.type === "file";
}

function filesBelow(tree: FileTree, folder: string): [path: string, content: string][] {
  return Object.entries(tree).flatMap(([path, file]): [string, string][] =>
    path.startsWith(`${folder}/`) && file.type === "file"
      ? [[path.slice(folder.length + 1), file.content]]
      : [],
  );
}

function folders(tree: FileTree, parent: string): string[] {
  const names = Object.keys(tree)
    .filter((path) => path.startsWith(`${parent}/`))
    .map((path) => path.split("/"))
    .filter((segments) => segments.length > 2)
    .map((segments) => segments[1] ?? "");
  return [...new Set(names)];
}

function textOf(tree: FileTree, path: string): string {
  const file = tree[path];
  return file?.type === "file" ? file.content : "";
}

function json(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

/** What a SKILL.md says: a name and a description in its front matter, instructions below. */
interface SkillText {
  readonly name: string;
  readonly description: string;
  readonly instructions: string;
}

/** The content of a skill's SKILL.md. */
function writeSkill({ name, description, instructions }: SkillText): string {
  const front = [`name: ${JSON.stringify(name)}`, `description: ${JSON.stringify(description)}`];
  return ["---", ...front, "---", "", instructions].join("\n");
}

/** What a SKILL.md says; a file without front matter is all instructions. The folder's name is the skill's. */
function readSkill(name: string, text: string): SkillText {
  const parts = /^---\r?\n(.*?)^---\r?\n(?:\r?\n)?(.*)$/ms.exec(text);
  if (parts === null) return { name, description: "", instructions: text };
  const description = /^description:[ \t]*(.*?)[ \t]*$/m.exec(parts[1] ?? "")?.[1] ?? "";
  return { name, description: scalar(description), instructions: parts[2] ?? "" };
}

/** The text of a YAML scalar on one line. */
function scalar(text: string): string {
  if (/^'.*'$/.test(text)) return text.slice(1, -1).replaceAll("''", "'");
  if (!/^".*"$/.test(text)) return text;
  try {
    return String(JSON.parse(text));
  } catch {
    return text.slice(1, -1);
  }
}
