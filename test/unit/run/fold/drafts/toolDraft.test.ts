import { strict as assert } from "node:assert";
import { TranscriptFold } from "../../../../../src/run/fold/fold.ts";
import { ToolDraft } from "../../../../../src/run/fold/drafts/toolDraft.ts";

const shown = (tool: ToolDraft): ReturnType<ToolDraft["build"]> => tool.build();

describe("A tool call while it still changes", () => {
  let tool: ToolDraft;

  beforeEach(() => (tool = new ToolDraft("t", 1, "", "", "r")));

  it("has the name that came first, as long as it has arguments", () => {
    tool.extend("find", "");
    assert.equal(shown(tool).name, "find");
    tool.extend("search", '{"a"');
    assert.equal(shown(tool).name, "search");
    tool.extend("other", ":1}");
    tool.extend(undefined, "");
    assert.deepEqual([shown(tool).name, shown(tool).args], ["search", '{"a":1}']);
  });

  it("changes only when something is told that was not known", () => {
    assert.equal(tool.replaceArgs("{}"), true);
    assert.equal(tool.replaceArgs("{}"), false);
    assert.equal(tool.call("find", "{ }", 1000), true);
    assert.equal(tool.call("find", "{}", 2000), false);
    assert.equal(tool.replaceArgs('{"late":1}'), false);
    assert.deepEqual([shown(tool).args, shown(tool).status, shown(tool).startedAt], ["{}", "running", 1000]);
    assert.equal(tool.finish({ result: "found" }, false, 3000), true);
    assert.equal(tool.finish({ result: "found" }, false, 4000), false);
    assert.deepEqual([shown(tool).status, shown(tool).endedAt], ["done", 3000]);
    assert.equal(tool.finish({ result: "found" }, true, 5000), true);
    assert.deepEqual([shown(tool).status, shown(tool).endedAt], ["error", 3000]);
    assert.equal(tool.finish({ result: "other" }, true, 6000), true);
    assert.equal(shown(tool).result, "other");
  });

  it("that was never seen to start has no end", () => {
    tool.call("find", "{}", undefined);
    tool.finish({ result: "found" }, false, 3000);
    assert.deepEqual([shown(tool).startedAt, shown(tool).endedAt], [undefined, undefined]);
  });
});

describe("A lane of a run", () => {
  const times = (replayed: boolean): readonly unknown[] => {
    const fold = new TranscriptFold();
    fold.open({ runId: "r", assistantId: "a", status: "pending" });
    const data = JSON.stringify({ node: { messages: [{ id: "m", type: "ai", content: "Hi" }] } });
    fold.run("r").apply([{ event: "updates|s:1", data }], 1000, replayed);
    fold.run("r").apply([{ event: "updates", data: '{"s":null}' }], 5000, replayed);
    return fold.entries().flatMap((entry) => (entry.kind === "lane" ? [entry.startedAt, entry.endedAt] : []));
  };

  it("ends at a time when it is known when it started, and else at none", () => {
    assert.deepEqual(times(false), [1000, 5000]);
    assert.deepEqual(times(true), [undefined, undefined]);
  });
});
