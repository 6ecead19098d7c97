import { doesNotMatch, equal, match } from "node:assert/strict";
import { inert } from "../../../src/editor/kit/words.ts";

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
