import { strict as assert } from "node:assert";
import type { StateNow } from "../../../../src/run/fold/threadState.ts";
import { carryOut } from "../../../../src/run/repair/carryOut.ts";
import { goOnPlan } from "../../../../src/run/repair/plan.ts";
import { readPosition } from "../../../../src/run/repair/threadPosition.ts";
import { Refusal, ScriptedServer, streamOf } from "../session/scriptedServer.ts";
import { position, stateAt } from "./threadAt.ts";

describe("Carrying out a change of course", () => {
  const plan = {
    head: "head",
    run: { assistant_id: "a", input: null },
    effects: goOnPlan(position({ next: ["left"] })).effects,
  };
  const update = { values: { n: 1 } };

  function threadAt(head: string, row?: StateNow["row"]) {
    const server = new ScriptedServer();
    const written: unknown[] = [];
    server.state = { ...stateAt(head, { next: ["left"] }), ...(row !== undefined && { row }) };
    server.threads.update = (_, body) => {
      written.push(body);
      server.state = stateAt("new", { next: ["left"] });
      return Promise.resolve({ checkpoint: { checkpoint_id: "new" } });
    };
    return { written, thread: { server, threadId: "t", signal: new AbortController().signal } };
  }
  const why = async (work: Promise<unknown>): Promise<string> =>
    work.then(
      () => "not refused",
      (error: unknown) => (error as Error).message,
    );

  it("writes what is to be written and gives the state from which the run goes on", async () => {
    const { thread, written } = threadAt("head");
    const { state, run } = await carryOut(thread, { ...plan, update });
    assert.deepEqual([state.checkpoint?.checkpoint_id, run, written], ["new", plan.run, [update]]);
    const unwritten = threadAt("head");
    const same = await carryOut(unwritten.thread, { ...plan, update: undefined });
    assert.deepEqual([same.state.checkpoint?.checkpoint_id, unwritten.written], ["head", []]);
  });

  it("writes nothing where the thread stands elsewhere, or a run goes on", async () => {
    const moved = threadAt("other");
    assert.match(await why(carryOut(moved.thread, { ...plan, update })), /went on meanwhile/);
    const busy = threadAt("head", { status: "busy" });
    assert.match(await why(carryOut(busy.thread, { ...plan, update })), /^A run goes on/);
    const running = threadAt("head");
    running.thread.server.add({ bytes: streamOf(), status: "running" }, { assistant_id: "a" });
    assert.match(await why(carryOut(running.thread, { ...plan, update })), /^A run goes on/);
    for (const { written } of [moved, busy, running]) assert.deepEqual(written, []);
  });

  it("says that somebody was faster where the server refuses, or another state came behind the written one", async () => {
    const { thread } = threadAt("head");
    thread.server.threads.update = () => Promise.reject(new Refusal(409, "busy thread"));
    assert.match(await why(carryOut(thread, { ...plan, update })), /^A run goes on/);
    thread.server.threads.update = () => Promise.reject(new Refusal(500, "disk full"));
    assert.equal(await why(carryOut(thread, { ...plan, update })), "disk full");
    thread.server.threads.update = () => Promise.resolve({ checkpoint: { checkpoint_id: "mine" } });
    const inSameMoment = /in the same moment. What you wrote is among its states, and you started nothing/;
    assert.match(await why(carryOut(thread, { ...plan, update })), inSameMoment);
    for (const [states, checkpoint, refused] of [
      [[stateAt("new", {}, "another")], undefined, true],
      [[stateAt("new", {}, "head"), stateAt("theirs", {}, "head")], undefined, true],
      [[stateAt("new", {}, "head"), stateAt("head", {}, "before")], undefined, false],
      // What is written at a named state lies on that, wherever the thread stood.
      [[stateAt("new", {}, "another")], { checkpoint_id: "another" }, false],
    ] as const) {
      const { thread: same } = threadAt("head");
      same.server.threads.history = () => Promise.resolve(states);
      const given = { ...update, ...(checkpoint && { checkpoint }) };
      assert.equal(inSameMoment.test(await why(carryOut(same, { ...plan, update: given }))), refused);
    }
  });

  it("is not to be had of a server that writes no states, nor of a thread in which nothing ran", async () => {
    const { thread } = threadAt("head");
    assert.match(await why(readPosition(thread)), /^Nothing ran in this thread yet/);
    assert.match(
      await why(readPosition({ ...thread, server: new ScriptedServer() })),
      /^The states of this thread can't be changed/,
    );
    const busy = threadAt("head", { status: "busy" });
    assert.match(await why(readPosition(busy.thread)), /^A run goes on/);
  });
});
