/** Two runs of a real server beside each other: the step in which they part is found, whether seen live or from what the server keeps. */

import { deepEqual, equal, ok } from "node:assert/strict";
import { compare, type Comparison } from "../../src/run/compare/comparison.ts";
import { sideOf } from "../../src/run/compare/steps.ts";
import type { RunSession } from "../../src/run/session/session.ts";
import { idle, liveSession, request } from "../support/liveSession.ts";
import { type AgentServerPeer, agentServerPeer, say } from "./agentServerPeer.ts";

describe("comparing runs of a real agent server", function () {
  this.timeout(120_000);
  const sessions: RunSession[] = [];
  let peer: AgentServerPeer;

  before(async () => {
    peer = await agentServerPeer();
  });
  after(() => sessions.forEach((session) => session.dispose()));

  async function ran(assistantId: string, input: object): Promise<RunSession> {
    const session = liveSession(peer.api);
    sessions.push(session);
    await session.start(request(assistantId, { json: say("Go", input as never) }));
    await idle(session);
    return session;
  }

  async function opened({ threadId }: RunSession): Promise<RunSession> {
    const session = liveSession(peer.api, threadId);
    sessions.push(session);
    await session.load();
    await idle(session);
    return session;
  }

  const compared = (left: RunSession, right: RunSession): Comparison =>
    compare(sideOf(left.entries, undefined), sideOf(right.entries, undefined));

  it("finds the step that failed in one of them, with the times of each", async () => {
    const [well, failed] = await Promise.all([
      ran("pipeline", {}),
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

  it("finds nothing between a run and what its server keeps of it, nor between parallel branches that end in any order", async () => {
    for (const agent of ["naps", "par", "fan"]) {
      const [one, other] = await Promise.all([ran(agent, {}), ran(agent, {})]);
      const itself = compared(one, await opened(one));
      deepEqual(drawn(itself), [], agent);
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
});

function drawn({ rows }: Comparison): readonly string[] {
  return rows.flatMap(({ name, isDifferent, differs }) => (isDifferent ? `${name} ${differs.join()}` : []));
}
