import { strict as assert } from "node:assert";
import { type Draft, Ledger } from "../../../../src/run/fold/ledger.ts";
import type { Entry } from "../../../../src/run/panel/transcript.ts";

const draft = (id: string, growth?: string): Draft => ({
  id,
  lane: "",
  build: () => ({ kind: "notice", id, level: "info", text: id }) as unknown as Entry,
  ...(growth === undefined ? {} : { growth: () => growth }),
});
const [a, b, c, d] = [draft("a"), draft("b"), draft("c"), draft("d")];
const ids = (ledger: Ledger): string =>
  ledger
    .drafts()
    .map(({ id }) => id)
    .join("");

describe("The ledger of a transcript", () => {
  let ledger: Ledger;

  beforeEach(() => (ledger = new Ledger()));

  it("has its sections in order, and in each the drafts where they were put", () => {
    const [first, second] = [ledger.open("1"), ledger.open("2")];
    ledger.add(first, a);
    ledger.add(second, c);
    ledger.putAfter(a, b);
    ledger.putFirst(second, d);
    assert.equal(ids(ledger), "abdc");
    ledger.putAfter(c, a);
    assert.equal(ids(ledger), "bdca");
    ledger.putLast(first, d);
    assert.equal(ids(ledger), "bdca");
    assert.deepEqual(
      [first, second].map(({ drafts }) => drafts.length),
      [2, 2],
    );
    assert.ok(
      ledger.isBefore(first, second) && !ledger.isBefore(second, first) && !ledger.isBefore(first, first),
    );
    assert.equal(ledger.sectionOf(d), first);
  });

  it("knows the newest row of each lane, wherever rows were put", () => {
    const section = ledger.open("1");
    ledger.add(section, a);
    ledger.putAfter(a, b);
    assert.equal(section.tails.get(""), b);
    ledger.putAfter(a, c);
    assert.equal(section.tails.get(""), b);
    ledger.putFirst(section, d);
    assert.equal(section.tails.get(""), b);
  });

  it("puts the heads of a lane in order, and tells so only when one moved", () => {
    const section = ledger.open("1");
    for (const one of [a, b, c]) ledger.add(section, one);
    ledger.takePatch();
    ledger.arrange(section, [a, b, c]);
    assert.equal(ledger.takePatch()?.order, undefined);
    ledger.arrange(section, [c, a]);
    assert.equal(ids(ledger), "cab");
    assert.equal(section.tails.get(""), b);
    assert.deepEqual(ledger.takePatch()?.order, ["c", "a", "b"]);
  });

  it("tells the order only when rows are not all at the end, and then once", () => {
    const [first, second] = [ledger.open("1"), ledger.open("2")];
    ledger.add(second, a);
    assert.equal(ledger.takePatch()?.order, undefined);
    ledger.add(first, b);
    assert.deepEqual(ledger.takePatch()?.order, ["b", "a"]);
    assert.equal(ledger.takePatch(), undefined);
    ledger.putLast(first, b);
    assert.equal(ledger.takePatch(), undefined, "it was there");
    ledger.putFirst(first, b);
    assert.equal(ledger.takePatch(), undefined, "it was there, too");
    ledger.add(first, c);
    ledger.takePatch();
    ledger.putLast(first, b);
    assert.deepEqual(ledger.takePatch()?.order, ["c", "b", "a"]);
    ledger.addOnce(first, b);
    assert.equal(ledger.takePatch(), undefined);
  });

  it("sends a row that changed as a whole at first, then what was appended, and nothing of one in no section", () => {
    const growing = draft("g", " more");
    ledger.touch(growing);
    assert.equal(ledger.takePatch(), undefined);
    ledger.add(ledger.open("1"), growing);
    assert.deepEqual(
      ledger.takePatch()?.set.map(({ id }) => id),
      ["g"],
    );
    ledger.touch(growing);
    assert.deepEqual(ledger.takePatch(), { set: [], append: [{ id: "g", text: " more" }] });
  });
});
