/** Threads of a real agent server whose course is changed while others change them, or out of what is no more, or refused. */

import assert from "node:assert/strict";
import { AgentServer } from "../../src/api/agentServer/index.ts";
import type { Json } from "../../src/api/agentServer/wire.ts";
import type { Clock } from "../../src/api/retry.ts";
import { Http } from "../../src/api/http.ts";
import type { BulkJob } from "../../src/editor/bulk/bulkJob.ts";
import { bulkRound } from "../../src/editor/bulk/bulkRound.ts";
import { type RepairItem, type RepairJob, repairWork } from "../../src/editor/threads/bulk/repairWork.ts";
import { realClock } from "../../src/api/poll.ts";
import { carryOut } from "../../src/run/repair/carryOut.ts";
import { planClone, writeClone } from "../../src/run/repair/clone.ts";
import { findMessage } from "../../src/run/repair/messages.ts";
import { goOnPlan, skipPlan } from "../../src/run/repair/plan.ts";
import { readPosition } from "../../src/run/repair/threadPosition.ts";
import { idle, liveSession } from "../support/liveSession.ts";
import { refusal, RepairedThread } from "../support/repairedThread.ts";
import { failThreads, outcomeOf, repairOf, untold } from "../support/repairedThreads.ts";
import { type Asked, serve } from "../support/testServer.ts";
import { byTwo, itIsRepairedByTwo, overtaken, skips } from "../support/twoPeopleSuite.ts";
import { agentServerPeer } from "./agentServerPeer.ts";

const steps = ["collect", "check", "reserve", "charge", "write", "send", "close"];
const once = Object.fromEntries(steps.map((name) => [name, 1]));

