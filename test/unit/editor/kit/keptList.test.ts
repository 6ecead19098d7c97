import { strict as assert } from "node:assert";
import { KeptList } from "../../../../src/editor/kit/keptList.ts";
import { TestMemento } from "../../../support/testMemento.ts";

interface Item {
  readonly id: string;
  readonly text: string;
}

describe("A list that is kept over a reload", () => {
  let memory: TestMemento;
  const open = (most?: number): KeptList<Item> => new KeptList(memory, "list", ({ id }) => id, most);

  beforeEach(() => (memory = new TestMemento()));

  it("is found again by the next window, the newest last", async () => {
    const list = open();
    await list.keep({ id: "a", text: "1" });
    await list.keep({ id: "b", text: "2" });
    await list.keep({ id: "a", text: "3" });
    assert.deepEqual(open().items, [
      { id: "b", text: "2" },
      { id: "a", text: "3" },
    ]);
    assert.equal(open().get("a")?.text, "3");
  });

  it("forgets the oldest when there are too many", async () => {
    for (const id of ["a", "b", "c", "d"]) await open(3).keep({ id, text: "" });
    await open(3).keep({ id: "b", text: "new" });
    await open(3).keep({ id: "e", text: "" });
    assert.deepEqual(
      open().items.map(({ id }) => id),
      ["d", "b", "e"],
    );
  });

  it("says whether there was something to forget, and leaves nothing behind when it is empty", async () => {
    const list = open();
    await list.keep({ id: "a", text: "" });
    assert.equal(await list.forget("b"), false);
    assert.equal(await list.forget("a"), true);
    assert.deepEqual([list.items, memory.keys()], [[], []]);
  });

  it("reads pairs as version 0.1.0 wrote them, and nothing of what is no list", () => {
    const pairs = (): KeptList<readonly [string, number]> => new KeptList(memory, "list", ([key]) => key);
    memory.set("list", { one: 1, two: 2 });
    assert.deepEqual(pairs().get("two"), ["two", 2]);
    memory.set("list", "text");
    assert.deepEqual(pairs().items, []);
  });
});
