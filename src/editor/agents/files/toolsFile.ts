/** `tools.json`: which tools of which tool servers an agent may use, and before which a person is asked. */

import type { Tools } from "../../../api/managedAgents/wire.ts";
import { isObject } from "../../../api/shape.ts";
import {
  type FileProblem,
  type JsonRecord,
  problemsOf,
  readRecord,
  type ValueProblem,
} from "./fileProblem.ts";

/** A tool that a person picked for an agent. */
export interface PickedTool {
  readonly name: string;
  readonly serverUrl: string;
  readonly serverName: string;
  /** Whether a person is asked each time before it is used. */
  readonly asks: boolean;
}

/** The text of a `tools.json`. */
export function toolsText(tools: Tools | JsonRecord, indent: string | number = 2): string {
  return `${JSON.stringify(tools, null, indent)}\n`;
}

/**
 * The text with the picked tools in it; everything else stays, as does the indentation. A tool that is listed already
 * is not listed twice. The text must be empty or valid.
 */
export function withTools(text: string, picked: readonly PickedTool[]): string {
  const root = readRecord(text) ?? {};
  const tools = Array.isArray(root["tools"]) ? (root["tools"] as readonly unknown[]) : [];
  const config = isObject(root["interrupt_config"]) ? root["interrupt_config"] : {};
  const listed = new Set(tools.filter(isObject).map((tool) => toolKey(tool["mcp_server_url"], tool["name"])));
  const added = picked.filter(({ serverUrl, name }) => !listed.has(toolKey(serverUrl, name)));
  const written = new Map(Object.entries(config));
  for (const tool of picked) {
    const wanted = toolKey(tool.serverUrl, tool.name);
    const same = [...written.keys()].find((key) => keyOfInterrupt(key) === wanted);
    written.set(same ?? `${tool.serverUrl.replace(/\/+$/, "")}::${tool.name}`, tool.asks);
  }
  return toolsText(
    {
      ...root,
      tools: [
        ...tools,
        ...added.map(({ name, serverUrl, serverName }) => ({
          name,
          mcp_server_url: serverUrl,
          mcp_server_name: serverName,
        })),
      ],
      interrupt_config: Object.fromEntries(written),
    },
    /^[{\s]*?\n([ \t]+)/.exec(text)?.[1] ?? 2,
  );
}

/** What keeps a `tools.json` from being sent. */
export function toolsProblems(text: string): readonly FileProblem[] {
  return problemsOf(text, (root) => {
    const { tools, interrupt_config: config } = root;
    return [
      ...(Array.isArray(tools)
        ? (tools as readonly unknown[]).flatMap(toolProblems)
        : [problem(["tools"], `"tools" is a list.`)]),
      ...(config === undefined ? [] : configProblems(config)),
    ];
  });
}

/** The URL as tool servers are compared: without regard to case and to a slash at the end. */
export function sameServer(url: string): string {
  return url.toLowerCase().replace(/\/+$/, "");
}

function toolProblems(tool: unknown, index: number): readonly ValueProblem[] {
  const at = ["tools", index];
  if (!isObject(tool))
    return [problem(at, "A tool is an object with a name and the URL of its tool server.")];
  const { name, mcp_server_url: url } = tool;
  return [
    ...(typeof name === "string" && name.trim() !== ""
      ? []
      : [problem([...at, "name"], "A tool needs a name.")]),
    ...(typeof url === "string" && /^https?:$/.test(URL.parse(url)?.protocol ?? "")
      ? []
      : [problem([...at, "mcp_server_url"], "A tool needs the http(s) address of its tool server.")]),
  ];
}

function configProblems(config: unknown): readonly ValueProblem[] {
  const at = ["interrupt_config"];
  if (!isObject(config)) return [problem(at, "This is an object: true or false by server URL and tool.")];
  return Object.entries(config).flatMap(([key, value]) =>
    typeof value === "boolean" ? [] : [problem([...at, key], "This is true (ask a person first) or false.")],
  );
}

function problem(path: ValueProblem["path"], message: string): ValueProblem {
  return { path, message };
}

function toolKey(url: unknown, name: unknown): string {
  return `${sameServer(String(url))}::${String(name)}`;
}

/** Parts after the tool's name do not count. */
function keyOfInterrupt(key: string): string {
  const [url, name] = key.split("::");
  return toolKey(url, name);
}
