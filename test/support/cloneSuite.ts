/** What is proved of clones: step by step as the thread that they were made of. */

import { strict as assert } from "node:assert";
import type { AgentServer } from "../../src/api/agentServer/index.ts";
import type { JsonObject, ThreadState } from "../../src/api/agentServer/wire.ts";
import { type ClonePlan, nodesWritten, planClone, writeClone } from "../../src/run/repair/clone.ts";
import type { RunServer } from "../../src/run/session/server.ts";
import { goOnPlan, skipPlan } from "../../src/run/repair/plan.ts";
import { readPosition } from "../../src/run/repair/threadPosition.ts";
import { refusal, RepairedThread } from "./repairedThread.ts";

const { signal } = new AbortController();

/** Tests that clone threads from one server to another. */
export function itClones(
  start: () => Promise<{ readonly from: AgentServer; readonly to: AgentServer }>,
): void {
  let from: AgentServer;
  let to: AgentServer;

  before(async () => {
    ({ from, to } = await start());
  });

  async function cloned(thread: RepairedThread, keys: readonly string[] = []) {
    const plan = await planClone(thread.course, keys);
    const made = await writeClone({ server: to, signal }, plan, plan.graphId ?? assert.fail());
    return { plan, made, clone: new RepairedThread(to, made.threadId, "pipeline") };
  }

  /** The states of the newest branch that are no inputs, the oldest first. */
  async function states(server: AgentServer, threadId: string): Promise<readonly ThreadState[]> {
    const all = await server.threads.history(threadId, { limit: 100 });
    const branch: ThreadState[] = [];
    let id = all[0]?.checkpoint?.checkpoint_id;
    for (const state of all) {
      if (state.checkpoint?.checkpoint_id !== id) continue;
      branch.unshift(state);
      id = state.parent_checkpoint?.checkpoint_id;
    }
    return branch.filter(({ metadata }) => metadata?.["source"] !== "input");
  }

  const seen = (all: readonly ThreadState[]) => all.map(({ values, next }) => ({ values, next }));

  async function assertEqual(thread: RepairedThread, made: { readonly threadId: string }): Promise<void> {
    const [original, clone] = [await states(from, thread.course.threadId), await states(to, made.threadId)];
    assert.ok(original.length > 4);
    assert.deepEqual(seen(clone), seen(original));
  }

  it("are equal at each step, and go on as the thread would", async () => {
    const thread = await RepairedThread.make(from);
    await thread.say("one");
    await thread.say("two", { fail_at: "write", fail_times: 1, job: crypto.randomUUID() });
    const { plan, made, clone } = await cloned(thread);
    assert.deepEqual(made, { threadId: made.threadId, onlyNewest: false, different: 0 });
    await assertEqual(thread, made);
    assert.deepEqual(nodesWritten(plan).slice(0, 3), ["collect", "check", "reserve"]);
    const row = await to.threads.get(made.threadId);
    assert.equal(row.metadata["graph_id"], "pipeline");
    // Another server has not counted the failure, and fails once itself.
    for (let run = 0; run < 2 && (await to.threads.state(made.threadId)).next.length > 0; run += 1)
      await clone.follow(goOnPlan(await readPosition(clone.course)));
    const said = await clone.texts();
    assert.deepEqual(said.slice(-3), ["write: done", "send: done", "close: done"]);
  });

  it("have the branch that a thread is on, and what a person wrote", async () => {
    const thread = await RepairedThread.make(from);
    await thread.say("one", { fail_at: "write", fail_times: 9 });
    // As servers keep it: they fill in what a message lacks.
    const none = { additional_kwargs: {}, response_metadata: {}, tool_calls: [], invalid_tool_calls: [] };
    const messages = [{ type: "ai", id: "mine", content: "mine", ...none }];
    await thread.follow(skipPlan(await readPosition(thread.course), "write", { messages }));
    const { made } = await cloned(thread);
    assert.equal(made.different, 0);
    await assertEqual(thread, made);
    assert.ok((await new RepairedThread(to, made.threadId, "pipeline").texts()).includes("mine"));
  });

  it("are written with what each of two steps returned that ran side by side", async () => {
    const thread = await RepairedThread.make(from, "naps");
    await thread.say("Sleep well");
    const { updates = [] } = (await planClone(thread.course, [])).supersteps.at(-1) ?? {};
    assert.deepEqual(updates.map(({ as_node: node }) => node).toSorted(), ["left", "right"]);
    const said = updates.map(({ values }) => {
      const { messages = [] } = values as { readonly messages?: readonly JsonObject[] };
      return messages.at(-1)?.["id"];
    });
    assert.equal(new Set(said).size, 2, JSON.stringify(said));
  });

  it("hold nothing of keys that are to be left out, wherever they stand", async () => {
    const thread = await RepairedThread.make(from);
    await thread.say("one", { job: "secret job" });
    const { plan, made } = await cloned(thread, ["job", "amount"]);
    const text = JSON.stringify(await states(to, made.threadId));
    assert.ok(!text.includes("secret job") && !/"amount":120/.test(text), text);
    assert.match(plan.leftOut.join("\n"), /Values of job, amount\./);
    assert.equal(made.different, 0);
    const untouched = JSON.stringify(await states(from, thread.course.threadId));
    assert.ok(untouched.includes("secret job"));
  });

  it("are the newest state alone on a server that takes no steps", async () => {
    const thread = await RepairedThread.make(from);
    await thread.say("one", { fail_at: "send" });
    const plan: ClonePlan = await planClone(thread.course, []);
    const { threads } = to;
    const old: RunServer["threads"] = {
      create: (body: JsonObject = {}) => {
        if (body["supersteps"] === undefined) return threads.create(body);
        return Promise.reject(Object.assign(new Error("unknown field"), { status: 422 }));
      },
      state: (id) => threads.state(id),
      update: (id, body) => threads.update(id, body),
    };
    const made = await writeClone({ server: { threads: old }, signal }, plan, "pipeline");
    assert.deepEqual([made.onlyNewest, made.different], [true, 0]);
    assert.deepEqual((await to.threads.state(made.threadId)).next, ["send"]);
  });

  it("are not made of a thread without steps", async () => {
    const thread = await RepairedThread.make(from);
    assert.match(await refusal(planClone(thread.course, [])), /has no steps yet/);
  });
}
