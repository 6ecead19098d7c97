/** What is proved of threads that two people repair at once: one of them does, and the other one is told. */

import { strict as assert } from "node:assert";
import type { AgentServer } from "../../src/api/agentServer/index.ts";
import type { Json, StateUpdate } from "../../src/api/agentServer/wire.ts";
import { checkpointIn } from "../../src/run/history/pages.ts";
import { carryOut } from "../../src/run/repair/carryOut.ts";
import { forkPlan, goOnPlan, type Plan, skipPlan } from "../../src/run/repair/plan.ts";
import { CourseRefusal, readPosition } from "../../src/run/repair/threadPosition.ts";
import { liveSession, sessionUntil } from "./liveSession.ts";
import { refusal, RepairedThread } from "./repairedThread.ts";

const steps = ["collect", "check", "reserve", "charge", "write", "send", "close"];
const once = Object.fromEntries(steps.map((name) => [name, 1]));

/** What somebody is told who was not the first. */
export const overtaken = /already running|^A run goes on|went on meanwhile|in the same moment/;

/** Two people do it at once, each in a window of their own; what each was told, "" who started a run. */
export async function byTwo(
  api: AgentServer,
  { course }: RepairedThread,
  plans: readonly Plan[],
): Promise<readonly string[]> {
  const told = await Promise.all(
    plans.map(async (plan) => {
      const session = liveSession(api, course.threadId);
      await session.load();
      try {
        const { run } = await carryOut(course, plan);
        const outcome = await session.run(run);
        return outcome.accepted ? "" : outcome.message;
      } catch (error) {
        if (!(error instanceof CourseRefusal)) throw error;
        return error.message;
      } finally {
        await sessionUntil(session, () => session.state.kind !== "streaming");
        session.dispose();
      }
    }),
  );
  return told.toSorted();
}

/** How two people skip a step, each with a result of their own. */
export async function skips(
  thread: RepairedThread,
  node: string,
  values: (name: string) => Json,
): Promise<readonly Plan[]> {
  const position = await readPosition(thread.course);
  return ["one", "other"].map((name) => skipPlan(position, node, values(name)));
}

/** Tests that have threads repaired by two at once, on the server that `start` gives. */
export function itIsRepairedByTwo(start: () => Promise<AgentServer>): void {
  let api: AgentServer;

  before(async () => {
    api = await start();
  });

  const failed = async (): Promise<RepairedThread> => {
    const thread = await RepairedThread.make(api);
    await thread.say("go", { fail_at: "write", fail_times: 1, job: crypto.randomUUID() });
    return thread;
  };

  it("retried by two at once, a step runs once more, and one of them is told", async () => {
    const thread = await failed();
    const plan = goOnPlan(await readPosition(thread.course));
    const [first, second = ""] = await byTwo(api, thread, [plan, plan]);
    assert.equal(first, "");
    assert.match(second, overtaken);
    assert.deepEqual(await thread.executions(), { ...once, write: 2 });
  });

  it("skipped by two at once, it has the result of one of them, and the other one is told where theirs is", async () => {
    const thread = await failed();
    const mine = (content: string) => ({ messages: [{ type: "ai", content }] });
    const [first, second = ""] = await byTwo(api, thread, await skips(thread, "write", mine));
    assert.equal(first, "");
    assert.match(second, overtaken);
    const texts = await thread.texts();
    assert.equal(texts.filter((text) => text === "one" || text === "other").length, 1, texts.join());
    const { write, ...others } = once;
    assert.deepEqual([await thread.executions(), write], [others, 1]);
  });

  it("a fork of a fork is refused where a run goes on, also one that began in the same moment", async () => {
    const thread = await RepairedThread.make(api, "slow");
    const { course } = thread;
    const input = (seconds: number) => ({ messages: [{ role: "user", content: "talk" }], seconds });
    await thread.run({ input: input(0.1) });
    const fork = async (): Promise<{ readonly plan: Plan; readonly source: unknown }> => {
      const states = await api.threads.history(course.threadId, { limit: 50 });
      const target = states.find(({ next }) => next.length > 0 && next[0] !== "__start__") ?? assert.fail();
      const checkpointId = checkpointIn(target) ?? "";
      const position = await readPosition(course, (state) => checkpointIn(state) === checkpointId);
      const plan = forkPlan(position, target, { checkpointId, values: null });
      return { plan, source: target.metadata?.["source"] };
    };
    const sources: unknown[] = [];
    for (let round = 0; round < 2; round += 1) {
      const { plan, source } = await fork();
      sources.push(source);
      await thread.follow(plan);
    }
    const { plan, source } = await fork();
    assert.deepEqual([...sources, source], ["loop", "update", "update"]);
    const busy = /^A run goes on in this thread\. .*Somebody else may have started it/;
    const begin = () =>
      api.runs.create(course.threadId, { assistant_id: "slow", input: input(30), if_not_exists: "reject" });
    const stop = ({ run_id: id }: { readonly run_id: string }) =>
      api.runs.cancel(course.threadId, id, { wait: true });
    const run = await begin();
    assert.match(await refusal(carryOut(course, plan)), busy);
    assert.match(await refusal(fork()), busy);
    await stop(run);
    const { plan: late } = await fork();
    const written = async () =>
      (await api.threads.history(course.threadId, { limit: 50 })).filter(
        ({ metadata }) => metadata?.["source"] === "update",
      ).length;
    const before = await written();
    let began: Awaited<ReturnType<typeof begin>> | undefined;
    const update = async (id: string, body: StateUpdate) => {
      began = await begin();
      return api.threads.update(id, body);
    };
    const { runs, assistants } = api;
    const threads = {
      create: () => assert.fail(),
      state: (id: string) => api.threads.state(id),
      row: (id: string) => api.threads.row(id),
      update,
    };
    assert.match(await refusal(carryOut({ ...course, server: { threads, runs, assistants } }, late)), busy);
    assert.equal(await written(), before);
    await stop(began ?? assert.fail("no run began"));
  });
}
