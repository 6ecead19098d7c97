import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { AgentServer } from "../../src/api/agentServer/index.ts";
import { Http } from "../../src/api/http.ts";
import { carryOut } from "../../src/run/repair/carryOut.ts";
import { findMessage, resendPlan } from "../../src/run/repair/messages.ts";
import { failedNodes, forkPlan, goOnPlan, skipPlan } from "../../src/run/repair/plan.ts";
import { effectsText } from "../../src/run/repair/planText.ts";
import { readPosition } from "../../src/run/repair/threadPosition.ts";
import { keysThatDiffer, readEdit } from "../../src/run/repair/stateEdit.ts";
import { checkpointIn } from "../../src/run/history/pages.ts";
import type { JsonObject } from "../../src/api/agentServer/wire.ts";
import { stuckCheckpoint } from "../../src/run/session/stuckCheckpoint.ts";
import { itChangesCourse } from "../support/courseSuite.ts";
import { idle, liveSession, request } from "../support/liveSession.ts";
import { refusal, RepairedThread } from "../support/repairedThread.ts";
import { runToEnd } from "../support/runToEnd.ts";
import { agentServerPeer } from "./agentServerPeer.ts";
import { startAgentServer } from "./server.ts";
import { threadFacts } from "./threadFacts.ts";

