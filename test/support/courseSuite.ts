/** What is proved of every server on which the course of threads can be changed. */

import { strict as assert } from "node:assert";
import type { AgentServer } from "../../src/api/agentServer/index.ts";
import { Checkpoints } from "../../src/run/history/checkpoints.ts";
import { SchemaCheck } from "../../src/run/schema/check.ts";
import { editableText, readEdit } from "../../src/run/repair/stateEdit.ts";
import { findMessage, regeneratePlan, resendPlan } from "../../src/run/repair/messages.ts";
import { failedNodes, forkPlan, goOnPlan, skipPlan } from "../../src/run/repair/plan.ts";
import { effectsText } from "../../src/run/repair/planText.ts";
import { readPosition } from "../../src/run/repair/threadPosition.ts";
import { forkAtRandom } from "./forkedHistories.ts";
import { Random } from "./random.ts";
import { refusal, RepairedThread } from "./repairedThread.ts";

const steps = ["collect", "check", "reserve", "charge", "write", "send", "close"];
const once = Object.fromEntries(steps.map((name) => [name, 1]));

/** Tests that change the course of threads, each step counted, on the server that `start` gives, and so many random histories. */
export function itChangesCourse(start: () => Promise<AgentServer>, histories: number): void {
  let server: AgentServer;

  before(async () => {
    server = await start();
  });

  async function failed(at = "write", times = 1): Promise<RepairedThread> {
    const thread = await RepairedThread.make(server);
    await thread.say("go", { fail_at: at, fail_times: times });
    return thread;
  }

  /** The id of the state behind a step, and the state. */
  async function behind(thread: RepairedThread, step: string) {
    const states = await server.threads.history(thread.course.threadId, { limit: 100 });
    const after = steps[steps.indexOf(step) + 1] ?? "";
    const state = states.find(({ next }) => next[0] === after);
    const checkpointId = state?.checkpoint?.checkpoint_id ?? assert.fail();
    return { state: state ?? assert.fail(), checkpointId };
  }

  const upTo =
    (checkpointId: string) => (state: { readonly checkpoint: { readonly checkpoint_id: string } | null }) =>
      state.checkpoint?.checkpoint_id === checkpointId;

  it("retries the step that failed, after saying what that means", async () => {
    const thread = await failed();
    const position = await readPosition(thread.course);
    assert.deepEqual(failedNodes(position), ["write"]);
    const plan = goOnPlan(position);
    assert.equal(
      effectsText(plan.effects),
      "Runs again: write.\nThen, as the graph goes: send, close.\nNo tool was called after this point.",
    );
    await thread.follow(plan);
    assert.deepEqual(await thread.executions(), { ...once, write: 2 });
  });

  it("skips it with a result of one's own", async () => {
    const thread = await failed("write", 9);
    const plan = skipPlan(await readPosition(thread.course), "write", {
      messages: [{ type: "ai", content: "mine" }],
    });
    assert.match(effectsText(plan.effects), /^Runs next: send.\nThen, as the graph goes: close.\n/);
    await thread.follow(plan);
    const { write, ...others } = once;
    assert.deepEqual([await thread.executions(), write], [others, 1]);
    assert.ok((await thread.texts()).includes("mine"));
  });

  it("goes on step by step, and to a breakpoint", async () => {
    const thread = await failed("check");
    const runs = async (reach: Parameters<typeof goOnPlan>[1]) => {
      await thread.follow(goOnPlan(await readPosition(thread.course), reach));
      return (await server.threads.state(thread.course.threadId)).next;
    };
    assert.deepEqual(await runs("step"), ["reserve"]);
    assert.deepEqual(await runs("step"), ["charge"]);
    assert.deepEqual(await runs({ before: ["send"] }), ["send"]);
    const position = await readPosition(thread.course);
    assert.match(effectsText(goOnPlan(position).effects), /^Runs next: send.\n/);
    assert.deepEqual(await runs("end"), []);
    assert.deepEqual(await thread.executions(), { ...once, check: 2 });
    assert.match(
      await refusal(async () => goOnPlan(await readPosition(thread.course))),
      /no step is left to run/,
    );
  });

  it("runs from an earlier state, and says which tools were called behind it", async () => {
    const thread = await failed("send");
    const { state, checkpointId } = await behind(thread, "check");
    const position = await readPosition(thread.course, upTo(checkpointId));
    const plan = forkPlan(position, state, { checkpointId, values: { fail_at: "none" }, asNode: "check" });
    const text = effectsText(plan.effects);
    assert.match(text, /^Runs again: reserve.\nThen, as the graph goes: charge, write, send, close.\n/);
    assert.match(
      text,
      /Already called after this point: charge_card {"amount":120}. What they did stays done/,
    );
    await thread.follow(plan);
    assert.deepEqual(await thread.executions(), { ...once, reserve: 2, charge: 2, write: 2, send: 2 });
  });

  it("tells a run from an earlier state what the run was told that made that state", async () => {
    const thread = await RepairedThread.make(server);
    for (const limit of [41, 42])
      await thread.run({
        input: { messages: [{ role: "user", content: `at most ${limit} steps` }] },
        config: { recursion_limit: limit, configurable: { token_delay_ms: 0 } },
      });
    const states = await server.threads.history(thread.course.threadId, { limit: 100 });
    const before = (state: (typeof states)[number]): boolean => state.next[0] === "send";
    const limits = [states.findLast(before), states.find(before)].map(async (target = assert.fail()) => {
      const checkpointId = target.checkpoint?.checkpoint_id ?? "";
      const position = await readPosition(thread.course, upTo(checkpointId));
      return forkPlan(position, target, { checkpointId, values: null }).run.config;
    });
    assert.deepEqual(await Promise.all(limits), [{ recursion_limit: 41 }, { recursion_limit: 42 }]);
  });

  it("checks a state that is edited by the schema that its server tells", async () => {
    const thread = await failed("none");
    const values = await thread.values();
    const { state_schema: schema } = await server.assistants.schemas("pipeline");
    const check = new SchemaCheck(schema ?? assert.fail("no schema"));
    const refused = (text: string): unknown => {
      const edit = readEdit(values, text);
      const found = "problem" in edit ? assert.fail(edit.problem) : check.check(edit.whole);
      return "problems" in found ? found.problems.map(({ path }) => path.join(".")) : found.unchecked;
    };
    assert.deepEqual(refused(editableText(values)), []);
    assert.deepEqual(refused(JSON.stringify({ ...values, job: 5 })), ["job"]);
    assert.deepEqual(refused(JSON.stringify({ ...values, fail_times: "often" })), ["fail_times"]);
  });

  it("names tools of every branch behind the state", async () => {
    const thread = await failed("write");
    const first = await behind(thread, "reserve");
    const fork = async () => {
      const position = await readPosition(thread.course, upTo(first.checkpointId));
      return forkPlan(position, first.state, { checkpointId: first.checkpointId, values: null });
    };
    await thread.follow(await fork());
    assert.deepEqual(
      (await fork()).effects.made.map(({ name }) => name),
      ["charge_card", "charge_card"],
    );
  });

  it("takes a turn again from an edited message, with the rest of its input", async () => {
    const thread = await RepairedThread.make(server);
    await thread.say("one");
    await thread.say("two", { job: "mine" });
    const [run] = (await readPosition(thread.course)).runs.slice(-1);
    const found = await findMessage(thread.course, { runId: run?.run_id ?? "", index: 0 });
    assert.equal(found.text, "two");
    await thread.follow(resendPlan(found, "three"));
    const said = (await thread.texts()).filter((text) => !String(text).includes(": done"));
    assert.deepEqual(said, ["one", "Charged 120.", "three", "Charged 120."]);
    assert.equal((await thread.values())["job"], "mine");
    await thread.say("four");
    assert.ok((await thread.texts()).includes("three"));
  });

  it("takes the first message of a thread back, and that one again", async () => {
    const thread = await RepairedThread.make(server);
    await thread.say("one");
    for (const text of ["two", "three"]) {
      const [message] = (await thread.values())["messages"] as readonly { readonly id: string }[];
      await thread.follow(resendPlan(await findMessage(thread.course, { id: message?.id ?? "" }), text));
      assert.deepEqual((await thread.texts()).slice(0, 2), [text, "collect: done"]);
    }
    assert.equal((await thread.texts()).length, 9);
  });

  it("has the step run again that said a message", async () => {
    const thread = await RepairedThread.make(server);
    await thread.say("one");
    const messages = (await thread.values())["messages"] as readonly {
      readonly id: string;
      content: string;
    }[];
    const written = messages.find(({ content }) => content === "write: done")?.id ?? "";
    const found = await findMessage(thread.course, { id: written });
    await thread.follow(regeneratePlan(found));
    assert.deepEqual(await thread.executions(), { ...once, write: 2, send: 2, close: 2 });
    assert.equal((await thread.texts()).length, messages.length);
  });

  it("refuses what somebody else did meanwhile, and a thread in which a run goes on", async () => {
    const thread = await failed("write", 1);
    const plan = goOnPlan(await readPosition(thread.course));
    await thread.follow(goOnPlan(await readPosition(thread.course)));
    assert.match(await refusal(thread.follow(plan)), /went on meanwhile: somebody else.* Nothing was done/);
    assert.deepEqual(await thread.executions(), { ...once, write: 2 });
    const slow = await RepairedThread.make(server, "slow");
    const run = await server.runs.create(slow.course.threadId, {
      assistant_id: "slow",
      input: { messages: [], seconds: 30 },
    });
    assert.match(await refusal(readPosition(slow.course)), /^A run goes on in this thread/);
    await server.runs.cancel(slow.course.threadId, run.run_id, { wait: true });
  });

  it("says of a step that is in the graph no more which ones are", async () => {
    const thread = await failed("write", 9);
    const position = await readPosition(thread.course);
    const graph = {
      nodes: [{ id: "__start__" }, { id: "collect" }, { id: "put" }, { id: "__end__" }],
      edges: [{ source: "__start__", target: "collect" }],
    };
    const changed = { ...position, graph };
    assert.match(await refusal(() => goOnPlan(changed)), /no step “write” any more.* now collect, put\./);
    const head = { ...position.state, next: [], tasks: [] };
    const gone = { ...changed, state: head, checkpoints: new Checkpoints() };
    assert.match(await refusal(() => goOnPlan(gone)), /no step is left to run: the graph was changed/);
  });

  for (let seed = 1; seed <= histories; seed += 1) {
    it(`keeps all that was said in every turn after forks, edits and retries, in any order: ${seed}`, async () => {
      await forkAtRandom(server, new Random(seed), 4);
    });
  }
}
