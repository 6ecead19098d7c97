import { equal, match } from "node:assert/strict";
import type { ToolCallMade } from "../../../../src/run/repair/calls.ts";
import type { Effects } from "../../../../src/run/repair/plan.ts";
import { effectsText } from "../../../../src/run/repair/planText.ts";

const nothing: Effects = { first: [], later: [], made: [], waiting: [], isCut: false };
const call = (name: string, args = "{}"): ToolCallMade => ({ name, args }) as ToolCallMade;

describe("What a change of course means, in words", () => {
  it("is all that is known of it, a sentence to a line", () => {
    equal(effectsText(nothing), "No step is left to run after that.\nNo tool was called after this point.");
    const all: Effects = {
      first: [
        { name: "a", again: true },
        { name: "b", again: false },
        { name: "c", again: true },
      ],
      later: ["d", "e"],
      made: [call("send", '{"to":"Ann"}'), call("look")],
      waiting: [call("pay")],
      isCut: true,
    };
    equal(
      effectsText(all),
      [
        "Runs again: a, c.",
        "Runs next: b.",
        "Then, as the graph goes: d, e.",
        "The step answers pay. It may have called them before it failed.",
        'Already called after this point: send {"to":"Ann"}, look. What they did stays done, and they may be called again.',
        "The history is longer than what was read: more tools may have been called.",
      ].join("\n"),
    );
    const first = [{ name: "a", again: false }];
    equal(effectsText({ ...nothing, first, waiting: [call("x")] }).includes("No tool"), false);
    equal(effectsText({ ...nothing, first, made: [call("x")] }).includes("No tool"), false);
  });

  it("names eight calls, and how many more there are", () => {
    const calls = (count: number): string =>
      effectsText({ ...nothing, made: Array.from({ length: count }, (_, at) => call(`t${at}`)) });
    match(calls(8), /: t0, t1, t2, t3, t4, t5, t6, t7\. What/);
    match(calls(9), /, t7, 1 more\. What/);
  });

  it("shows eighty characters of what a tool was called with, and no credentials", () => {
    const text = (args: string): string => effectsText({ ...nothing, made: [call("f", args)] });
    match(text("x".repeat(80)), /f "x{80}"\. /);
    match(text("x".repeat(81)), /f "x{80}…"\. /);
    match(text('{"api_key":"sk-1234567890abcdef12"}'), /f \{"api_key":"•••"\}\. /);
  });
});
