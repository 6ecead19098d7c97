/** What is proved of comparisons: the step in which two runs part is found, seen live or from what their server keeps. */

import { deepEqual, equal, match, ok } from "node:assert/strict";
import type { AgentServer } from "../../src/api/agentServer/index.ts";
import type { JsonObject } from "../../src/api/agentServer/wire.ts";
import { compare, type Comparison } from "../../src/run/compare/comparison.ts";
import { sideOf } from "../../src/run/compare/steps.ts";
import type { RunServer } from "../../src/run/session/server.ts";
import type { RunSession } from "../../src/run/session/session.ts";
import { idle, liveSession, request, scrolledThrough } from "./liveSession.ts";
import { partly } from "./partly.ts";

/** Tests that compare runs on the server that `start` gives; `parallel` names agents whose steps end in any order. */
export function itComparesRuns(start: () => Promise<AgentServer>, parallel: readonly string[]): void {
  const sessions: RunSession[] = [];
  let api: AgentServer;

  before(async () => {
    api = await start();
  });
  after(() => sessions.forEach((session) => session.dispose()));

  async function ran(assistantId: string, rest: JsonObject = {}): Promise<RunSession> {
    const session = liveSession(api);
    sessions.push(session);
    const json = { messages: [{ role: "user", content: "Go" }], ...rest };
    await session.start(request(assistantId, { json }));
    await idle(session);
    return session;
  }

  async function opened({ threadId }: RunSession): Promise<RunSession> {
    const session = liveSession(api, threadId);
    sessions.push(session);
    await session.load();
    await idle(session);
    return session;
  }

  /** From what its server keeps alone: the events of its runs are gone. */
  async function kept({ threadId }: RunSession): Promise<RunSession> {
    const { threads, runs, assistants } = api;
    const rejoin = () => Promise.reject(new Error("The events are gone."));
    const server: RunServer = { threads, assistants, runs: partly(runs, { rejoin }) };
    const session = liveSession(server, threadId);
    sessions.push(session);
    await session.load();
    await idle(session);
    await scrolledThrough(session);
    return session;
  }

  const compared = (left: RunSession, right: RunSession): Comparison =>
    compare(sideOf(left.entries, undefined), sideOf(right.entries, undefined));

  it("finds the step that failed in one of them, with the times of each", async () => {
    const [well, failed] = await Promise.all([
      ran("pipeline"),
      ran("pipeline", { fail_at: "write", fail_times: 9 }),
    ]);
    for (const [left, right] of [
      [well, failed],
      [await opened(well), await opened(failed)],
      [well, await opened(failed)],
    ] as const) {
      const { rows, first } = compared(left, right);
      const steps = rows.filter(({ kind }) => kind === "step");
      deepEqual(
        steps.map(({ name, isDifferent }) => (isDifferent ? `! ${name}` : name)),
        ["collect", "check", "reserve", "charge", "! write", "! send", "! close"],
      );
      equal(rows[first ?? -1]?.kind, "input");
      const [charge, write, send] = steps.slice(3);
      ok(write?.differs.includes("status") && write.differs.includes("errors"), write?.differs.join());
      deepEqual([send?.left?.status, send?.right], ["done", undefined]);
      for (const step of [charge?.left, charge?.right]) ok(step?.tookMs !== undefined && step.hasStates);
    }
  });

  it("finds nothing between a failed run and what its server keeps of it, and with it why it failed", async () => {
    const failed = await ran("pipeline", { fail_at: "write", fail_times: 9 });
    const again = await kept(failed);
    deepEqual(drawn(compared(failed, again)), []);
    const write = sideOf(again.entries, undefined).steps.find(({ name }) => name === "write");
    match(write?.did.get("errors") ?? "", /write failed, time 1 of 9/);
  });

  it("finds nothing between a run and what its server keeps of it, nor between parallel branches that end in any order", async () => {
    for (const agent of parallel) {
      const [one, other] = await Promise.all([ran(agent), ran(agent)]);
      for (const again of [await opened(one), await kept(one)])
        deepEqual(drawn(compared(one, again)), [], agent);
      const names = (session: RunSession) => sideOf(session.entries, undefined).steps.length;
      equal(names(one), names(other));
      const alone = compared(one, other).rows.filter(({ left, right }) => !left || !right);
      deepEqual(
        alone.map(({ name }) => name),
        [],
        agent,
      );
    }
  });
}

function drawn({ rows }: Comparison): readonly string[] {
  return rows.flatMap(({ name, isDifferent, differs }) => (isDifferent ? `${name} ${differs.join()}` : []));
}
