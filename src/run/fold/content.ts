/** A message's content as text: a string, or blocks of many kinds, none of which is dropped. */

import type { Json, JsonObject } from "../../api/agentServer/wire.ts";
import { fieldOf, isList, isObject, textOf } from "../json/json.ts";

/** Which kind of block the text ends in, so that pieces that belong together stay together. */
export type BlockKind = "none" | "text" | "reasoning" | "other";

/** Text so far, and which kind of block it ends in. */
export interface Content {
  readonly text: string;
  readonly last: BlockKind;
}

const longestBlock = 4000;

/** The text of a whole content. */
export function contentText(content: Json | undefined): string {
  return extendContent({ text: "", last: "none" }, content).text;
}

/** The content with another piece of it appended, as streams deliver it. */
export function extendContent(before: Content, piece: Json | undefined): Content {
  if (piece === undefined || piece === null || piece === "") return before;
  if (typeof piece === "string") return join(before, "text", piece);
  if (!isList(piece)) return join(before, "other", fenced(piece));
  let content = before;
  for (const block of piece) content = extendBlock(content, block);
  return content;
}

function extendBlock(before: Content, block: Json): Content {
  if (!isObject(block)) return extendContent(before, block);
  switch (block["type"]) {
    case "text":
    case "output_text":
    case "text_delta":
      return extendContent(before, block["text"]);
    case "reasoning":
    case "thinking": {
      const text = reasoningText(block);
      return text === undefined ? before : join(before, "reasoning", text);
    }
    case "tool_use":
    case "tool_call":
    case "tool_call_chunk":
    case "function_call":
    case "input_json_delta":
      return before;
    default:
      return join(before, "other", fenced(block));
  }
}

function join(before: Content, kind: BlockKind, text: string): Content {
  const opening = kind === "reasoning" ? `*Reasoning:* ${text}` : text;
  if (before.last === "none") return { text: opening, last: kind };
  if (before.last === kind && kind !== "other") return { text: before.text + text, last: kind };
  return { text: `${before.text}\n\n${opening}`, last: kind };
}

function reasoningText(block: JsonObject): string | undefined {
  const text = textOf(fieldOf(block, "reasoning", "thinking", "text"));
  if (text !== undefined) return text;
  const summary = block["summary"];
  if (!isList(summary)) return undefined;
  const parts = summary.map((part) => (isObject(part) ? (textOf(part["text"]) ?? "") : ""));
  return textOf(parts.join("\n\n"));
}

function fenced(value: Json): string {
  const text = JSON.stringify(value, null, 2);
  const cut = text.length <= longestBlock ? text : `${text.slice(0, longestBlock)}…`;
  return `\`\`\`json\n${cut}\n\`\`\``;
}
