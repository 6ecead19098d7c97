import { strict as assert } from "node:assert";
import { EventIds } from "../../../../src/run/session/follower.ts";

describe("the ids of a run's events", () => {
  for (const [kind, ids] of Object.entries({
    "counted from zero": ["8", "9", "10", "11"],
    "made of time and count": ["1718000000000-9", "1718000000000-10", "1718000000001-0", "1718000000001-1"],
    "of any other kind": ["b", "z", "a", "c"],
  })) {
    it(`${kind} drop what came before, also when a server repeats the last one or all of them`, () => {
      const seen = new EventIds();
      seen.note(events(ids.slice(0, 2)));
      assert.equal(seen.last, ids[1]);
      assert.deepEqual(seen.fresh(events(ids)), events(ids.slice(2)));
      assert.deepEqual(seen.fresh(events(ids)), []);
      assert.equal(seen.last, ids[3]);
      assert.equal(seen.gap, false);
    });
  }

  it("show that events are missing when the count jumps", () => {
    const seen = new EventIds();
    seen.note(events(["4"]));
    seen.fresh(events(["4", "7"]));
    assert.equal(seen.gap, true);
  });

  it("may be absent from some events: the last one that is there counts", () => {
    const seen = new EventIds();
    seen.note([...events(["5"]), { event: "custom", data: "1" }]);
    assert.equal(seen.last, "5");
    seen.note([...events(["6", "7"]), ...Array.from({ length: 4 }, () => ({ event: "custom", data: "1" }))]);
    assert.equal(seen.last, "7");
  });

  it("are not needed: events without any are all new", () => {
    const seen = new EventIds();
    seen.note([{ event: "custom", data: "1" }]);
    assert.equal(seen.last, undefined);
    assert.equal(seen.fresh([{ event: "custom", data: "1" }]).length, 1);
  });
});

function events(ids: readonly string[]) {
  return ids.map((id) => ({ id, event: "custom", data: "1" }));
}
