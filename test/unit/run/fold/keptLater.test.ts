import { strict as assert } from "node:assert";
import type { Json } from "../../../../src/api/agentServer/wire.ts";
import { FollowedThread } from "./followedThread.ts";
import { kept, step } from "./keptFacts.ts";

describe("what a server keeps of a run, and its stream", () => {
  const said = (id: string): Json => ({ type: "ai", id, content: id });
  const root = kept([step("1", "plan", "done"), step("2", "web", "done", { messages: [said("end")] })]);
  const lanes = { "web:2": kept([step("3", "model", "done", { messages: [said("inner")] })]) };
  const events = [
    ["updates", { plan: { n: 1 } }],
    ["custom|web:2", 1],
    ["updates|web:2", { model: { messages: [said("inner")] } }],
    ["updates", { web: { messages: [said("end")] } }],
  ] as const;

  it("stand in the same order, whichever is read first", () => {
    const [first, later] = [new FollowedThread(), new FollowedThread()];
    first.stream(...events);
    first.keep(root, lanes);
    later.keep(root, lanes);
    assert.match(later.shown, /step web done\nlane web done\n {2}step model done\n {2}ai: inner\nai: end\n$/);
    later.stream(...events);
    later.keep(root, lanes);
    assert.equal(later.shown, first.shown);
  });

  it("put what a step said in the order of the thread's state, though a part of it was read before", () => {
    const run = new FollowedThread();
    for (const ids of [["look"], ["ask", "look"], ["ask", "look", "note"]]) {
      run.keep(kept([step("1", "ask", "done", { messages: ids.map(said) })]));
      assert.match(run.shown, new RegExp(`step ask done\n${ids.map((id) => `ai: ${id}\n`).join("")}$`));
    }
  });

  it("leave a message below the step that its stream named, where the server does not know the node", () => {
    const run = new FollowedThread();
    run.stream(["updates", { plan: { messages: [said("m")] } }]);
    run.keep(kept([step("1", "web", "done"), step("2", "", "done", { messages: [said("m"), said("n")] })]));
    assert.equal(run.shown, "run success\nstep plan done: messages\nai: m\nstep web done\nai: n\n");
  });

  it("put what a lane's whole states told below the steps that are kept of it, whichever is read first", () => {
    const lane = kept([
      step("3", "", "done", { messages: [said("asks")] }),
      step("4", "tools", "done"),
      step("5", "", "done", { messages: [said("ends")] }),
    ]);
    const states = [["asks"], ["asks", "ends"]].map(
      (ids) => ["values|web:2", { messages: ids.map(said) }] as const,
    );
    for (const order of ["events first", "kept first"]) {
      const run = new FollowedThread();
      const keep = () => run.keep(kept([step("2", "web", "done")]), { "web:2": lane });
      if (order === "kept first") keep();
      run.stream(...states);
      keep();
      const inside = "\n  ai: asks\n  step tools done\n  ai: ends\n";
      assert.equal(run.shown, `run success\nstep web done\nlane web done${inside}`, order);
    }
  });

  it("put a subgraph right behind its step, before what the step said, as the server tells it", () => {
    const run = new FollowedThread();
    run.stream(
      ["tasks", { id: "2", name: "web" }],
      ["messages", [said("end"), { langgraph_checkpoint_ns: "web:2" }]],
      ["custom|web:2", 1],
    );
    assert.match(run.shown, /step web running\nai: end …\nlane web running\n {2}custom ×1 1\n$/);
    run.keep(kept([step("2", "web", "done", { messages: [said("end")] })]), lanes);
    assert.match(
      run.shown,
      /step web done\nlane web done\n {2}step model done\n {2}custom ×1 1\n {2}ai: inner\nai: end\n$/,
    );
  });

  it("tell anew what the state held, should the run end anew", () => {
    const run = new FollowedThread();
    const end = (n: number) =>
      kept([], { end: { checkpointId: `c${n}`, rest: { keys: ["n"], text: `{"n":${n}}` } } });
    run.keep(end(1));
    assert.equal(run.shown, 'run success\nresult {"n":1}\n');
    run.keep(end(1));
    assert.equal(run.fold.ledger.takePatch(), undefined);
    run.keep(end(2));
    assert.equal(run.shown, 'run success\nresult {"n":2}\n');
  });

  it("put what came before any step was named below the step that the server tells of a run that is over", () => {
    const stopped = kept([
      step("1", "plan", "done"),
      step("2", "left", "stopped"),
      step("3", "right", "stopped"),
    ]);
    const shown = "run success\nstep plan done: n\nstep left stopped\ncustom ×1 1\nstep right stopped\n";
    const told = [
      ["updates", { plan: { n: 1 } }],
      ["custom", 1],
    ] as const;
    for (const order of ["events first", "kept first"]) {
      const run = new FollowedThread();
      if (order === "events first") run.stream(...told);
      run.keep(stopped);
      if (order === "kept first") run.stream(...told);
      run.keep(stopped);
      assert.equal(run.shown, shown, order);
    }
  });

  it("move a message with its calls to the run that the server tells it of now", () => {
    const calls = { ...(said("m") as object), tool_calls: [{ id: "c", name: "look", args: {} }] };
    const returned = kept([step("1", "model", "done", { messages: [calls] })]);
    const run = new FollowedThread();
    run.keep(returned);
    run.open("s", null);
    run.keep(kept([step("1", "model", "stopped")]));
    run.keep(kept([step("1", "model", "done", { messages: [calls] })], { runId: "s" }));
    assert.equal(
      run.shown,
      "run success\nstep model stopped\nrun success\nstep model done\nai: m\ntool look {} stopped\n",
    );
  });

  it("tell which call a subagent works on by what it was told to do, while nothing is answered", () => {
    const call = (name: string) => ({
      id: `call_${name}`,
      name: "task",
      args: { subagent_type: name, description: `Ask the ${name}` },
    });
    const asking = { ...(said("m") as object), tool_calls: [call("historian"), call("scientist")] };
    const inner = (task: string) =>
      kept([step("9", "model", "stopped")], { input: [{ type: "human", id: task, content: task }] });
    for (const order of [["tools:2", "tools:1"], ["tools:1", "tools:2"], []]) {
      const run = new FollowedThread();
      run.stream(
        ["updates", { model: { messages: [asking] } }],
        ...order.map((lane) => [`custom|${lane}`, 1] as const),
      );
      const root = kept([
        step("0", "model", "done", { messages: [asking] }),
        step("1", "tools", "stopped"),
        step("2", "tools", "stopped"),
      ]);
      run.keep(root, { "tools:1": inner("Ask the scientist"), "tools:2": inner("Ask the historian") });
      assert.deepEqual(
        run.entries.flatMap((entry) => (entry.kind === "lane" ? [[entry.lane, entry.name]] : [])),
        [
          ["tools:1", "scientist"],
          ["tools:2", "historian"],
        ],
        String(order),
      );
    }
  });

  it("keep a question where it was asked, though it is asked again in between", () => {
    const questions = [{ id: "q", value: "Sure?" }];
    const run = new FollowedThread();
    run.stream(["tasks", { id: "1", name: "ask" }], ["updates", { __interrupt__: questions }]);
    run.keep(kept([step("1", "ask", "interrupted", { questions }), step("2", "beside", "stopped")]));
    assert.match(run.shown, /step ask interrupted\ninterrupt open: "Sure\?"\nstep beside stopped\n$/);
  });

  it("show a subgraph in the run that asked there, and not in one that only came to the question again", () => {
    const questions = [{ id: "q", value: "Sure?" }];
    const run = new FollowedThread();
    run.open("s", null);
    run.keep(kept([step("1", "web", "interrupted", { questions })]));
    const state = (...ids: readonly string[]) => ["values|web:1", { messages: ids.map(said) }] as const;
    const asks = ["values|web:1", { __interrupt__: questions }] as const;
    // The later run is read first.
    run.streamOf("s", state("before it asked"), asks);
    run.stream(state(), state("before it asked"), asks);
    assert.deepEqual(
      run.entries.flatMap((entry) => (entry.kind === "lane" ? [entry.runId] : [])),
      ["r"],
    );
    assert.match(run.shown, /ai: before it asked\n/);
  });

  it("show no breakpoint where the run turns out to have come to its end, whenever that is read", () => {
    const stop = ["updates", { __interrupt__: [] }] as const;
    const ended = kept([step("1", "model", "done")], { end: { checkpointId: "c", rest: undefined } });
    for (const order of ["events first", "kept first"]) {
      const run = new FollowedThread();
      if (order === "kept first") run.keep(ended);
      run.stream(stop);
      run.open("s", null);
      run.keep(ended);
      assert.doesNotMatch(run.shown, /breakpoint/, order);
    }
  });

  it("show no step before which the run turns out to have stopped, though it was to run when that was read", () => {
    const run = new FollowedThread();
    run.keep(kept([step("1", "plan", "done"), step("2", "web", "running")]));
    assert.match(run.shown, /step plan done\nstep web running\n$/);
    run.fold.settle("r", "success");
    run.keep(kept([step("1", "plan", "done")], { stoppedBefore: ["web"] }));
    assert.match(run.shown, /step plan done\nbreakpoint open: web\n$/);
  });

  it("keep what a step failed with, where the server keeps only what it failed with later", () => {
    const lost = kept([step("1", "pay", "error", { lostError: true })]);
    const run = new FollowedThread();
    run.stream(["error", { error: "Error", message: "first time" }]);
    run.keep(lost);
    assert.match(run.shown, /error: first time/);
    const silent = new FollowedThread();
    silent.keep(lost);
    assert.match(silent.shown, /error: The run failed; the server does not keep why\.\n/);
    const [row] = silent.entries.filter((entry) => entry.kind === "step");
    assert.match(row?.unkept ?? "", /does not keep why this step failed here/);
  });

  it("show once what a person said that a later run tells by its id before it is kept of the first", () => {
    const human = (content: string): Json => ({ type: "human", id: content, content });
    const run = new FollowedThread({ messages: [{ type: "human", content: "One" }] });
    run.open("s", { messages: [human("Two")] });
    run.streamOf("s", ["updates", { patch: { messages: [human("One"), human("Two")] } }]);
    const shown = "run success\nhuman: One\nrun success\nhuman: Two\nstep patch done: messages\n";
    assert.equal(run.shown, shown);
    run.keep(kept([], { input: [human("One")] }));
    assert.equal(run.shown, shown);
  });

  it("say when a lane went on only where the server keeps it, not by this window's clock", () => {
    const run = new FollowedThread();
    run.fold.run("r").apply([{ event: "custom|web:2", data: "1" }], 1000);
    run.fold.settle("r", "success", {}, 2000);
    const times = () =>
      run.entries.flatMap((entry) => (entry.kind === "lane" ? [[entry.startedAt, entry.endedAt]] : []));
    const keep = (unkept: readonly string[]) =>
      run.fold.keep({ root: kept([]), lanes: new Map(), unkept: new Set(unkept) });
    keep([]);
    assert.deepEqual(times(), [[1000, 2000]], "it is not known yet what is kept");
    keep(["web:2"]);
    assert.deepEqual(times(), [[undefined, undefined]]);
  });

  it("keep what a step failed with, where what the server keeps may be of a later run that was stopped", () => {
    const unsure = kept([step("1", "pay", "error", { error: "second time", isErrorUnsure: true })]);
    const told = ["error", { error: "Error", message: "first time" }] as const;
    for (const order of ["stream first", "kept first", "no stream"]) {
      const run = new FollowedThread();
      if (order === "stream first") run.stream(told);
      run.keep(unsure);
      if (order === "kept first") run.stream(told);
      run.keep(unsure);
      const errors = run.entries.flatMap((entry) =>
        entry.kind === "notice" && entry.level === "error" ? [entry.text] : [],
      );
      assert.deepEqual(errors, [order === "no stream" ? "second time" : "first time"], order);
      const [row] = run.entries.filter((entry) => entry.kind === "step");
      assert.match(row?.unkept ?? "", /keeps what this step failed with last/);
    }
  });

  it("take back what a step seemed to fail with, where another run did that meanwhile in the same step", () => {
    const failed = (error?: string) =>
      kept([step("1", "pay", "error", error === undefined ? { lostError: true } : { error })]);
    const told = ["error", { error: "Error", message: "second time" }] as const;
    for (const order of ["stream between", "stream last", "no stream"]) {
      const run = new FollowedThread();
      run.keep(failed("third time"));
      if (order === "stream between") run.stream(told);
      run.keep(failed());
      if (order === "stream last") run.stream(told);
      run.keep(failed());
      const errors = run.entries.flatMap((entry) =>
        entry.kind === "notice" && entry.level === "error" ? [entry.text] : [],
      );
      const expected =
        order === "no stream" ? "The run failed; the server does not keep why." : "second time";
      assert.deepEqual(errors, [expected], order);
    }
  });
});
