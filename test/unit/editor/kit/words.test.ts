import { doesNotMatch, equal, match } from "node:assert/strict";
import {
  capitalized,
  counted,
  durationText,
  inert,
  isUuid,
  localTime,
} from "../../../../src/editor/kit/words.ts";

/** What the editor makes a link of, in a notification and in a question. */
const link = /\[([^\]]+)\]\(((?:https?:\/\/|command:|file:)[^)\s]+)(?: (["'])(.+?)(\3))?\)/i;

describe("A text that is made inert", () => {
  it("has no link, whatever a server wrote", () => {
    for (const said of ["[Fix it](command:workbench.action.x)", "a [b](https://c.test) [d](file:///e) f"]) {
      match(said, link);
      doesNotMatch(inert(said), link);
    }
  });

  it("reads as it was written", () => {
    equal(inert("a list [1] (of one), f(x)[0]"), "a list [1] (of one), f(x)[0]");
    equal(inert("[a](b)").replaceAll("\u200b", ""), "[a](b)");
  });
});

describe("Numbers and times in words", () => {
  it("count one and many, with what they are", () => {
    equal(counted(1, "row"), "1 row");
    equal(counted(0, "row"), "0 rows");
    equal(counted(1204, "row"), "1,204 rows");
    equal(counted(1, "thread waiting", "threads waiting"), "1 thread waiting");
    equal(counted(1000, "waiting", "waiting"), "1,000 waiting");
  });

  it("begin a sentence with their first letter in upper case", () => {
    equal(["thread ID", "API key", ""].map(capitalized).join(), "Thread ID,API key,");
  });

  it("give a span by its two largest units", () => {
    for (const [ms, text] of [
      [-5, "0 s"],
      [42_400, "42 s"],
      [65_000, "1 min 05 s"],
      [7_380_000, "2 h 03 min"],
    ] as const)
      equal(durationText(ms), text);
  });

  it("keep a time that is none as it was spelled", () => {
    equal(localTime("soon"), "soon");
    equal(localTime(null), "");
    match(localTime("2026-11-22T10:00:00Z"), /2026/);
  });

  it("know a UUID from a name", () => {
    equal(isUuid("00000000-0000-4000-8000-00000000000A"), true);
    equal(isUuid("00000000-0000-4000-8000"), false);
  });
});
