import { strict as assert } from "node:assert";
import { readFile, writeFile } from "node:fs/promises";
import { TranscriptFold } from "../../../../src/run/fold/fold.ts";
import { TranscriptCopy } from "../../../../src/run/panel/transcriptCopy.ts";
import {
  eventsIn,
  goldenPath,
  recordingBytes,
  recordingNames,
  wholeTranscriptText,
} from "../../../support/recordings.ts";

/** Set to write the golden transcripts anew, to be read by a person before they are kept. */
const writing = process.env["WRITE_GOLDEN"] !== undefined;

/** How the recorded runs ended that did not end well; streams do not tell it. */
const endings: Readonly<Record<string, string>> = {
  "slow-cancelled": "interrupted",
  "slow-interrupted-first": "interrupted",
};

describe("a recorded stream of a real server", () => {
  it("is one of many", () => assert.ok(recordingNames().length >= 14));

  for (const name of recordingNames()) {
    it(`folds into its golden transcript: ${name}`, async () => {
      const text = wholeTranscriptText(await folded(name));
      if (writing) await writeFile(goldenPath(name), text);
      assert.equal(text, await readFile(goldenPath(name), "utf8"));
    });

    it(`has entries that tell all that is known: lanes, times, tokens, what was asked: ${name}`, async () => {
      const lines = (await folded(name)).map((entry) => `${JSON.stringify(entry)}\n`).join("");
      if (writing) await writeFile(goldenPath(`${name}-entries`), lines);
      assert.equal(lines, await readFile(goldenPath(`${name}-entries`), "utf8"));
    });

    it(`gives the same entries by patches after each event as in one go: ${name}`, async () => {
      const fold = new TranscriptFold();
      fold.open({ runId: name, assistantId: "agent", status: "pending" });
      const copy = new TranscriptCopy();
      for (const event of await eventsIn(await recordingBytes(name))) {
        fold.run(name).apply([event], 1000);
        const patch = fold.ledger.takePatch();
        if (patch !== undefined) copy.apply(patch);
      }
      assert.deepEqual(copy.entries, fold.entries());
    });
  }
});

async function folded(name: string): Promise<ReturnType<TranscriptFold["entries"]>> {
  const fold = new TranscriptFold();
  fold.open({ runId: name, assistantId: "agent", status: "pending" });
  const events = await eventsIn(await recordingBytes(name));
  for (const [index, event] of events.entries()) fold.run(name).apply([event], 1000 + 10 * index);
  if (fold.facts(name)?.status === "running") fold.settle(name, endings[name] ?? "success");
  return fold.entries();
}
