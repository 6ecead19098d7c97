import { strict as assert } from "node:assert";
import { Branches } from "../../../../src/run/history/branches.ts";
import { stateAt } from "../repair/threadAt.ts";

/** States as "child<parent", the newest first, and where they stand. */
function placed(text: string): readonly string[] {
  const branches = new Branches();
  return text.split(" ").map((one) => {
    const [id = "", parent] = one.split("<");
    const { lane, isEnd, ways } = branches.next(stateAt(id, {}, parent));
    return `${id} ${String(lane)}${isEnd ? " end" : ""}${ways > 1 ? ` ${String(ways)} ways` : ""}`;
  });
}

describe("The branches of a history", () => {
  it("are one without a fork", () => {
    assert.deepEqual(placed("c<b b<a a"), ["c 0 end", "b 0", "a 0"]);
    assert.deepEqual(placed("a"), ["a 0 end"]);
  });

  it("stand beside that of the head, and meet where they began", () => {
    assert.deepEqual(placed("e<d d<b c<b b<a a"), ["e 0 end", "d 0", "c 1 end", "b 0 2 ways", "a 0"]);
    // The state that is the head may be older than others' steps only by its place in the list.
    assert.deepEqual(placed("f<b e<d d<b c<b b<a a"), [
      ...["f 0 end", "e 1 end", "d 1", "c 2 end", "b 0 3 ways", "a 0"],
    ]);
  });

  it("take the lane of one that has begun, and never that of the head", () => {
    assert.deepEqual(placed("g<f f<a e<d d<c c b<a a"), [
      ...["g 0 end", "f 0", "e 1 end", "d 1", "c 1", "b 1 end", "a 0 2 ways"],
    ]);
    assert.deepEqual(placed("b a"), ["b 0 end", "a 1 end"]);
  });
});
