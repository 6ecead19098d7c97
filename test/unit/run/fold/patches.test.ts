import { strict as assert } from "node:assert";
import type { Json, Run, ThreadState } from "../../../../src/api/agentServer/wire.ts";
import { TranscriptFold } from "../../../../src/run/fold/fold.ts";
import { Checkpoints } from "../../../../src/run/history/checkpoints.ts";
import { type KeptRun, keptRuns } from "../../../../src/run/history/keptRuns.ts";
import { TranscriptCopy } from "../../../../src/run/panel/transcriptCopy.ts";
import { Random } from "../../../support/random.ts";
import { recordedJson } from "../../../support/recordings.ts";
import { stateOf } from "../session/scriptedServer.ts";
import { foldedLanes } from "./foldedLanes.ts";
import { foldedMessages, type Sent } from "./foldedMessages.ts";
import { foldedPieces } from "./foldedPieces.ts";
import { kept, step } from "./keptFacts.ts";

const streams = Object.values({ ...foldedMessages, ...foldedLanes, ...foldedPieces }).map(({ sent }) => sent);
const usage_metadata = { input_tokens: 1, output_tokens: 2 };
const messages: readonly Json[] = [
  { type: "human", id: "h", content: "Hi" },
  { type: "ai", id: "m", content: "abc", usage_metadata },
  { type: "ai", content: "ok" },
  { type: "ai", id: "p", content: "", tool_calls: [{ id: "c", name: "find", args: {} }] },
  { type: "tool", id: "q", tool_call_id: "c", content: "found" },
  { type: "ai", id: "n", content: "b" },
];
const questions = [
  { id: "i", value: "Sure?" },
  { id: "q", value: "Really?" },
];
const runIds = ["r", "s"];
const statuses = ["success", "interrupted", "error", "running"];
const notices = [
  { level: "info", text: "told" },
  { level: "warning", text: "told", detail: "more", lane: "web:1" },
] as const;

/** Something that may happen to a thread at any time. */
type Change = (fold: TranscriptFold, random: Random) => void;

async function changes(): Promise<readonly Change[]> {
  const checkpoints = new Checkpoints();
  checkpoints.add(await recordedJson<readonly ThreadState[]>("researcher-history"));
  const researched = keptRuns(
    [
      {
        run_id: "01a1fc88-2ba7-776b-92f5-8c8f2b5bdf70",
        created_at: "",
        updated_at: "",
        status: "success",
      } as Run,
    ],
    checkpoints,
  );
  const some = (random: Random): readonly Json[] => messages.filter(() => random.below(2) === 0);
  const keptOf = (random: Random, runId: string): KeptRun => ({
    ...kept(
      ["model", "web", "ask"]
        .filter(() => random.below(3) > 0)
        .map((node, at) =>
          step(String(at + 1), node, random.pick(["done", "error", "interrupted", "running"] as const), {
            messages: some(random),
            questions: random.below(3) === 0 ? questions.slice(0, 1) : [],
            lostQuestion: random.below(5) === 0,
          }),
        ),
      {
        left: random.pick([undefined, "part", "whole"] as const),
        input: some(random).slice(0, 1),
        end: { checkpointId: "c", rest: { keys: ["n"], text: `{"n":${random.below(3)}}` } },
      },
    ),
    runId,
  });
  const events = (fold: TranscriptFold, runId: string, sent: readonly Sent[], random: Random): void =>
    fold.run(runId).apply(
      sent.map(([event, data]) => ({ event, data: JSON.stringify(data) })),
      1000 + random.below(5000),
      random.below(4) === 0,
    );
  const questionIds = ["interrupt:i", "interrupt:q", "interrupt:i:1", "interrupt:r:0"];
  return [
    (fold, random) => events(fold, random.pick(runIds), random.pick(streams), random),
    (fold, random) => events(fold, random.pick(runIds), random.pick(streams).slice(0, 1), random),
    (fold, random) => {
      const tasks = [{ id: "1", name: "ask", interrupts: questions.filter(() => random.below(2) === 0) }];
      const next = random.pick([[], ["ask"], ["ask", "web"]]);
      const row = random.pick([undefined, { status: "interrupted", interrupts: {} }, { status: "idle" }]);
      const state = { ...stateOf({ messages: some(random) }, random.pick([tasks, []])), next };
      fold.reconcile(row === undefined ? state : { ...state, row });
    },
    (fold, random) => fold.settle(random.pick(runIds), random.pick(statuses), { endedAt: random.below(9) }),
    (fold, random) => {
      const runId = random.pick(runIds);
      const root = random.below(4) === 0 ? { ...(researched[0] ?? kept([])), runId } : keptOf(random, runId);
      const lanes = new Map(
        [["web:2", keptOf(random, runId)]].filter(() => random.below(2) === 0) as [string, KeptRun][],
      );
      fold.keep({ root, lanes, unkept: new Set(random.pick([[], ["web:1"]])) });
    },
    (fold, random) => fold.setUnkept(random.pick(runIds)),
    (fold, random) => fold.noteLost(random.pick(runIds)),
    (fold, random) => fold.setUnread(random.pick(runIds), random.below(2) === 0),
    (fold, random) => fold.notice(random.pick(notices), random.pick([...runIds, undefined])),
    (fold, random) => fold.noteThread(random.pick(notices)),
    (fold, random) => fold.noteFailure(random.pick(runIds), random.pick(["no disk", { message: "no net" }])),
    (fold, random) =>
      fold.interrupts.set(
        random.pick(questionIds),
        random.pick(["sending", "failed", "answered", "open"] as const),
        random.pick([undefined, "yes"]),
      ),
    (fold, random) => fold.interrupts.closeBut(new Set(questionIds.filter(() => random.below(2) === 0))),
    (fold) => fold.feedback.set("r", { key: "score", state: "sent", given: { score: 1 } }),
    (fold, random) => {
      const runId = random.pick(["t", "u"]);
      const resume = random.pick([undefined, "yes", { i: "yes" }]);
      fold.open({ runId, assistantId: "b", status: "pending" }, random.pick([undefined, null, { n: 1 }]), {
        resume,
      });
    },
  ];
}

describe("The patches of a transcript", () => {
  it("make the page show what the host has, whatever happens, in any order", async () => {
    const all = await changes();
    for (let seed = 1; seed <= 60; seed += 1) {
      const random = new Random(seed);
      const fold = new TranscriptFold();
      for (const runId of runIds)
        fold.open({ runId, assistantId: "a", status: "pending" }, { messages: messages.slice(0, 1), n: 1 });
      const copy = new TranscriptCopy();
      for (let change = 0; change < 40; change += 1) {
        random.pick(all)(fold, random);
        const patch = fold.ledger.takePatch();
        if (patch !== undefined) copy.apply(patch);
        assert.deepEqual(copy.entries, fold.entries(), `seed ${seed}, change ${change}`);
      }
      assert.equal(fold.ledger.takePatch(), undefined);
    }
  });
});
