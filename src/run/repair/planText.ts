/** What a change of course means, in words, before anything runs. */

import { preview } from "../json/preview.ts";
import { parseJson } from "../json/json.ts";
import { redact } from "../json/redact.ts";
import type { ToolCallMade } from "./calls.ts";
import type { Effects } from "./plan.ts";

const mostCalls = 8;
const longestArguments = 80;

/** A few sentences, one a line. */
export function effectsText({ first, later, made, waiting, isCut }: Effects): string {
  const again = first.filter((node) => node.again).map(({ name }) => name);
  const fresh = first.filter((node) => !node.again).map(({ name }) => name);
  const lines = [
    again.length > 0 ? `Runs again: ${again.join(", ")}.` : "",
    fresh.length > 0 ? `Runs next: ${fresh.join(", ")}.` : "",
    first.length === 0 ? "No step is left to run after that." : "",
    later.length > 0 ? `Then, as the graph goes: ${later.join(", ")}.` : "",
    waiting.length > 0
      ? `The step answers ${callsText(waiting)}. It may have called them before it failed.`
      : "",
    made.length > 0
      ? `Already called after this point: ${callsText(made)}. What they did stays done, and they may be called again.`
      : "",
    made.length === 0 && waiting.length === 0 ? "No tool was called after this point." : "",
    isCut ? "The history is longer than what was read: more tools may have been called." : "",
  ];
  return lines.filter((line) => line !== "").join("\n");
}

function callsText(calls: readonly ToolCallMade[]): string {
  const shown = calls.slice(0, mostCalls).map(({ name, args }) => {
    const short = redact(preview(parseJson(args) ?? args, longestArguments));
    return short === "{}" ? name : `${name} ${short}`;
  });
  const rest = calls.length - shown.length;
  return [...shown, ...(rest > 0 ? [`${rest} more`] : [])].join(", ");
}
