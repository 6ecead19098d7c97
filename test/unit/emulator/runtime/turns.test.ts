import assert from "node:assert/strict";
import { setImmediate as nextTurn } from "node:timers/promises";
import { Turns } from "../../../../src/emulator/runtime/turns.ts";

describe("turns of the Local Platform's runs", () => {
  it("are taken in the order of asking, a few in each turn of the event loop", async () => {
    const turns = new Turns();
    const taken: number[] = [];
    const all = Promise.all(
      Array.from({ length: 50 }, async (_, i) => {
        await turns.take();
        taken.push(i);
      }),
    );
    const seen: number[] = [];
    while (taken.length < 50) {
      await nextTurn();
      seen.push(taken.length);
    }
    await all;
    assert.deepEqual(
      taken,
      taken.map((_, i) => i),
    );
    assert.ok(seen.length >= 3, `50 went on within ${seen.length} turns of the event loop`);
  });

  it("come round again for those who ask again", async () => {
    const turns = new Turns();
    const order: string[] = [];
    const work = async (name: string) => {
      for (let i = 0; i < 3; i += 1) {
        await turns.take();
        order.push(name);
      }
    };
    await Promise.all([work("a"), work("b")]);
    assert.equal(order.join(""), "ababab");
  });
});
