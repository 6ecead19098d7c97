import { strict as assert } from "node:assert";
import { rows } from "../../../../src/run/panel/transcriptCopy.ts";
import type { Entry } from "../../../../src/run/panel/transcript.ts";

const entries: readonly Entry[] = [
  { kind: "run", id: "run:r", runId: "r", assistantId: "a", status: "running" },
  lane("outer", ""),
  lane("outer|inner", "outer"),
  message("1", "outer|inner"),
  message("2", ""),
  message("3", "outer"),
  message("4", "outer|inner"),
  message("5", "lost"),
];

describe("the rows of a transcript", () => {
  it("put each lane's entries below its header, in the root's order", () => {
    assert.deepEqual(lines(new Set()), [
      "0 run:r",
      "0 outer (4)",
      "1 outer|inner (2)",
      "2 1",
      "2 4",
      "1 3",
      "0 2",
      "0 5",
    ]);
  });

  it("leave out what is in a collapsed lane", () => {
    assert.deepEqual(lines(new Set(["outer|inner"])), [
      "0 run:r",
      "0 outer (4)",
      "1 outer|inner (2) collapsed",
      "1 3",
      "0 2",
      "0 5",
    ]);
    assert.deepEqual(lines(new Set(["outer"])), ["0 run:r", "0 outer (4) collapsed", "0 2", "0 5"]);
  });

  it("keep the lanes of one run apart from those of another", () => {
    const other: Entry = { ...lane("outer", ""), id: "other", runId: "s" };
    const said: Entry = { ...message("6", "outer"), runId: "s" };
    const shown = rows([...entries, other, said], new Set()).map(
      ({ entry, depth }) => `${depth} ${entry.id}`,
    );
    assert.deepEqual(shown.slice(-2), ["0 other", "1 6"]);
  });
});

function lines(collapsed: ReadonlySet<string>): readonly string[] {
  return rows(entries, collapsed).map((row) =>
    [
      row.depth,
      row.entry.id,
      row.size === undefined ? "" : `(${row.size})`,
      row.collapsed === true ? "collapsed" : "",
    ]
      .filter((part) => part !== "")
      .join(" "),
  );
}

function lane(path: string, parent: string): Extract<Entry, { kind: "lane" }> {
  return { kind: "lane", id: path, runId: "r", lane: path, parent, name: path, status: "running" };
}

function message(id: string, path: string): Extract<Entry, { kind: "message" }> {
  return { kind: "message", id, runId: "r", lane: path, role: "ai", text: id, streaming: false };
}
