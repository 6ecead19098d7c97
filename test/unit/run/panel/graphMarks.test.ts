import { strict as assert } from "node:assert";

import { nodeId, nodeMarks } from "../../../../src/run/panel/graphMarks.ts";
import type { Entry } from "../../../../src/run/panel/transcript.ts";

const run = (runId: string): Entry => ({
  ...{ kind: "run", id: `run:${runId}`, runId, assistantId: "a", status: "success" },
});
const step = (runId: string, id: string, name: string, lane = "", endedAt?: number): Entry => ({
  ...{ kind: "step", id, runId, lane, name, keys: [], startedAt: 100 },
  ...(endedAt === undefined ? { status: "running" } : { status: "done", endedAt }),
});
const said = (runId: string, lane: string, total: number): Entry => ({
  ...{ kind: "message", id: `m${total}`, runId, lane, role: "ai", text: "", streaming: false },
  usage: { input: 0, output: total, total },
});

describe("What ran of a graph", () => {
  it("is told of each node: how it stands, how often, how long, its tokens and its newest step", () => {
    const entries = [
      ...[run("1"), step("1", "s1", "plan", "", 150), said("1", "", 7)],
      ...[step("1", "s2", "plan", "", 130), said("1", "", 5), step("1", "s3", "act")],
    ];
    const marks = nodeMarks(entries, "newest");
    assert.deepEqual(marks.get("plan"), {
      ...{ status: "done", times: 2, ms: 80, tokens: 12, step: "s2", runningSince: undefined },
    });
    assert.deepEqual(marks.get("act"), {
      ...{ status: "running", times: 1, ms: undefined, tokens: undefined, step: "s3", runningSince: 100 },
    });
  });

  it("names nodes of subgraphs by the nodes around them, which bear their tokens, too", () => {
    const lane = "team:1|writer:2";
    assert.equal(nodeId(lane, "model"), "team:writer:model");
    const entries = [
      ...[run("1"), step("1", "a", "team"), step("1", "b", "writer", "team:1")],
      ...[step("1", "c", "model", lane, 200), said("1", lane, 9)],
    ];
    const marks = nodeMarks(entries, "newest");
    const tokens = ["team", "team:writer", "team:writer:model"].map((id) => marks.get(id)?.tokens);
    assert.deepEqual(tokens, [9, 9, 9]);
  });

  it("is of the newest run alone, or of all", () => {
    const entries = [run("1"), step("1", "s1", "plan", "", 150), run("2"), step("2", "s2", "act", "", 150)];
    assert.deepEqual([...nodeMarks(entries, "newest").keys()], ["act"]);
    assert.deepEqual([...nodeMarks(entries, "all").keys()], ["plan", "act"]);
  });

  it("says of a step whose question is open that it waits", () => {
    const lane = "ask:1";
    const asking: Entry = { ...step("1", "s1", "ask"), status: "interrupted" } as Entry;
    const question: Entry = {
      ...{ kind: "interrupt", id: "i", runId: "1", lane: "", requests: [], value: null, state: "open" },
    };
    assert.equal(nodeMarks([run("1"), asking, question], "newest").get("ask")?.status, "waiting");
    assert.equal(nodeMarks([run("1"), asking], "newest").get("ask")?.status, "interrupted");
    assert.equal(nodeId(lane, "x"), "ask:x");
  });
});
