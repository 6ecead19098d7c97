import { deepEqual, equal } from "node:assert/strict";

import { type Match, patternOf, TranscriptSearch } from "../../../../src/run/panel/search.ts";
import type { Entry } from "../../../../src/run/panel/transcript.ts";

const lane = "";
const said = (id: string, text: string): Entry => ({
  ...{ kind: "message", id, lane, role: "ai", streaming: false },
  text,
});
const begun = { lane, runId: "r" } as const;

/** One entry of every kind, with what is to be found of it. */
const kinds: readonly (readonly [found: readonly string[], entry: Entry])[] = [
  [
    ["failed because"],
    { kind: "run", id: "1", runId: "r", assistantId: "a", status: "error", error: "failed because" },
  ],
  [["bold words"], said("2", "some **bold** words")],
  [
    ["fetch", '"url": "x"', "answer", '"rows": 3'],
    {
      ...{ kind: "tool", id: "3", lane, name: "fetch", args: '{"url":"x"}', result: "the answer" },
      ...{ artifact: '{"rows":3}', status: "done" },
    },
  ],
  [
    ["draft", '"text": 1'],
    { kind: "step", id: "4", lane, name: "draft", status: "done", keys: [], wrote: '{"text":1}' },
  ],
  [['"topic": "Tides"'], { kind: "values", id: "5", lane, of: "input", keys: [], text: '{"topic":"Tides"}' }],
  [['"share": 2'], { kind: "custom", id: "6", lane, count: 1, latest: { share: 2 }, firstEvent: 0 }],
  [["clerk"], { kind: "lane", id: "7", ...begun, lane: "l", parent: "", name: "clerk", status: "done" }],
  [
    ["mind this", "stack"],
    { kind: "notice", id: "8", lane, level: "info", text: "mind this", detail: "a stack" },
  ],
  [
    ["Which one?", "this one"],
    {
      ...{ kind: "interrupt", id: "9", lane, requests: [], value: {}, state: "answered", answer: "this one" },
      question: { text: "Which one?", options: [], several: false },
    },
  ],
  [
    ["drop_table", "Careful now", "users"],
    {
      ...{ kind: "interrupt", id: "10", lane, value: {}, state: "open" },
      requests: [{ name: "drop_table", args: { table: "users" }, description: "Careful now", allowed: [] }],
    },
  ],
];

describe("Search in a transcript", () => {
  it("looks at what is shown of every kind of entry", () => {
    const entries = kinds.map(([, entry]) => entry);
    for (const [found, { id }] of kinds)
      for (const text of found) {
        const search = searched(text, entries);
        deepEqual([search.next(1)?.entry.id, search.total], [id, 1], text);
      }
  });

  it("goes through the matches of an entry, and from entry to entry around the ends", () => {
    const search = searched("a", [said("1", "a a"), said("2", "b"), said("3", "a")]);
    const way = (direction: 1 | -1): readonly string[] => {
      let match: Match | undefined;
      return Array.from({ length: 4 }, () => {
        match = search.next(direction, match && { id: match.entry.id, nth: match.nth });
        return `${match?.entry.id}.${match?.nth} ${match?.index}`;
      });
    };
    deepEqual(way(1), ["1.0 0", "1.1 1", "3.0 2", "1.0 0"]);
    deepEqual(way(-1), ["3.0 2", "1.1 1", "1.0 0", "3.0 2"]);
    equal(search.next(1, { id: "2", nth: -1 })?.entry.id, "3");
    equal(search.next(1, { id: "3", nth: -1 })?.index, 2);
    equal(searched("x", [said("1", "a")]).next(1), undefined);
    equal(searched("x", []).next(-1), undefined);
  });

  it("follows the order in which lanes are shown", () => {
    const head: Entry = { kind: "lane", id: "l", ...begun, lane: "l", parent: "", name: "l", status: "done" };
    const inside: Entry = {
      kind: "message",
      id: "in",
      ...begun,
      lane: "l",
      role: "ai",
      text: "x",
      streaming: false,
    };
    const search = searched("x", [head, said("after", "x"), inside]);
    equal(search.next(1)?.entry.id, "in");
  });

  it("takes what is looked for as words: any spaces, no pattern, case where it is asked for", () => {
    const total = (text: string, entry: string, matchCase = false): number =>
      searched(text, [said("1", entry)], matchCase).total;
    equal(total("a  b", "a\nb"), 1);
    equal(total(".*", "a.*b"), 1);
    equal(total(".*", "anything"), 0);
    equal(total("$(a|b)[c]{2}\\d^?+", "$(a|b)[c]{2}\\d^?+"), 1);
    equal(total("Ä", "ä Ä"), 2);
    equal(total("Ä", "ä Ä", true), 1);
    equal(total("link here", "[link](https://example.com) here"), 1);
    equal(total("snake_case", "a snake_case name"), 1);
    equal(total("**bold**", "**bold**"), 1);
    for (const text of ["", "  "]) equal(patternOf({ text, matchCase: false }), undefined);
  });

  it("reads a long transcript in parts, and only what changed once more", () => {
    const entries = Array.from({ length: 1000 }, (_, index) => said(`${index}`, "x"));
    const search = new TranscriptSearch({ text: "x", matchCase: true }, /x/gu);
    search.take(entries, (entry) => entry);
    let parts = 1;
    while (search.read(() => true)) parts += 1;
    equal(parts, 1001);
    search.take([...entries.slice(0, 999), said("999", "x x")], (entry) => entry);
    equal(
      search.read(() => true),
      true,
    );
    equal(
      search.read(() => true),
      false,
    );
    equal(search.total, 1001);
  });

  it("knows which card hides a match, and how far in it is", () => {
    const tool: Entry = { kind: "tool", id: "t", lane, name: "x", args: "", result: "a x", status: "done" };
    const search = searched("x", [tool]);
    const places = [0, 1].map((nth) => search.placeOf({ entry: tool, nth, index: nth }));
    deepEqual(places, [
      { card: undefined, at: 0 },
      { card: "t", at: 2 },
    ]);
  });
});

function searched(text: string, entries: readonly Entry[], matchCase = false): TranscriptSearch {
  const sought = { text, matchCase };
  const search = new TranscriptSearch(sought, patternOf(sought)!);
  search.take(entries, (entry) => entry);
  search.read(() => false);
  return search;
}
