import { strict as assert } from "node:assert";
import type { Json, JsonObject, ThreadState } from "../../../../src/api/agentServer/wire.ts";
import type { SseEvent } from "../../../../src/api/exchange.ts";
import { TranscriptFold } from "../../../../src/run/fold/fold.ts";
import { rows, TranscriptCopy } from "../../../../src/run/panel/transcriptCopy.ts";
import { damagedJson, oddValues } from "../../../support/damage.ts";
import { Random } from "../../../support/random.ts";
import { eventsIn, recordedJson, recordingBytes, recordingNames } from "../../../support/recordings.ts";

describe("events of any shape", () => {
  it("are made of many recordings", () => assert.ok(recordingNames().length >= 14));

  for (const name of recordingNames())
    it(`neither stop the fold nor make patches and entries differ: ${name}`, async () => {
      const random = new Random(42);
      const events = await eventsIn(await recordingBytes(name));
      for (let round = 0; round < 12; round += 1) {
        const fold = new TranscriptFold();
        fold.open({ runId: "r", assistantId: "a", status: "running" }, random.pick(oddValues));
        const copy = new TranscriptCopy();
        for (const event of events) {
          fold.run("r").apply([mutated(event, random)], 1);
          const patch = fold.ledger.takePatch();
          if (patch !== undefined) copy.apply(patch);
        }
        fold.settle("r", "interrupted");
        const patch = fold.ledger.takePatch();
        if (patch !== undefined) copy.apply(patch);
        assert.deepEqual(copy.entries, fold.entries());
        assert.equal(rows(copy.entries, new Set()).length, copy.entries.length);
        assert.equal(new Set(copy.entries.map(({ id }) => id)).size, copy.entries.length);
      }
    });

  it("may be followed by a state of any shape", async () => {
    const random = new Random(7);
    const state = await recordedJson<JsonObject>("approval-state");
    for (let round = 0; round < 300; round += 1) {
      const fold = new TranscriptFold();
      fold.open({ runId: "r", assistantId: "a", status: "running" });
      const odd = Object.entries(state).map(([name, field]) => [
        name,
        damagedJson(field ?? null, random, 0.1),
      ]);
      fold.reconcile(Object.fromEntries(odd) as ThreadState);
      fold.entries();
    }
  });

  it("are kept as evidence when they are text that was cut", async () => {
    const fold = new TranscriptFold();
    fold.open({ runId: "r", assistantId: "a", status: "running" });
    for (const { event, data } of await eventsIn(await recordingBytes("approval"))) {
      fold.run("r").apply([{ event, data: data.slice(0, data.length / 2) }], 1);
    }
    assert.ok(fold.entries().some((entry) => entry.kind === "notice" && entry.detail !== undefined));
  });
});

describe("hostile events", () => {
  const fold = () => {
    const opened = new TranscriptFold();
    opened.open({ runId: "r", assistantId: "a", status: "running" });
    return opened;
  };

  it("are shown as text when they are nested deeper than anything that reads them can follow", () => {
    const deep = "[".repeat(100_000) + "]".repeat(100_000);
    const opened = fold();
    for (const [event, data] of [
      ["custom", deep],
      ["updates", `{"node":{"messages":[{"type":"ai","id":"m","tool_calls":[{"args":${deep}}]}]}}`],
      ["messages", `[{"type":"ai","content":${deep}},{}]`],
      ["odd", deep],
    ] as const) {
      opened.run("r").apply([{ event, data }], 1);
    }
    const entries = JSON.stringify(opened.entries());
    assert.match(entries, /"latest":"\[\[\[\[/);
    assert.match(entries, /The server sent “updates” data that can't be read/);
    assert.match(entries, /The server sent “messages” data that can't be read/);
    assert.match(entries, /Unknown event “odd”/);
  });

  it("may call a role what every object has", () => {
    const opened = fold();
    opened.run("r").apply([{ event: "messages", data: '[{"type":"constructor","content":"hi"},{}]' }], 1);
    assert.deepEqual(
      opened.entries().map((entry) => entry.kind === "message" && entry.role),
      [false, "constructor"],
    );
  });
});

function mutated(event: SseEvent, random: Random): SseEvent {
  if (random.chance(0.5)) return event;
  return { ...event, data: JSON.stringify(damagedJson(JSON.parse(event.data) as Json, random, 0.1)) };
}
