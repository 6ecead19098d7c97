import { strict as assert } from "node:assert";
import { readFile, writeFile } from "node:fs/promises";
import type { Json } from "../../../../src/api/agentServer/wire.ts";
import type { SseEvent } from "../../../../src/api/exchange.ts";
import { TranscriptCopy } from "../../../../src/run/panel/transcriptCopy.ts";
import { TranscriptFold } from "../../../../src/run/fold/fold.ts";
import { goldenPath, transcriptText } from "../../../support/recordings.ts";
import { foldedLanes } from "./foldedLanes.ts";
import { foldedMessages } from "./foldedMessages.ts";
import { foldedPieces } from "./foldedPieces.ts";
import type { Sent } from "./foldedMessages.ts";

/** Set to write the golden entries anew, to be read by a person before they are kept. */
const writing = process.env["WRITE_GOLDEN"] !== undefined;
const table = { ...foldedMessages, ...foldedLanes, ...foldedPieces };

describe("the fold of a run", () => {
  for (const [statement, { sent, shown, ended }] of Object.entries(table)) {
    it(statement, () => {
      const fold = opened();
      const copy = new TranscriptCopy();
      const take = (): void => {
        const patch = fold.ledger.takePatch();
        if (patch !== undefined) copy.apply(patch);
      };
      for (const one of sent) {
        fold.run("r").apply([event(one)], 1000);
        take();
      }
      if (ended !== undefined) fold.settle("r", ended);
      take();
      assert.equal(transcriptText(fold.entries()).replace(/^run .*\n/, ""), `${shown}\n`);
      assert.deepEqual(copy.entries, fold.entries());
    });
  }

  it("has entries that tell all that is known of each of these: lanes, steps, times, tokens, calls", async () => {
    const lines = Object.entries(table).map(([statement, { sent, ended }]) => {
      const fold = opened();
      for (const [index, one] of sent.entries()) fold.run("r").apply([event(one)], 1000 + 10 * index);
      if (ended !== undefined) fold.settle("r", ended, { error: "why" }, 9000);
      return [statement, ...fold.entries().map((entry) => JSON.stringify(entry)), ""].join("\n");
    });
    const golden = goldenPath("folded-entries");
    if (writing) await writeFile(golden, lines.join("\n"));
    assert.equal(lines.join("\n"), await readFile(golden, "utf8"));
  });

  it("shows data that is not JSON as evidence", () => {
    const fold = opened();
    fold.run("r").apply([{ event: "values", data: '{"messages":[' }], 1000);
    assert.match(
      transcriptText(fold.entries()),
      /warning: The server sent “values” data that can't be read\. \{"messages":\[/,
    );
  });

  it("sums up the token counts of all messages, each counted once", () => {
    const fold = opened();
    const usage_metadata = { input_tokens: 5, output_tokens: 2, total_tokens: 7 };
    const told: readonly Sent[] = [
      ["messages", [{ id: "a", type: "ai", content: "x", usage_metadata }, {}]],
      ["updates", { m: { messages: [{ id: "a", type: "ai", content: "x", usage_metadata }] } }],
      ["messages|s:1", [{ id: "b", type: "ai", content: "y", usage_metadata }, {}]],
    ];
    fold.run("r").apply(told.map(event), 1000);
    const [run] = fold.entries();
    assert.deepEqual(run?.kind === "run" && run.usage, { input: 10, output: 4, total: 14 });
  });

  it("measures how long a tool ran, but not in a replay", () => {
    const call = event([
      "updates",
      {
        m: {
          messages: [{ id: "m", type: "ai", content: "", tool_calls: [{ id: "t", name: "f", args: {} }] }],
        },
      },
    ]);
    const answer = event([
      "updates",
      { tools: { messages: [{ type: "tool", tool_call_id: "t", content: "y" }] } },
    ]);
    const times = [false, true].map((replayed) => {
      const fold = opened();
      fold.run("r").apply([call], 1000, replayed);
      fold.run("r").apply([answer], 4500, replayed);
      const tool = fold.entries().find((entry) => entry.kind === "tool");
      return tool?.kind === "tool" ? [tool.startedAt, tool.endedAt] : [];
    });
    assert.deepEqual(times, [
      [1000, 4500],
      [undefined, undefined],
    ]);
  });

  it("tells of a step what it wrote, but for messages", () => {
    const fold = opened();
    const messages = [{ id: "a", type: "ai", content: "x" }];
    for (const told of [
      ["updates", { model: { messages } }],
      ["updates", { grade: { messages: [], score: 7, note: "sk-ant-REDACTED" } }],
    ] as const)
      fold.run("r").apply([event(told)], 1000);
    const steps = fold.entries().flatMap((entry) => (entry.kind === "step" ? [entry] : []));
    assert.deepEqual(
      steps.map(({ name, keys }) => [name, ...keys]),
      [
        ["model", "messages"],
        ["grade", "messages", "score", "note"],
      ],
    );
    assert.equal(steps[0]?.wrote, undefined);
    assert.match(steps[1]?.wrote ?? "", /"score": ?7/);
    assert.doesNotMatch(steps[1]?.wrote ?? "", /messages/);
  });

  it("has a step for each node that reports, but for what is told again out of a cache", () => {
    const steps = (cached: boolean | undefined) => {
      const fold = opened();
      const metadata = cached === undefined ? {} : { __metadata__: { cached } };
      const messages = [{ id: "a", type: "ai", content: "x" }];
      fold.run("r").apply([event(["updates", { ...metadata, model: { messages } }])], 1000);
      const kinds = fold.entries().map(({ kind }) => kind);
      assert.ok(kinds.includes("message"), String(cached));
      return kinds.filter((kind) => kind === "step").length;
    };
    assert.deepEqual([steps(undefined), steps(false), steps(true)], [1, 1, 0]);
  });

  it("shows what a run was given beside messages, be it an object or not", () => {
    const given = (input: Json) => {
      const fold = new TranscriptFold();
      fold.open({ runId: "r", assistantId: "agent", status: "pending" }, input);
      return fold
        .entries()
        .flatMap((entry) => (entry.kind === "values" ? [[entry.of, ...entry.keys, entry.text]] : []));
    };
    assert.deepEqual(given({ messages: [{ role: "user", content: "Hi" }] }), []);
    assert.deepEqual(given({ messages: [], topic: "Tides", none: null }), [
      ["input", "topic", "none", '{"topic":"Tides","none":null}'],
    ]);
    assert.deepEqual(given("Tides"), [["input", "input", '{"input":"Tides"}']]);
    assert.deepEqual([given(null), given({})], [[], []]);
  });

  it("says once why a run failed, below the step that failed where that is known later", () => {
    const fold = opened();
    fold
      .run("r")
      .apply([event(["updates", { model: { n: 1 } }]), event(["error", { message: "no disk" }])], 1000);
    fold.noteFailure("r", "no disk");
    assert.equal(fold.hasFailed("r"), true);
    const errors = fold.entries().filter((entry) => entry.kind === "notice");
    assert.deepEqual(
      errors.map((entry) => [entry.level, entry.text]),
      [["error", "no disk"]],
    );
    const [run] = fold.entries();
    assert.equal(run?.kind === "run" && run.error, "no disk");
    assert.equal(opened().hasFailed("r"), false);
  });

  it("knows who runs a run, of the newest where that one is not known", () => {
    const fold = opened();
    fold.open({ runId: "s", assistantId: "other", status: "pending" });
    assert.deepEqual(
      [fold.assistantOf("r"), fold.assistantOf("gone"), fold.assistantOf(undefined)],
      ["agent", "other", "other"],
    );
    assert.equal(new TranscriptFold().assistantOf("r"), undefined);
  });

  it("writes a notice at the end of a run, of the newest one, or above all where nothing ran", () => {
    const fold = new TranscriptFold();
    fold.notice({ level: "info", text: "early" });
    for (const runId of ["r", "s"]) fold.open({ runId, assistantId: "agent", status: "pending" });
    fold.notice({ level: "info", text: "of the newest" });
    fold.notice({ level: "info", text: "of the first" }, "r");
    fold.notice({ level: "info", text: "of no run" }, "gone");
    fold.noteThread({ level: "info", text: "of the thread" });
    assert.equal(
      transcriptText(fold.entries()),
      "info: early\ninfo: of no run\ninfo: of the thread\nrun pending\ninfo: of the first\nrun pending\ninfo: of the newest\n",
    );
  });

  it("counts a notice that repeats the one before it, and keeps the newest evidence, cut and without secrets", () => {
    const fold = opened();
    for (const detail of ["one", `{"api_key":"hidden"} ${"x".repeat(5000)}`])
      fold.notice({ level: "info", text: "again", detail }, "r");
    fold.notice({ level: "warning", text: "again" }, "r");
    const shown = fold.entries().flatMap((entry) => (entry.kind === "notice" ? [entry] : []));
    assert.deepEqual(
      shown.map(({ level, text }) => [level, text]),
      [
        ["info", "again (2 times)"],
        ["warning", "again"],
      ],
    );
    const detail = shown[0]?.detail ?? "";
    assert.equal(detail.length, 4001);
    assert.doesNotMatch(detail, /hidden/);
  });

  it("refuses events of a run that nobody opened", () => {
    assert.throws(() => new TranscriptFold().run("r").apply([], 1000), RangeError);
  });

  it("has the name of who wrote a message, whether it came in pieces or as a whole", () => {
    const told: readonly Sent[] = [
      ["messages", [{ id: "a", type: "ai", name: "critic", content: "x" }, {}]],
      ["updates", { m: { messages: [{ id: "b", type: "ai", name: "writer", content: "y" }] } }],
    ];
    const fold = opened();
    fold.run("r").apply(told.map(event), 1000);
    const names = fold.entries().flatMap((entry) => (entry.kind === "message" ? [entry.name] : []));
    assert.deepEqual(names, ["critic", "writer"]);
  });

  it("has the feedback of each run in a row of its own", () => {
    const fold = new TranscriptFold();
    for (const runId of ["r1", "r2"]) {
      fold.open({ runId, assistantId: "a", status: "pending" });
      fold.run(runId).apply([event(["feedback", { score: `https://f.example/${runId}` }])], 1000);
    }
    const rows = fold.entries().filter(({ kind }) => kind === "feedback");
    assert.deepEqual(
      rows.map(({ id }) => id),
      ["feedback:r1", "feedback:r2"],
    );
    assert.deepEqual(
      ["r1", "r2"].map((runId) => fold.feedback.get(runId, "score")?.url),
      ["https://f.example/r1", "https://f.example/r2"],
    );
  });

  it("keeps the addresses of feedback keys out of entries, patches and the raw list", () => {
    const fold = opened();
    const url = "https://feedback.example.com/feedback/tokens/s3cret";
    fold.run("r").apply([event(["feedback", { score: url }])], 1000);
    assert.equal(fold.feedback.get("r", "score")?.url, url);
    const shown = JSON.stringify([
      fold.entries(),
      fold.ledger.takePatch(),
      fold.search("", 0, 10),
      fold.search("s3cret", 0, 10),
    ]);
    assert.ok(!shown.includes("s3cret"));
    assert.match(shown, /score/);
    assert.equal(fold.search("score", 0, 10).events[0]?.data, '{"score":"•••"}');
  });

  it("keeps two runs of a thread apart while both stream", () => {
    const fold = opened();
    fold.open({ runId: "s", assistantId: "agent", status: "pending" });
    fold.run("r").apply([event(["messages", [{ id: "1", type: "ai", content: "first" }, {}]])], 1000);
    fold.run("s").apply([event(["messages", [{ id: "2", type: "ai", content: "second" }, {}]])], 1001);
    fold.run("r").apply([event(["messages", [{ id: "1", type: "ai", content: " run" }, {}]])], 1002);
    fold.settle("r", "interrupted");
    assert.equal(
      transcriptText(fold.entries()),
      "run interrupted\nai: first run (partial)\nrun pending\nai: second …\n",
    );
  });
});

function opened(): TranscriptFold {
  const fold = new TranscriptFold();
  fold.open({ runId: "r", assistantId: "agent", status: "running" });
  return fold;
}

function event([name, data]: Sent): SseEvent {
  return { event: name, data: JSON.stringify(data) };
}
