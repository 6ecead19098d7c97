import { strict as assert } from "node:assert";
import type { Json } from "../../../../src/api/agentServer/wire.ts";
import { TranscriptFold } from "../../../../src/run/fold/fold.ts";
import { type KeptRun } from "../../../../src/run/history/keptRuns.ts";
import type { KeptStep } from "../../../../src/run/history/keptSteps.ts";
import { TranscriptCopy } from "../../../../src/run/panel/transcriptCopy.ts";
import { wholeTranscriptText } from "../../../support/recordings.ts";
import { kept, step } from "./keptFacts.ts";

interface Facts {
  readonly root: KeptRun;
  readonly lanes?: Readonly<Record<string, KeptRun>>;
  readonly unkept?: readonly string[];
  readonly status?: string;
}

/** What is shown of a run of which nobody streams any more. */
function brought({ root, lanes = {}, unkept = [], status = "success" }: Facts): TranscriptFold {
  const fold = new TranscriptFold();
  fold.open({ runId: "r", assistantId: "a", status }, {});
  const copy = new TranscriptCopy();
  const keep = (part: KeptRun, inner: ReadonlyMap<string, KeptRun>): void => {
    fold.keep({ root: part, lanes: inner, unkept: new Set(unkept) });
    const patch = fold.ledger.takePatch();
    if (patch !== undefined) copy.apply(patch);
    assert.deepEqual(copy.entries, fold.entries());
  };
  keep(root, new Map());
  keep(root, new Map(Object.entries(lanes)));
  const entries = fold.entries();
  keep(root, new Map(Object.entries(lanes)));
  assert.deepEqual(fold.entries(), entries);
  return fold;
}

const text = (facts: Facts): string => wholeTranscriptText(brought(facts).entries());

