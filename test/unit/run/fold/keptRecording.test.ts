import { strict as assert } from "node:assert";
import { readFile, writeFile } from "node:fs/promises";
import type { Run, ThreadState } from "../../../../src/api/agentServer/wire.ts";
import { TranscriptFold } from "../../../../src/run/fold/fold.ts";
import { Checkpoints } from "../../../../src/run/history/checkpoints.ts";
import { keptRuns } from "../../../../src/run/history/keptRuns.ts";
import type { Entry } from "../../../../src/run/panel/transcript.ts";
import {
  eventsIn,
  goldenPath,
  recordedJson,
  recordingBytes,
  wholeTranscriptText,
} from "../../../support/recordings.ts";

/** Set to write the golden transcripts anew, to be read by a person before they are kept. */
const writing = process.env["WRITE_GOLDEN"] !== undefined;
const input = { messages: [{ role: "user", content: "tea" }] };

describe("a recorded run that is brought back", () => {
  const runId = "01a1fc88-2ba7-776b-92f5-8c8f2b5bdf70";
  const run: Run = {
    ...{ run_id: runId, thread_id: "t", assistant_id: "researcher", status: "success", metadata: {} },
    ...{ created_at: "2026-11-21T05:15:44.940Z", updated_at: "2026-11-21T05:15:45.170Z", kwargs: { input } },
  };

  /** Its transcript, made by doing these one after the other. */
  async function made(
    ...steps: readonly ("stream" | "keep" | "state" | "settle")[]
  ): Promise<readonly Entry[]> {
    const history = await recordedJson<readonly ThreadState[]>("researcher-history");
    const events = await eventsIn(await recordingBytes("researcher"));
    const checkpoints = new Checkpoints();
    checkpoints.add(history);
    const fold = new TranscriptFold();
    fold.open({ runId, assistantId: "researcher", status: "pending" }, input);
    for (const step of steps)
      if (step === "stream") fold.run(runId).apply(events, 1000, true);
      else if (step === "settle") fold.settle(runId, "success");
      else if (step === "state") fold.reconcile(await recordedJson<ThreadState>("researcher-state"));
      else
        for (const root of keptRuns([run], checkpoints))
          fold.keep({ root, lanes: new Map(), unkept: new Set() });
    return fold.entries();
  }

  for (const [name, ...steps] of [
    ["researcher-kept", "settle", "keep", "state"],
    ["researcher-kept-streamed", "stream", "settle", "state", "keep"],
  ] as const)
    it(`has entries that tell all that is known: ${name}`, async () => {
      const lines = (await made(...steps)).map((entry) => `${JSON.stringify(entry)}\n`).join("");
      const golden = goldenPath(`${name}-entries`);
      if (writing) await writeFile(golden, lines);
      assert.equal(lines, await readFile(golden, "utf8"));
    });

  it("is the same whatever of it is read first, and however often", async () => {
    const whole = wholeTranscriptText(await made("stream", "settle", "state", "keep"));
    for (const steps of [
      ["stream", "state", "settle", "keep", "keep"],
      ["state", "settle", "keep", "stream", "settle", "keep"],
      ["settle", "keep", "state", "stream", "settle", "keep", "state"],
    ] as const)
      assert.equal(wholeTranscriptText(await made(...steps)), whole, steps.join());
  });
});
