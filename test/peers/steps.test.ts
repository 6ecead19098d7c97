/** The states before and behind each step can be compared, whichever graph it ran in and however it ended. */

import assert from "node:assert/strict";
import { AgentServer } from "../../src/api/agentServer/index.ts";
import type { Json } from "../../src/api/agentServer/wire.ts";
import { Http } from "../../src/api/http.ts";
import type { StepEntry } from "../../src/run/panel/transcript.ts";
import type { RunSession } from "../../src/run/session/session.ts";
import { idle, liveSession, request } from "../support/liveSession.ts";
import { say } from "./agentServerPeer.ts";
import { type AgentServerProcess, startAgentServer } from "./server.ts";

describe("the steps of a run on a real agent server", () => {
  const sessions: RunSession[] = [];
  let server: AgentServerProcess;
  let api: AgentServer;
  let researched: string;
  let shownLive: readonly string[];

  before(async () => {
    server = await startAgentServer();
    api = new AgentServer(new Http({ baseUrl: server.url }));
  });
  after(async () => server.stop());
  afterEach(() => sessions.splice(0).forEach((session) => session.dispose()));

  async function ran(graph: string, json: Json): Promise<RunSession> {
    const session = liveSession(api);
    sessions.push(session);
    await session.start(request(graph, { json }));
    await idle(session);
    return session;
  }

  async function opened(threadId: string): Promise<RunSession> {
    const session = liveSession(api, threadId);
    sessions.push(session);
    await session.load();
    await idle(session);
    return session;
  }

  const stateAt = (session: RunSession, { lane }: StepEntry, checkpointId: string) =>
    api.threads.state(session.threadId ?? "", { checkpointId, checkpointNs: lane });

  /** Which keys differ between the states before and behind a step. */
  async function changed(session: RunSession, step: StepEntry): Promise<readonly string[]> {
    const { before, after } = step.checkpoints ?? assert.fail(`${step.lane} ${step.name} has no states`);
    const [then, now] = await Promise.all([
      stateAt(session, step, before),
      stateAt(session, step, after ?? assert.fail(`${step.name} did not get through`)),
    ]);
    assert.equal(then.checkpoint?.checkpoint_ns ?? "", step.lane);
    const keys = Object.keys({ ...then.values, ...now.values });
    return keys.filter((key) => JSON.stringify(then.values[key]) !== JSON.stringify(now.values[key]));
  }

  it("are compared in a subagent's lane as in the thread's own graph", async () => {
    const session = await ran("deep", say("tea"));
    for (const one of [session, await opened(session.threadId ?? "")]) {
      const steps = stepsOf(one);
      const models = steps.filter(({ lane, name }) => lane !== "" && name === "model_request");
      assert.equal(models.length, 4);
      for (const step of models) assert.deepEqual(await changed(one, step), ["messages"]);
      assert.deepEqual(
        steps.filter(({ checkpoints }) => checkpoints?.after === undefined),
        [],
      );
    }
  });

  it("that failed are compared with their error, which their task has", async () => {
    const session = await ran("thrower", { path: "/etc/hosts" });
    const failed = stepsOf(session).find(({ status }) => status === "error");
    const { before, after, outcome } = failed?.checkpoints ?? {};
    assert.deepEqual([after, outcome?.fields], [undefined, ["error"]]);
    assert.ok(failed !== undefined && before !== undefined);
    const { tasks } = await stateAt(session, failed, before);
    const task = tasks.find(({ id }) => id === outcome?.taskId);
    assert.match(JSON.stringify(task?.error), /line 42/);
  });

  it("that wait in a subgraph are compared with what they ask", async () => {
    const session = await ran("reviewer", say("plans"));
    const waiting = stepsOf(session).filter(({ status }) => status === "interrupted");
    const inner = waiting.find(({ lane }) => lane !== "") ?? assert.fail("no step of the subgraph waits");
    assert.deepEqual(inner.checkpoints?.outcome?.fields, ["interrupts"]);
    const { tasks } = await stateAt(session, inner, inner.checkpoints.before);
    const task = tasks.find(({ id }) => id === inner.checkpoints?.outcome?.taskId);
    assert.match(JSON.stringify(task?.interrupts), /run_sql/);
  });

  it("of a graph that a node calls by itself have their states, too", async () => {
    const session = await ran("researcher", say("tides"));
    researched = session.threadId ?? "";
    shownLive = laneSteps(session);
    assert.deepEqual(shownLive, [
      ...["historian model", "historian tools", "historian model"],
      ...["scientist model", "scientist tools", "scientist model"],
    ]);
    for (const one of [session, await opened(researched)]) {
      assert.deepEqual(laneSteps(one), shownLive);
      for (const step of stepsOf(one)) {
        assert.deepEqual(await changed(one, step), ["messages"]);
        assert.equal(step.unkept, undefined);
      }
    }
  });

  it("of such a graph are all there when their events are gone, and those whose node is not kept say so", async () => {
    await server.killAndRestart();
    const session = await opened(researched);
    const isKept = (step: string): boolean => step.endsWith(" tools");
    const nameOnly = (step: string): string => (isKept(step) ? step : `${step.split(" ")[0] ?? ""} `);
    assert.deepEqual(laneSteps(session), shownLive.map(nameOnly));
    for (const step of stepsOf(session)) {
      assert.deepEqual(await changed(session, step), ["messages"]);
      assert.equal(step.unkept?.includes("does not keep which node"), step.name === "" ? true : undefined);
    }
  });
});

function stepsOf({ entries }: RunSession): readonly StepEntry[] {
  return entries.filter((entry) => entry.kind === "step");
}

/** The steps of lanes, in the order of the lanes' names. */
function laneSteps(session: RunSession): readonly string[] {
  const inner = stepsOf(session).filter(({ lane }) => lane !== "");
  const lanes = Map.groupBy(inner, ({ lane }) => lane);
  const sorted = [...lanes].toSorted(([one], [other]) => (one < other ? -1 : 1));
  return sorted.flatMap(([lane, steps]) => steps.map(({ name }) => `${lane.replace(/:.*/, "")} ${name}`));
}
