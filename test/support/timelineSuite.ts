/** What is proved of timelines: when steps ran and what they took, beside what their nodes measured themselves. */

import assert from "node:assert/strict";
import { setTimeout as delay } from "node:timers/promises";
import type { AgentServer } from "../../src/api/agentServer/index.ts";
import type { Entry } from "../../src/run/panel/transcript.ts";
import type { RunSession } from "../../src/run/session/session.ts";
import { type Span, timelineOf } from "../../src/run/timeline/timeline.ts";
import { lanesOf } from "../../src/run/timeline/tracks.ts";
import { first, idle, liveSession, request } from "./liveSession.ts";

interface Nap {
  readonly node: string;
  readonly from: number;
  readonly to: number;
}

/** How long a person is waited for, and how long the server may then need to go on. */
const [waitedMs, mostIdleMs] = [400, 5000];
/** How much longer a step may seem than its node was at work, on a machine that has time for it. */
const mostMs = 20;

const input = { json: { messages: [{ role: "user", content: "Sleep well" }] } };
/** The Local Platform's models speak as slowly as those of the real server's graph. */
const nap = { ...request("naps", input), configurable: { token_delay_ms: 200 } };

/** Tests that tell of steps of a known length when they ran, on the server that `start` gives. */
export function itTellsWhenStepsRan(start: () => Promise<AgentServer>): void {
  const sessions: RunSession[] = [];
  /** Each step as the window showed it first when it was over. */
  const live = new Map<string, Span>();
  let api: AgentServer;
  let threadId: string;
  let naps: readonly Nap[];
  let shown: readonly Entry[];

  before(async () => {
    api = await start();
    const session = liveSession(api, undefined, () => {
      for (const span of timelineOf(session.entries).spans)
        if (span.kind === "step" && span.to !== undefined && !live.has(span.name)) live.set(span.name, span);
    });
    sessions.push(session);
    await session.start(nap);
    await idle(session);
    shown = session.entries;
    threadId = session.threadId ?? assert.fail("no thread");
    ({ naps } = (await api.threads.state(threadId)).values as unknown as { naps: readonly Nap[] });
  });
  after(() => sessions.forEach((session) => session.dispose()));

  async function opened(): Promise<RunSession> {
    const session = liveSession(api, threadId);
    sessions.push(session);
    await session.load();
    await idle(session);
    return session;
  }

  /** How much longer each nap's step seems than the nap was, both by the server's clock. */
  const overhead = (spans: Iterable<Span>, of: readonly Nap[]): readonly number[] => {
    const byName = new Map([...spans].map((span) => [span.name, span]));
    return of.map(({ node, from, to }) => {
      const span = byName.get(node) ?? assert.fail(`no step ${node}`);
      assert.ok(span.from !== undefined && span.to !== undefined, `${node} has no times`);
      assert.ok(span.from <= from && span.to >= to, `${node} is somewhere else`);
      return span.to - span.from - (to - from);
    });
  };
  const median = (values: readonly number[]): number =>
    values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Infinity;

  it("has most steps as long as their nodes were at work, within 20 ms, as they were followed and from what the server keeps", async () => {
    const seen: number[] = [];
    // A busy machine makes some longer: it naps until most are not.
    for (let round = 0; round < 10 && !(median(seen) <= mostMs); round += 1) {
      const session = liveSession(api);
      sessions.push(session);
      await session.start(nap);
      await idle(session);
      const id = session.threadId ?? assert.fail("no thread");
      const slept = (await api.threads.state(id)).values["naps"] as unknown as readonly Nap[];
      const again = liveSession(api, id);
      sessions.push(again);
      await again.load();
      await idle(again);
      const [followed, kept] = [session, again].map(({ entries }) =>
        overhead(timelineOf(entries).spans, slept),
      );
      assert.deepEqual(followed, kept);
      seen.push(...(kept ?? []));
    }
    assert.ok(median(seen) <= mostMs, `${seen.join(" ")} ms`);
  });

  it("has each step as it ends, one behind the other by this window's clock, and by the server's once all is over", async () => {
    const seen = naps.map(({ node }) => live.get(node) ?? assert.fail(`${node} came only when all was over`));
    for (const [index, { name, from, to }] of seen.entries()) {
      assert.ok(from !== undefined && to !== undefined && from <= to, `${name} has no times`);
      if (index > 0) assert.equal(from, seen[index - 1]?.to, `${name} does not follow`);
    }
    const times = (entries: readonly Entry[]) =>
      timelineOf(entries).spans.map(({ kind, lane, name, from, to }) => [kind, lane, name, from, to]);
    assert.deepEqual(times(shown), times((await opened()).entries));
  });

  it("knows when a model gave its first token, of what this window saw", async () => {
    const spoken = (entries: readonly Entry[]) =>
      timelineOf(entries).spans.filter(({ name }) => name === "say");
    for (const { firstTokens, from = 0, to = 0 } of spoken(shown)) {
      assert.equal(firstTokens.length, 1);
      // Events that come late on a busy machine move it, but not behind the three tokens that follow.
      assert.ok(firstTokens[0]! < to - from, `${firstTokens.join(" ")} of ${to - from} ms`);
    }
    const kept = spoken((await opened()).entries);
    assert.deepEqual(
      kept.map(({ firstTokens }) => firstTokens),
      [[], []],
    );
  });

  it("counts the tokens of parallel subgraphs once, though their messages go up into the thread", async () => {
    for (const entries of [shown, (await opened()).entries]) {
      const timeline = timelineOf(entries);
      const { calls, reported, usage } = timeline.spent;
      assert.deepEqual([calls, reported, usage.output], [2, 2, 8]);
      const lanes = lanesOf(timeline, Date.now());
      assert.deepEqual(
        lanes.map(({ name, spent }) => [name, spent.usage.output]),
        [
          ["", 0],
          ["left", 4],
          ["right", 4],
        ],
      );
    }
  });

  it("has how long a person was waited for, and which tools were called, as they were followed and from what the server keeps", async () => {
    const session = liveSession(api);
    sessions.push(session);
    await session.start(request("approval", { text: "Tell them" }));
    await idle(session);
    const waits = (entries: readonly Entry[]) =>
      timelineOf(entries).spans.filter(({ kind }) => kind === "wait");
    const [asking] = waits(session.entries);
    assert.deepEqual([asking?.status, asking?.isOn, asking?.to], ["waiting", true, undefined]);
    await delay(waitedMs);
    const question = first(session, "interrupt") ?? assert.fail("nothing was asked");
    const approved = question.requests.map(() => ({ type: "approve" }) as const);
    assert.deepEqual(await session.answers.decide(question.id, approved), { accepted: true });
    await idle(session);
    const again = liveSession(api, session.threadId);
    sessions.push(again);
    await again.load();
    await idle(again);
    for (const { entries } of [session, again]) {
      const [{ status, from = NaN, to = NaN } = assert.fail("nobody was waited for"), ...others] =
        waits(entries);
      assert.deepEqual([status, others.length], ["answered", 0]);
      assert.ok(to - from >= waitedMs && to - from < waitedMs + mostIdleMs, `${to - from} ms`);
      const tools = timelineOf(entries).spans.filter(({ kind }) => kind === "tool");
      assert.deepEqual(
        tools.map(({ name }) => name),
        question.requests.map(({ name }) => name),
      );
    }
  });
}
