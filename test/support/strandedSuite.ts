/** What is proved of a run that its server left running for ever: it goes on in a copy, each step before it run once. */

import assert from "node:assert/strict";
import type { AgentServer } from "../../src/api/agentServer/index.ts";
import { copyStranded, planRescue } from "../../src/run/repair/continueInCopy.ts";
import { linksIn } from "../../src/run/repair/threadLinks.ts";
import { strandedText } from "../../src/run/session/strandedRun.ts";
import { type Held, HeldRuns, type HoldingGraph, type RescueOptions } from "./heldRuns.ts";
import { liveSession, request, sessionUntil } from "./liveSession.ts";
import { refusal } from "./repairedThread.ts";
import { until } from "./until.ts";

/** How long a look listens here: events that a server has come within milliseconds. */
const listenMs = 1000;

/** How a server comes to leave its runs running; answers when it began anew, where a window would know that. */
export type Stranding = () => Promise<number | undefined>;

/** A server whose runs can be held, and stranded. */
export interface StrandingServer {
  readonly api: AgentServer;
  readonly graph: HoldingGraph;
}

/**
 * Tests that continue stranded runs on the server that `start` gives. The ways in which it strands them are named; the
 * last one is used where any will do.
 */
export function itContinuesStranded(
  start: () => Promise<StrandingServer>,
  ways: readonly (readonly [string, Stranding])[],
): void {
  let api: AgentServer;
  let graph: HoldingGraph;
  let runs: HeldRuns;
  const strand = ways.at(-1)?.[1] ?? assert.fail("nothing strands a run");
  const step = (number: number): string => graph.steps[number] ?? assert.fail(`no step ${String(number)}`);
  const hold: HeldRuns["hold"] = (...args) => runs.hold(...args);
  const threadOf: HeldRuns["threadOf"] = (...args) => runs.threadOf(...args);

  /** Goes on with it, and proves that nothing of it was lost and no step before it has run twice. */
  async function rescue(held: Held, options: RescueOptions = {}): Promise<void> {
    const rescued = await runs.rescue(held, options);
    assert.equal(rescued.sign, options.serverBeganAt === undefined ? "events" : "server");
    assert.match(rescued.effects, new RegExp(`^Runs again: ${held.at}\\.`));
    assert.deepEqual(await runs.losses(held, rescued), []);
    // The thread itself keeps its run and its states.
    const [original, copy] = [await api.threads.get(held.threadId), await api.threads.get(rescued.copyId)];
    assert.deepEqual([original.status, copy.status], ["busy", "idle"]);
    assert.deepEqual(await api.threads.history(held.threadId, { limit: 100 }), rescued.before);
    assert.equal(linksIn(original.metadata).continuedIn, rescued.copyId);
    assert.deepEqual(linksIn(copy.metadata), { continuedFrom: held.threadId });
    assert.equal(copy.metadata["title"], held.job);
  }

  before(async () => {
    ({ api, graph } = await start());
    runs = new HeldRuns(api, graph, listenMs);
  });

  for (const [how, stranding] of ways)
    for (const [copy, canCopy] of [
      ["a copy", true],
      ["a copy written step by step, where it can't copy threads", false],
    ] as const)
      it(`goes on in ${copy}, each earlier step run once, after ${how}`, async () => {
        const held = await Promise.all(graph.steps.map((at) => hold(at)));
        const unheard = [await hold(step(0), false), await hold(step(2), false)];
        const serverBeganAt = await stranding();
        // Of a run that can't be followed twice, only a server that is known to be younger tells.
        const told = serverBeganAt === undefined ? held : [...held, ...unheard];
        await Promise.all(told.map((one) => rescue(one, { serverBeganAt, canCopy })));
        for (const { threadId } of serverBeganAt === undefined ? unheard : [])
          assert.equal((await planRescue(threadOf(threadId), listenMs)).stranded.sign, "silence");
      });

  it("is told from one that goes on, which is left alone", async () => {
    const held = await Promise.all([hold(step(1)), hold(step(1), false)]);
    const count = await api.threads.count();
    const [resumable, other] = held.map(({ threadId }) => threadOf(threadId));
    assert.match(
      await refusal(planRescue(resumable ?? assert.fail(), listenMs)),
      /^The run in this thread goes on/,
    );
    // Nothing tells of the other one: a person decides.
    const planned = await planRescue(other ?? assert.fail(), listenMs);
    assert.equal(planned.stranded.sign, "silence");
    assert.match(strandedText(planned.stranded), /may be stranded.*is not known\.$/);
    // What was found before does not count when it is done.
    const stale = { ...planned, stranded: { ...planned.stranded, runId: "another" } };
    assert.match(await refusal(copyStranded(other ?? assert.fail(), stale, listenMs)), /Nothing was done/);
    assert.match(await refusal(copyStranded(resumable ?? assert.fail(), planned, listenMs)), /goes on/);
    assert.equal(await api.threads.count(), count);
    await strand();
  });

  it("that moves while it is listened to goes on", async () => {
    const { thread_id: threadId } = await api.threads.create();
    const input = { messages: [], seconds: 20 };
    const run = await api.runs.create(threadId, { assistant_id: "slow", input, stream_resumable: false });
    const looking = refusal(planRescue(threadOf(threadId), 4000));
    await until("it runs", async () => (await api.runs.get(threadId, run.run_id)).status === "running");
    await api.runs.cancel(threadId, run.run_id, { wait: true });
    assert.match(await looking, /goes on|No run is under way/);
    assert.match(await refusal(planRescue(threadOf(threadId), listenMs)), /^No run is under way/);
  });

  it("is continued once, whoever else wants to", async () => {
    const held = await hold(step(2));
    await strand();
    const thread = threadOf(held.threadId);
    const planned = await planRescue(thread, listenMs);
    await rescue(held);
    assert.match(await refusal(copyStranded(thread, planned, listenMs)), /Somebody else has continued/);
  });

  it("is told by a session that follows it in silence", async () => {
    const session = liveSession(threadOf("none").server);
    const job = runs.nextJob();
    const json = { messages: [], job, hold_at: step(1) };
    await session.start(request(graph.assistantId, { json }));
    await runs.waits({ threadId: session.threadId ?? assert.fail("no thread"), job, at: step(1) });
    const told = () => (session.state.kind === "streaming" ? session.state.stranded?.text : undefined);
    assert.equal(told(), undefined);
    await strand();
    await sessionUntil(session, () => told() !== undefined);
    assert.match(told() ?? "", /seems to be stranded: .*lost its events/);
    session.dispose();
  });
}