describe("the course of a thread on a real agent server", () => {
  let api: AgentServer;

  before(async () => {
    ({ api } = await agentServerPeer());
  });

  itChangesCourse(() => Promise.resolve(api), 3);

  const beside = async (fail_times: number, rest: JsonObject = {}): Promise<RepairedThread> => {
    const thread = await RepairedThread.make(api, "beside");
    await thread.run({ input: { job: thread.course.threadId, fail_times }, ...rest });
    return thread;
  };

  it("retries only the one of two steps side by side that failed", async () => {
    const thread = await beside(1);
    const position = await readPosition(thread.course);
    assert.deepEqual(failedNodes(position), ["right"]);
    const plan = goOnPlan(position);
    assert.match(effectsText(plan.effects), /^Runs again: right.\nThen, as the graph goes: join.\n/);
    await thread.follow(plan);
    assert.deepEqual((await thread.values())["done"], ["begin 1", "left 1", "right 2", "join 1"]);
  });

  it("says that both run again where a checkpoint was once taken out of the thread", async () => {
    const thread = await beside(1, { config: { configurable: { checkpoint_id: null } } });
    const plan = goOnPlan(await readPosition(thread.course));
    assert.match(effectsText(plan.effects), /^Runs again: right, left.\nThen, as the graph goes: join.\n/);
    await thread.follow(plan);
    assert.deepEqual((await thread.values())["done"], ["begin 1", "left 2", "right 2", "join 1"]);
    const session = liveSession(api, thread.course.threadId);
    await session.load();
    session.dispose();
    const steps = session.entries.filter((entry) => entry.kind === "step");
    assert.deepEqual(
      steps.map(({ name, status }) => `${name} ${status}`),
      ["begin done", "left done", "right error", "left done", "right done", "join done"],
    );
  });

  it("skips one of two steps side by side, and keeps what the other one did", async () => {
    const thread = await beside(9);
    const plan = skipPlan(await readPosition(thread.course), "right", { done: ["mine"] });
    await thread.follow(plan);
    const done = (await thread.values())["done"] as readonly string[];
    assert.deepEqual(done.toSorted(), ["begin 1", "join 1", "left 1", "mine"]);
  });

  it("finds a thread that goes back to a checkpoint with every turn, and mends it", async () => {
    const thread = await RepairedThread.make(api, "chat");
    await thread.say("a");
    const [first] = await api.threads.history(thread.course.threadId, { limit: 10 });
    await thread.say("b");
    await thread.run({
      input: { messages: [{ role: "user", content: "c" }] },
      checkpoint: { checkpoint_id: first?.checkpoint?.checkpoint_id },
    });
    const said = async () => (await thread.texts()).filter((text) => String(text).length === 1);
    await thread.say("d");
    assert.deepEqual(await said(), ["a", "d"], "the server's trap");
    const row = await api.threads.row(thread.course.threadId);
    assert.equal(stuckCheckpoint(row.config), first?.checkpoint?.checkpoint_id);
    const session = liveSession(api, thread.course.threadId);
    await session.load();
    const notices = session.entries.filter((entry) => entry.kind === "notice").map(({ text }) => text);
    assert.match(notices.join("\n"), /each turn goes back there/);
    await session.start(request("chat", { text: "e" }));
    await idle(session);
    session.dispose();
    await thread.say("f");
    assert.deepEqual(await said(), ["a", "d", "e", "f"]);
    assert.equal(stuckCheckpoint((await api.threads.row(thread.course.threadId)).config), undefined);
  });

  it("becomes what a person made of a state, or says where the graph made something else of it", async () => {
    const thread = await beside(0);
    const { course } = thread;
    const head = await api.threads.state(course.threadId);
    const edited = { ...head.values, done: ["mine"] };
    const edit = readEdit(head.values, JSON.stringify(edited));
    assert.ok("values" in edit);
    assert.deepEqual(edit.values, { done: ["mine"] });
    const checkpointId = checkpointIn(head) ?? "";
    const plan = forkPlan(await readPosition(course), head, {
      checkpointId,
      values: edit.values,
      asNode: "begin",
    });
    const { state } = await carryOut(course, plan);
    assert.deepEqual(keysThatDiffer(edit.whole, state.values), ["done"]);
    const talk = await RepairedThread.make(api, "chat");
    for (const text of ["a", "b"]) await talk.say(text);
    const said = await api.threads.state(talk.course.threadId);
    const [a, , b] = said.values["messages"] as readonly JsonObject[];
    const reordered = readEdit(said.values, JSON.stringify({ messages: [b, { ...a, content: "A" }] }));
    assert.ok("values" in reordered);
    const position = await readPosition(talk.course);
    const from = { checkpointId: checkpointIn(said) ?? "", values: reordered.values, asNode: "__start__" };
    const written = await carryOut(talk.course, forkPlan(position, said, from));
    assert.deepEqual(keysThatDiffer(reordered.whole, written.state.values), []);
    await talk.run({ ...written.run });
    assert.deepEqual((await talk.texts()).slice(0, 2), ["b", "A"]);
  });

  it("is told the same live and reopened, with what was left behind", async () => {
    const session = liveSession(api);
    const run = async (text: string) => {
      await session.start(request("chat", { text }));
      await idle(session);
    };
    await run("one");
    await run("two");
    const course = { server: api, threadId: session.threadId ?? "", signal: new AbortController().signal };
    const said = session.entries.findLast((entry) => entry.kind === "message" && entry.role === "human");
    const found = await findMessage(course, { runId: said?.runId ?? "", index: 0 });
    await session.run((await carryOut(course, resendPlan(found, "two, edited"))).run);
    await idle(session);
    const facts = threadFacts(session.entries);
    const kinds = facts
      .filter((fact) => /^(run|human)/.test(fact))
      .map((fact) => fact.replace(/ of .*?, reject| (input|message):\S+/, ""));
    assert.deepEqual(kinds, [
      ...["run success", "human : one"],
      ...["run success, left whole", "human : two"],
      ...["run success", "human : two, edited"],
    ]);
    const again = liveSession(api, session.threadId);
    await again.load();
    await idle(again);
    assert.deepEqual(threadFacts(again.entries), facts);
    session.dispose();
    again.dispose();
  });

  it("lets one of two people repair a thread, and tells the other", async () => {
    const thread = await beside(1);
    const plan = goOnPlan(await readPosition(thread.course));
    const bodies = await Promise.all([carryOut(thread.course, plan), carryOut(thread.course, plan)]);
    const outcomes = await Promise.allSettled(
      bodies.map(({ run }) => runToEnd(api, thread.course.threadId, run)),
    );
    assert.deepEqual(outcomes.map(({ status }) => status).toSorted(), ["fulfilled", "rejected"]);
    assert.deepEqual((await thread.values())["done"], ["begin 1", "left 1", "right 2", "join 1"]);
  });
});

describe("a thread whose graph was changed on a real agent server", () => {
  it("says which steps there are, and goes on behind one of them", async () => {
    await using server = Object.assign(await startAgentServer(), {
      [Symbol.asyncDispose]: () => server.stop(),
    });
    const api = new AgentServer(new Http({ baseUrl: server.url }));
    const thread = await RepairedThread.make(api, "beside");
    await thread.run({ input: { job: "one", fail_times: 9 } });
    await server.killAndRestart(async (graphs) => {
      const file = join(graphs, "beside.mts");
      const text = await readFile(file, "utf8");
      await writeFile(file, text.replaceAll('"right"', '"other"'));
    });
    const position = await readPosition(thread.course);
    assert.match(await refusal(() => goOnPlan(position)), /now begin, left, other, join/);
    assert.match(await refusal(() => skipPlan(position, "right", null)), /no step “right” any more/);
    const checkpointId = checkpointIn(position.state) ?? "";
    const values = { fail_times: 0 };
    await thread.follow(forkPlan(position, position.state, { checkpointId, values, asNode: "begin" }));
    const done = (await thread.values())["done"] as readonly string[];
    assert.deepEqual(done.toSorted(), ["begin 1", "join 1", "left 1", "other 1"]);
  });
});