describe("trouble with the course of a thread on a real agent server", () => {
  let url: string;
  let api: AgentServer;

  before(async () => {
    // The shared client's exchanges are read by a test that expects no refusal among them.
    ({ url } = await agentServerPeer());
    api = new AgentServer(new Http({ baseUrl: url }));
  });

  const failed = async (): Promise<RepairedThread> => {
    const thread = await RepairedThread.make(api);
    await thread.say("go", { fail_at: "write", fail_times: 1, job: crypto.randomUUID() });
    return thread;
  };

  const lengthOf = async (thread: RepairedThread): Promise<number> =>
    (await api.threads.history(thread.course.threadId, { limit: 100 })).length;

  itIsRepairedByTwo(() => Promise.resolve(api));

  it("skipped by two at once beside another step, it runs on only with what that step did", async () => {
    const thread = await RepairedThread.make(api, "beside");
    await thread.run({ input: { job: thread.course.threadId, fail_times: 9 } });
    const told = await byTwo(api, thread, await skips(thread, "right", (name) => ({ done: [name] })));
    const { values, next } = await api.threads.state(thread.course.threadId);
    const done = values["done"] as readonly string[];
    if (told.includes("")) assert.deepEqual([done.includes("left 1"), done.includes("join 1")], [true, true]);
    else assert.ok(!done.includes("join 1"), `${done.join()} before ${next.join()}`);
    for (const words of told.filter((one) => one !== "")) assert.match(words, overtaken);
  });

  it("a result that the graph refuses changes nothing, and a better one is taken then", async () => {
    const thread = await failed();
    const { threadId } = thread.course;
    const skip = async (values: Json) => skipPlan(await readPosition(thread.course), "write", values);
    const length = await lengthOf(thread);
    for (const values of [{ messages: 5 }, { messages: [{ no: "role" }] }, [1]])
      assert.match(await refusal(carryOut(thread.course, await skip(values))), /\/state: (500|400 values)/);
    const change = { kind: "skip", node: "write", values: { messages: 5 } } as const;
    const [item] = (await worked(await repairOf(api, [threadId], change), api)).items;
    assert.equal(item?.state, "waiting");
    assert.match(item.said ?? "", /status 500.* It was not done\.$/);
    assert.equal(await lengthOf(thread), length);
    await thread.follow(await skip({ messages: [{ type: "ai", content: "mine" }] }));
    assert.deepEqual((await thread.texts()).slice(-3), ["mine", "send: done", "close: done"]);
  });

  it("what came before the states that its server still keeps is said to be gone, and the rest goes on", async () => {
    const thread = await RepairedThread.make(api);
    const { course } = thread;
    await thread.say("one");
    await thread.say("two", { fail_at: "write", fail_times: 1, job: crypto.randomUUID() });
    const [oldest] = (await api.runs.list(course.threadId, { limit: 9 })).toSorted((one, other) =>
      one.created_at.localeCompare(other.created_at),
    );
    const [first] = (await thread.values())["messages"] as readonly { readonly id: string }[];
    // The only way to have this server forget states.
    await fetch(`${url}/threads/${course.threadId}/runs/${oldest?.run_id ?? ""}`, { method: "DELETE" });
    assert.equal(await lengthOf(thread), 6);
    assert.match(await refusal(planClone(course, [])), /^The beginning of this thread is not available/);
    assert.match(
      await refusal(findMessage(course, { id: first?.id ?? "" })),
      /^The state before this message/,
    );
    const session = liveSession(api, course.threadId);
    await session.load();
    await idle(session);
    assert.ok(session.entries.some((entry) => entry.kind === "step" && entry.name === "write"));
    session.dispose();
    await thread.follow(goOnPlan(await readPosition(course, () => false)));
    assert.deepEqual(await thread.executions(), { ...once, write: 2 });
    assert.equal((await thread.texts())[0], "one");
  });

  it("a clone leaves nothing on a server whose graphs can't have it", async () => {
    const thread = await RepairedThread.make(api);
    await thread.say("one");
    const plan = await planClone(thread.course, []);
    const before = await api.threads.count();
    const { signal } = thread.course;
    for (const graph of ["nowhere", "chat"])
      assert.match(await refusal(writeClone({ server: api, signal }, plan, graph)), /404|500/);
    assert.equal(await api.threads.count(), before);
  });

  it("many are each repaired once, though their server refuses all requests for a minute", async () => {
    const ids = await failThreads(api, 6);
    const job = await repairOf(api, ids, undefined, 3);
    let passed = 0;
    const refused: string[] = [];
    await using relay = await serve((asked) => {
      if (passed < 60_000) {
        refused.push(asked.method);
        return { status: 429, body: JSON.stringify({ detail: "Too many requests" }) };
      }
      return (response) =>
        void relayed(url, asked).then(({ status, text }) => response.writeHead(status).end(text));
    });
    const there = new AgentServer(new Http({ baseUrl: relay.url }));
    const clock = { now: () => passed, sleep: (ms: number) => Promise.resolve(void (passed += ms)) };
    const after = await worked(job, there, clock);
    assert.ok(refused.length > 3, "it was asked too seldom");
    assert.deepEqual(
      after.items.map(({ state }) => state),
      ids.map(() => "done"),
      JSON.stringify(after.items),
    );
    for (const id of ids)
      assert.deepEqual(await outcomeOf(api, id), { executions: { ...once, write: 2 }, runs: 2, next: [] });
  });
});

/** The job as it is when all was done that can be. */
function worked(
  job: RepairJob,
  server: AgentServer,
  clock: Pick<Clock, "now" | "sleep"> = realClock,
): Promise<BulkJob<RepairItem>> {
  const work = repairWork(
    { serverOf: () => server, clock: realClock, deadlineMs: () => 60_000, threads: untold },
    job,
  );
  const ports = { work, clock, hindrance: () => undefined, save: () => Promise.resolve() };
  return bulkRound(job, ports, { most: Infinity, pace: job.pace, signal: new AbortController().signal });
}

/** What the server behind answers to it. */
async function relayed(
  url: string,
  { method, url: path, body }: Asked,
): Promise<{ readonly status: number; readonly text: string }> {
  const answer = await fetch(`${url}${path}`, {
    method,
    headers: { "content-type": "application/json" },
    ...(body !== "" && { body }),
  });
  return { status: answer.status, text: await answer.text() };
}