describe("what a server keeps of a run", () => {
  it("is how each subgraph stands: by its last step, or the worst of them", () => {
    const lane = (...statuses: readonly KeptStep["status"][]): unknown => {
      const steps = statuses.map((status, at) =>
        step(String(at), "m", status, { startedAt: at, endedAt: at + 1 }),
      );
      const root = kept([step("1", "web", "done")]);
      const shown = brought({ root, lanes: { "web:1": kept(steps) } }).entries();
      const [found] = shown.flatMap((entry) => (entry.kind === "lane" ? [entry] : []));
      return [found?.status, found?.startedAt, found?.endedAt];
    };
    assert.deepEqual(lane("done", "done"), ["done", 0, 2]);
    assert.deepEqual(lane("done", "error"), ["error", 0, 2]);
    assert.deepEqual(lane("error", "done"), ["done", 0, 2]);
    assert.deepEqual(lane("stopped", "interrupted"), ["interrupted", 0, 2]);
    assert.deepEqual(lane("done", "running"), ["running", 0, undefined]);
  });

  it("is which tool call a subgraph works on, where its step answered only one", () => {
    const args = { subagent_type: "critic", description: "Check it" };
    const call = { type: "ai", id: "m", content: "", tool_calls: [{ id: "c", name: "task", args }] };
    const named = (...answers: readonly string[]): unknown => {
      const messages: readonly Json[] = answers.map((id) => ({
        type: "tool",
        tool_call_id: id,
        content: "x",
      }));
      const root = kept([
        step("0", "model", "done", { messages: [call] }),
        step("1", "agent", "done", { messages }),
      ]);
      const facts = { root, lanes: { "agent:1": kept([step("2", "m", "done")]) } };
      const [found] = brought(facts)
        .entries()
        .flatMap((entry) => (entry.kind === "lane" ? [entry] : []));
      return [found?.name, found?.task];
    };
    assert.deepEqual(named("c"), ["critic", "Check it"]);
    assert.deepEqual(named("c", "d"), ["agent", undefined]);
    assert.deepEqual(named(), ["agent", undefined]);
  });

  it("is what each subgraph said, in its lane, also where the graph around it says it again", () => {
    const said = { type: "ai", id: "m", content: "Found" };
    const root = kept([step("1", "outer", "done", { messages: [said] })]);
    const lanes = {
      "outer:1": kept([step("2", "inner", "done", { messages: [said] })]),
      "outer:1|inner:2": kept([step("3", "model", "done", { messages: [said] })]),
    };
    assert.equal(
      text({ root, lanes }),
      [
        ...["run success", "step outer done", "lane outer done", "  step inner done", "  lane inner done"],
        ...["    step model done", "    ai: Found", ""],
      ].join("\n"),
    );
  });

  it("is why and where it failed, and the node that failed", () => {
    const root = kept([
      step("1", "model", "done"),
      step("2", "send", "error", { error: { message: "no mail" } }),
    ]);
    const fold = brought({ root, status: "error" });
    assert.match(
      wholeTranscriptText(fold.entries()),
      /^run error\nstep model done\nstep send error\nerror: no mail /,
    );
    const [run] = fold.entries();
    assert.equal(run?.kind === "run" && run.error, "no mail");
    const notices = fold.entries().flatMap((entry) => (entry.kind === "notice" ? [entry] : []));
    assert.deepEqual(
      notices.map(({ node, text: line }) => [node, line]),
      [["send", "no mail"]],
    );
    const silent = text({ root: kept([step("1", "send", "error")]), status: "error" });
    assert.match(silent, /error: The run failed; the server does not keep why\.\n$/);
    const inner = { "web:1": kept([step("2", "m", "error", { error: "inner" })]) };
    assert.doesNotMatch(text({ root: kept([step("1", "web", "done")]), lanes: inner }), /error: /);
  });

  it("finds the reason that its stream told without saying where, and says it once", () => {
    const fold = new TranscriptFold();
    fold.open({ runId: "r", assistantId: "a", status: "running" }, {});
    fold.run("r").apply([{ event: "error", data: '{"message":"no mail"}' }], 1000);
    fold.keep({
      root: kept([step("1", "send", "error", { error: "no mail" })]),
      lanes: new Map(),
      unkept: new Set(),
    });
    assert.match(wholeTranscriptText(fold.entries()), /^run error\nstep send error\nerror: no mail[^\n]*\n$/);
  });

  it("finds it, too, where the server kept only a later one, whatever is told first", () => {
    const events = [{ event: "error", data: '{"message":"no mail"}' }];
    const root = kept([step("1", "send", "error")]);
    for (const isKeptFirst of [false, true]) {
      const fold = new TranscriptFold();
      fold.open({ runId: "r", assistantId: "a", status: "running" }, {});
      if (!isKeptFirst) fold.run("r").apply(events, 1000);
      fold.keep({ root, lanes: new Map(), unkept: new Set() });
      if (isKeptFirst) fold.run("r").apply(events, 1000);
      fold.keep({ root, lanes: new Map(), unkept: new Set() });
      assert.match(
        wholeTranscriptText(fold.entries()),
        /^run error\nstep send error\nerror: no mail[^\n]*\n$/,
      );
      const [run] = fold.entries();
      assert.equal(run?.kind === "run" && run.error, "no mail");
    }
  });

  it("has no call that goes on where it is over: it waits with its run's question, or never ran", () => {
    const call = { type: "ai", id: "m", tool_calls: [{ id: "c", name: "send", args: {} }] };
    const root = kept([step("1", "model", "done", { messages: [call] })]);
    assert.match(text({ root }), /tool send \{\} stopped/);
    const question = step("2", "ask", "interrupted", { questions: [{ id: "q", value: "Sure?" }] });
    assert.match(text({ root: kept([...root.steps, question]) }), /tool send \{\} pending/);
  });

  it("is the breakpoint at which it stopped, once, and who went on from it", () => {
    const root = kept([step("1", "model", "done")], { stoppedBefore: ["send"] });
    const shown = (fold: TranscriptFold) =>
      fold.entries().flatMap((entry) => (entry.kind === "interrupt" ? [[entry.next, entry.state]] : []));
    assert.deepEqual(shown(brought({ root })), [[["send"], "open"]]);
    const fold = new TranscriptFold();
    fold.open({ runId: "r", assistantId: "a", status: "success" }, {});
    fold.run("r").apply([{ event: "updates", data: '{"__interrupt__":[]}' }], 1000, true);
    fold.open({ runId: "s", assistantId: "a", status: "success" }, null);
    fold.keep({ root, lanes: new Map(), unkept: new Set() });
    assert.deepEqual(shown(fold), [[["send"], "answered"]]);
    const message = { type: "ai", id: "m", content: "Ho" };
    const first = new TranscriptFold();
    first.open({ runId: "r", assistantId: "a", status: "success" }, {});
    first.keep({ root, lanes: new Map(), unkept: new Set() });
    first
      .run("r")
      .apply([{ event: "updates", data: JSON.stringify({ model: { messages: [message] } }) }], 1000, true);
    first.keep({
      root: { ...root, end: { checkpointId: "c", rest: { keys: ["n"], text: "1" } } },
      lanes: new Map(),
      unkept: new Set(),
    });
    assert.deepEqual(
      first.entries().map(({ kind }) => kind),
      ["run", "step", "message", "interrupt", "values"],
    );
    const later = new TranscriptFold();
    later.open({ runId: "r", assistantId: "a", status: "success" }, {});
    later.open({ runId: "s", assistantId: "a", status: "success" }, null);
    later.keep({ root, lanes: new Map(), unkept: new Set() });
    assert.deepEqual(shown(later), [[["send"], "answered"]]);
  });

  it("is said once of a question that the server does not keep", () => {
    const shown = text({ root: kept([step("1", "ask", "interrupted", { lostQuestion: true })]) });
    assert.match(
      shown,
      /^run success\nstep ask interrupted\ninfo: It asked a question here that the server does not keep[^\n]*\n$/,
    );
  });

  it("is its questions below the steps that asked them", () => {
    const questions = [{ id: "q", value: "Sure?" }];
    const root = kept([step("1", "ask", "interrupted", { questions }), step("2", "beside", "done")]);
    assert.match(text({ root }), /step ask interrupted\ninterrupt open: "Sure\?"\nstep beside done\n/);
  });

  it("is what the state held at its end, unless it goes on or waits", () => {
    const end = { checkpointId: "c", rest: { keys: ["messages", "n"], text: '{"n":1}' } };
    const shown = (status: string, ...steps: readonly KeptStep[]): boolean =>
      text({ root: kept(steps, { end }), status }).endsWith('result {"n":1}\n');
    assert.equal(shown("success", step("1", "model", "done")), true);
    assert.equal(shown("error"), true);
    assert.equal(shown("running", step("1", "model", "done")), false);
    assert.equal(shown("success", step("1", "model", "done"), step("2", "ask", "interrupted")), false);
    const nothing = kept([], { end: { checkpointId: "c", rest: { keys: ["messages"], text: undefined } } });
    assert.equal(text({ root: nothing }), "run success\n");
  });

  it("is how much of it the thread left behind, and which steps can't be compared", () => {
    const root = kept([step("1", "web", "done"), step("2", "gone", "stopped", { after: undefined })], {
      left: "part",
    });
    const lanes = { "web:1": kept([step("3", "m", "done", { after: undefined })]) };
    const entries = brought({ root, lanes, unkept: ["web:1"] }).entries();
    const [run] = entries;
    assert.equal(run?.kind === "run" && run.left, "part");
    assert.deepEqual(
      entries.flatMap((entry) =>
        entry.kind === "step" ? [[entry.name, entry.checkpoints, entry.unkept]] : [],
      ),
      [
        ["web", { before: "a", after: "b" }, undefined],
        ["m", undefined, "The server keeps no state after this step to compare."],
        [
          "gone",
          undefined,
          "The server keeps nothing that this step left before it ended: the state stayed as it was.",
        ],
      ],
    );
  });

  it("are no steps without a name, but in subgraphs whose nodes nobody can tell", () => {
    const nameless = step("1", "", "done", { messages: [{ type: "ai", id: "m", content: "Said" }] });
    assert.equal(text({ root: kept([nameless]) }), "run success\nai: Said\n");
    assert.equal(
      text({ root: kept([step("1", "web", "done")]), lanes: { "web:1": kept([nameless]) } }),
      "run success\nstep web done\nlane web done\n  ai: Said\n",
    );
  });

  it("says of steps that are over, where it keeps no states at all", () => {
    const fold = new TranscriptFold();
    fold.open({ runId: "r", assistantId: "a", status: "running" }, {});
    for (const data of [
      '{"id":"1","name":"done"}',
      '{"id":"1","name":"done","result":[]}',
      '{"id":"2","name":"going"}',
    ])
      fold.run("r").apply([{ event: "tasks", data }], 1000);
    fold.setUnkept("r");
    fold.setUnkept("gone");
    assert.deepEqual(
      fold.entries().flatMap((entry) => (entry.kind === "step" ? [[entry.name, entry.unkept]] : [])),
      [
        ["done", "The server keeps no states of this step to compare."],
        ["going", undefined],
      ],
    );
  });
});
