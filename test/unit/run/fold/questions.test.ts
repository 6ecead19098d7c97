import { deepEqual, equal } from "node:assert/strict";
import type { Interrupt, Json } from "../../../../src/api/agentServer/wire.ts";
import { TranscriptFold } from "../../../../src/run/fold/fold.ts";
import { type StateNow } from "../../../../src/run/fold/threadState.ts";
import type { InterruptEntry } from "../../../../src/run/panel/transcript.ts";
import { stateOf } from "../session/scriptedServer.ts";

const engineId = (digit: string): string => digit.repeat(32);
const [a, b] = [
  { id: "a", value: "A?" },
  { id: "b", value: "B?" },
];

describe("the questions of a thread", () => {
  let fold: TranscriptFold;

  beforeEach(() => (fold = new TranscriptFold()));

  const open = (runId: string, input: Json | undefined, resume?: Json): void =>
    fold.open({ runId, assistantId: "agent", status: "pending" }, input, { resume });
  const asks = (runId: string, asked: readonly Interrupt[], lane = ""): void => {
    const data = JSON.stringify({ __interrupt__: asked });
    fold.run(runId).apply([{ event: lane === "" ? "updates" : `updates|${lane}`, data }], 1000);
  };
  const waits = (...interrupts: readonly Interrupt[]): number =>
    fold.reconcile(stateOf({}, [{ id: "t", name: "ask", interrupts }]));
  const shown = (): readonly InterruptEntry[] =>
    fold.entries().filter((entry): entry is InterruptEntry => entry.kind === "interrupt");
  const states = (): readonly string[] =>
    shown().map(({ value, state }) => `${typeof value === "string" ? value : ""} ${state}`);

  it("stand in the lane that asks, also where the lane is told later than the question", () => {
    open("r", {});
    asks("r", [a]);
    fold.ledger.takePatch();
    asks("r", [a], "web:1");
    deepEqual(
      shown().map(({ lane, runId }) => [lane, runId]),
      [["web:1", "r"]],
    );
    deepEqual(fold.ledger.takePatch()?.set.filter(({ kind }) => kind === "interrupt").length, 1);
    asks("r", [a], "other:2");
    equal(shown()[0]?.lane, "web:1", "where it was told first is where it stands");
  });

  it("that only the state told are taken over by the run that tells them, once", () => {
    open("r", {});
    waits(a);
    asks("r", [a], "web:1");
    deepEqual(
      shown().map(({ lane, runId, state }) => [lane, runId, state]),
      [["web:1", "r", "open"]],
    );
    fold.settle("r", "success");
    open("s", undefined, { a: "yes" });
    asks("s", [a]);
    deepEqual(
      shown().map(({ id, runId, state }) => [id, runId, state]),
      [
        ["interrupt:a", "r", "answered"],
        ["interrupt:a:1", "s", "open"],
      ],
    );
  });

  it("stay behind the newest run as long as only the state tells them", () => {
    open("r", {});
    waits(a);
    open("s", undefined);
    waits(a);
    deepEqual(
      fold.entries().map(({ kind }) => kind),
      ["run", "run", "interrupt"],
    );
  });

  it("that seemed to be over wait again when the state lists them, unless they were answered", () => {
    open("r", {});
    asks("r", [a, b]);
    waits();
    deepEqual(states(), ["A? elsewhere", "B? elsewhere"]);
    waits(a);
    deepEqual(states(), ["A? open", "B? elsewhere"]);
    deepEqual(
      fold.interrupts.open().map(({ id }) => id),
      ["interrupt:a"],
    );
    fold.interrupts.set("interrupt:a", "answered", "yes");
    waits(a);
    deepEqual(states(), ["A? answered", "B? elsewhere"]);
  });

  it("are answered by a run that names them, and left open by one that names another", () => {
    const [one, two] = [
      { id: engineId("1"), value: "One?" },
      { id: engineId("2"), value: "Two?" },
    ];
    open("r", {});
    asks("r", [one, two]);
    open("s", undefined, { [two.id]: "yes" });
    deepEqual(states(), ["One? open", "Two? answered"]);
    equal(shown()[1]?.answer, "yes");
    open("t", undefined, { [engineId("3")]: "no" });
    deepEqual(states(), ["One? open", "Two? answered"]);
  });

  it("without a name in the answer are answered where only one waits, and else by none", () => {
    open("r", {});
    asks("r", [a, b]);
    open("s", undefined, "yes");
    deepEqual(states(), ["A? open", "B? open"]);
    fold.interrupts.set("interrupt:a", "answered", "by hand");
    open("t", undefined, "yes");
    deepEqual(states(), ["A? answered", "B? answered"]);
    deepEqual(
      shown().map(({ answer }) => answer),
      ["by hand", "yes"],
    );
  });

  it("are answered by a value that has members of its own, where none of them is a question's id", () => {
    open("r", {});
    asks("r", [a]);
    open("s", undefined, { decision: "yes" });
    deepEqual(states(), ["A? answered"]);
    equal(shown()[0]?.answer, '{"decision":"yes"}');
  });

  it("are left behind by a run with an input of its own, and by one without, only at a breakpoint", () => {
    open("r", {});
    asks("r", [a]);
    open("s", null);
    deepEqual(states(), ["A? open"]);
    open("t", undefined);
    deepEqual(states(), ["A? open"]);
    open("u", {});
    deepEqual(states(), ["A? dropped"]);
    fold.run("u").apply([{ event: "updates", data: '{"__interrupt__":[]}' }], 1000);
    equal(shown()[1]?.state, "open");
    open("v", null);
    equal(shown()[1]?.state, "answered");
  });

  it("that are sent wait for what becomes of it, and change only when there is news", () => {
    open("r", {});
    asks("r", [a]);
    fold.interrupts.set("interrupt:a", "sending", "yes");
    deepEqual(fold.interrupts.open(), []);
    fold.ledger.takePatch();
    fold.interrupts.set("interrupt:a", "sending", "yes");
    equal(fold.ledger.takePatch(), undefined);
    fold.interrupts.set("interrupt:a", "failed", "busy");
    equal(fold.interrupts.open().length, 1);
    fold.interrupts.set("interrupt:gone", "failed", "busy");
    deepEqual(states(), ["A? failed"]);
    equal(fold.interrupts.get("interrupt:gone"), undefined);
    deepEqual(
      [fold.interrupts.serverId("interrupt:a"), fold.interrupts.serverId("interrupt:gone")],
      ["a", undefined],
    );
  });

  it("are closed but for those that are known to wait, when a run of long ago tells what it asked", () => {
    open("r", {});
    asks("r", [a, b]);
    fold.interrupts.set("interrupt:b", "sending", "yes");
    fold.interrupts.closeBut(new Set(["interrupt:a"]));
    deepEqual(states(), ["A? open", "B? elsewhere"]);
  });

  it("without an id are told apart by what they ask, and numbered", () => {
    open("r", {});
    asks("r", [{ value: "A?" }, { value: "B?" }]);
    asks("r", [{ value: "A?" }]);
    deepEqual(
      shown().map(({ id }) => id),
      ["interrupt:r:0", "interrupt:r:1"],
    );
    equal(fold.interrupts.serverId("interrupt:r:0"), undefined);
  });

  it("at a breakpoint are one, with the nodes that come next as the state tells them", () => {
    const stopped = (next: readonly string[], row?: StateNow["row"]): number =>
      fold.reconcile({ ...stateOf({}), next, ...(row !== undefined && { row }) });
    const interrupted = { status: "interrupted", interrupts: {} };
    open("r", {});
    stopped(["send"]);
    deepEqual(shown(), [], "a state alone does not tell whether it stopped");
    stopped(["send"], interrupted);
    fold.run("r").apply([{ event: "updates", data: '{"__interrupt__":[]}' }], 1000);
    stopped(["send", "close"]);
    deepEqual(
      shown().map(({ next, state, runId }) => [next, state, runId]),
      [[["send", "close"], "open", "r"]],
    );
    fold.ledger.takePatch();
    stopped(["send", "close"]);
    equal(fold.ledger.takePatch(), undefined);
    stopped([], { status: "idle", interrupts: {} });
    equal(shown()[0]?.state, "elsewhere");
    stopped(["send"], interrupted);
    deepEqual(
      shown().map(({ state }) => state),
      ["elsewhere"],
      "a run stops once",
    );
  });

  it("of a thread without runs stand by themselves", () => {
    waits(a);
    deepEqual(
      shown().map((entry) => ["runId" in entry, entry.state]),
      [[false, "open"]],
    );
    fold.reconcile({ ...stateOf({}), next: ["send"], row: { status: "interrupted", interrupts: {} } });
    equal(shown().length, 1, "a breakpoint is some run's");
  });
});
