import type { Json } from "../../api/agentServer/wire.ts";
import { isNestedTooDeep } from "../json/json.ts";
import { type HeaderValue, keyVariable, quoted, type RunCall } from "./call.ts";
import { jsonSpelling, literal, type Spelling } from "./literal.ts";

const spelling: Spelling = { null: "None", true: "True", false: "False", name: quoted };
/** Python reads no more than 200 brackets within each other. */
const mostNested = 150;

/** A run by the platform's Python SDK, as a script. */
export function pythonCode({ url, threadId, headers, body }: RunCall): string {
  const { "x-api-key": key, ...others } = headers;
  const { assistant_id: assistantId, ...payload } = body;
  const imports = [
    ...(Object.values(payload).some(isDeep) ? ["import json"] : []),
    ...(Object.values(headers).some((value) => value.some((part) => "env" in part)) ? ["import os"] : []),
  ];
  return [
    ...imports,
    ...(imports.length > 0 ? [""] : []),
    "from langgraph_sdk import get_sync_client",
    "",
    "client = get_sync_client(",
    `    url=${quoted(url)},`,
    ...(key === undefined ? [] : [`    api_key=${variable(keyVariable)},`]),
    ...headerLines(others),
    ")",
    "for part in client.runs.stream(",
    `    ${quoted(threadId)},`,
    `    ${quoted(assistantId)},`,
    ...Object.entries(payload).map(([name, value]) => `    ${name}=${valueOf(value)},`),
    "):",
    "    print(part.event, part.data)",
    "",
  ].join("\n");
}

function isDeep(value: Json): boolean {
  return isNestedTooDeep(value, mostNested);
}

function valueOf(value: Json): string {
  if (isDeep(value)) return `json.loads(${quoted(literal(value, jsonSpelling))})`;
  return literal(value, spelling, "    ");
}

function headerLines(headers: RunCall["headers"]): readonly string[] {
  const lines = Object.entries(headers).map(([name, value]) => `        ${quoted(name)}: ${textOf(value)},`);
  return lines.length === 0 ? [] : ["    headers={", ...lines, "    },"];
}

function textOf(value: HeaderValue): string {
  return value.map((part) => ("env" in part ? variable(part.env) : quoted(part.text))).join(" + ") || '""';
}

function variable(name: string): string {
  return `os.environ["${name}"]`;
}
