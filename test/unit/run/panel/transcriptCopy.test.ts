import { deepEqual, equal, notEqual } from "node:assert/strict";
import type { Entry } from "../../../../src/run/panel/transcript.ts";
import { TranscriptCopy } from "../../../../src/run/panel/transcriptCopy.ts";

const message = (id: string, text: string): Entry => ({
  kind: "message",
  id,
  lane: "",
  role: "ai",
  text,
  streaming: true,
});
const texts = (copy: TranscriptCopy) =>
  copy.entries.map((entry) => (entry.kind === "message" ? entry.text : entry.kind));

describe("The page's copy of a transcript", () => {
  it("is the same list while a text grows, with the text as it is now", () => {
    const copy = new TranscriptCopy([message("a", "one"), message("b", "two")]);
    const { entries } = copy;
    const [, before] = entries;
    copy.apply({ set: [], append: [{ id: "b", text: " three" }] });
    equal(copy.entries, entries);
    deepEqual(texts(copy), ["one", "two three"]);
    notEqual(copy.entries[1], before, "what was drawn before is not changed");
    deepEqual(before && copy.newest(before), message("b", "two three"));
  });

  it("is another list once something is set, moved, or begins to say something", () => {
    const copy = new TranscriptCopy([message("a", "one"), message("b", "")]);
    const lists = [copy.entries];
    copy.apply({ set: [], append: [{ id: "b", text: "two" }] });
    lists.push(copy.entries);
    copy.apply({ set: [message("c", "three"), message("a", "1")], append: [{ id: "c", text: "!" }] });
    lists.push(copy.entries);
    copy.apply({ set: [], append: [], order: ["c", "b", "a"] });
    lists.push(copy.entries);
    equal(new Set(lists).size, 4);
    deepEqual(texts(copy), ["three!", "two", "1"]);
    copy.apply({ set: [], append: [{ id: "b", text: "?" }] });
    deepEqual(texts(copy), ["three!", "two?", "1"], "a moved entry is found again");
  });

  it("has no entry any more that the order leaves out", () => {
    const copy = new TranscriptCopy([message("a", "one"), message("b", "two"), message("c", "three")]);
    copy.apply({ set: [message("d", "four")], append: [], order: ["c", "d", "a"] });
    deepEqual(texts(copy), ["three", "four", "one"]);
    copy.apply({ set: [], append: [{ id: "b", text: "?" }] });
    deepEqual(texts(copy), ["three", "four", "one"]);
  });

  it("takes no text for an entry that it does not have", () => {
    const copy = new TranscriptCopy([message("a", "one")]);
    copy.apply({ set: [], append: [{ id: "gone", text: "x" }] });
    deepEqual(texts(copy), ["one"]);
    deepEqual(copy.newest(message("gone", "y")), message("gone", "y"));
  });
});
