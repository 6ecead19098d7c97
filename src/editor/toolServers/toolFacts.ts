/** What a tool says of itself, in words; nothing makes it keep its word. */

import type { Tool, ToolAnnotations } from "../../api/managedAgents/toolServers.ts";

/** The annotations in a few words, the one that matters most first. */
export function annotationWords(annotations: ToolAnnotations = {}): readonly string[] {
  const { readOnlyHint, destructiveHint, idempotentHint, openWorldHint } = annotations;
  return [
    destructiveHint === true && readOnlyHint !== true ? "destructive" : "",
    readOnlyHint === true ? "read-only" : "",
    idempotentHint === true && readOnlyHint !== true ? "idempotent" : "",
    openWorldHint === true ? "open world" : "",
  ].filter((word) => word !== "");
}

/** Whether a person had better be asked before it is used: tools that say nothing count as destructive, as in MCP. */
export function mayDestroy({ annotations = {} }: Tool): boolean {
  return annotations.readOnlyHint !== true && annotations.destructiveHint !== false;
}

/** What the tool is called for people. */
export function toolTitle({ name, title, annotations }: Tool): string {
  return [title, annotations?.title].find((text) => text !== undefined && text.trim() !== "") ?? name;
}
