import { strict as assert } from "node:assert";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { readEvent } from "../../../../src/api/threadProtocol/event.ts";
import type { ProtocolEvent } from "../../../../src/api/threadProtocol/wire.ts";
import { TranscriptFold } from "../../../../src/run/fold/fold.ts";
import type { Entry } from "../../../../src/run/panel/transcript.ts";
import { ProtocolOrder } from "../../../../src/run/protocol/order.ts";
import { ProtocolTranslator } from "../../../../src/run/protocol/translator.ts";
import { eventsIn, wholeTranscriptText } from "../../../support/recordings.ts";

const fixtures = join(import.meta.dirname, "../../../fixtures");
/** Set to write the golden transcripts anew, to be read by a person before they are kept. */
const writing = process.env["WRITE_GOLDEN"] !== undefined;
const endings = { chat: "success", researcher: "success", approval: "success", faulty: "error" };

describe("a recorded thread of the streaming protocol", () => {
  for (const [name, ending] of Object.entries(endings)) {
    it(`folds into its golden transcript: ${name}`, async () => {
      const text = folded([await recorded(name)], ending);
      const golden = join(fixtures, "transcripts", `protocol-${name}.txt`);
      if (writing) await writeFile(golden, text);
      assert.equal(text, await readFile(golden, "utf8"));
    });

    it(`has entries that tell all that is known: ${name}`, async () => {
      const lines = foldedFrom([await recorded(name)], ending).map((entry) => `${JSON.stringify(entry)}\n`);
      const golden = join(fixtures, "transcripts", `protocol-${name}-entries.txt`);
      if (writing) await writeFile(golden, lines.join(""));
      assert.equal(lines.join(""), await readFile(golden, "utf8"));
    });

    it(`is the same however it is cut, doubled and mixed up: ${name}`, async () => {
      const events = await recorded(name);
      const whole = folded([events], ending);
      const single = events.map((event) => [event]);
      assert.equal(folded(single, ending), whole, "one at a time");
      assert.equal(folded([...single, ...single].toSorted(bySeq), ending), whole, "each twice");
      const swapped = single.flatMap((_, place) =>
        place % 2 === 1
          ? [single[place] ?? [], single[place - 1] ?? []]
          : place === single.length - 1
            ? [single[place] ?? []]
            : [],
      );
      assert.equal(folded(swapped, ending), whole, "two by two in the wrong order");
    });
  }

  it("goes on after a gap, which is counted", async () => {
    const events = await recorded("chat");
    const order = new ProtocolOrder();
    const kept = events.filter(({ seq = 0 }) => seq < 8 || seq > 11);
    const passed = [...order.accept(kept), ...order.flush()];
    assert.equal(passed.length, kept.length);
    assert.equal(order.missing, 4);
  });
});

function folded(batches: readonly (readonly ProtocolEvent[])[], ending: string): string {
  return wholeTranscriptText(foldedFrom(batches, ending));
}

function foldedFrom(batches: readonly (readonly ProtocolEvent[])[], ending: string): readonly Entry[] {
  const [order, translator, fold] = [new ProtocolOrder(0), new ProtocolTranslator(), new TranscriptFold()];
  fold.open({ runId: "r", assistantId: "agent", status: "pending" });
  const apply = (events: readonly ProtocolEvent[]): void => {
    for (const event of events) fold.run("r").apply(translator.translate(event), 1000);
  };
  for (const batch of batches) apply(order.accept(batch));
  apply(order.flush());
  assert.equal(translator.ending, ending);
  fold.settle("r", ending);
  return fold.entries();
}

async function recorded(name: string): Promise<readonly ProtocolEvent[]> {
  const bytes = await readFile(join(fixtures, "wire", "protocol", `${name}.sse`));
  return (await eventsIn(bytes)).map(readEvent);
}

function bySeq([a]: readonly ProtocolEvent[], [b]: readonly ProtocolEvent[]): number {
  return (a?.seq ?? 0) - (b?.seq ?? 0);
}
