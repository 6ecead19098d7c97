import { strict as assert } from "node:assert";
import { type Draft, Ledger } from "../../../../../src/run/fold/drafts/ledger.ts";
import type { Entry } from "../../../../../src/run/panel/transcript.ts";

const draft = (id: string, growth?: string, lane = ""): Draft => ({
  id,
  lane,
  build: () => ({ kind: "notice", id, level: "info", text: id }) as unknown as Entry,
  ...(growth === undefined ? {} : { growth: () => growth }),
});
const [a, b, c, d] = [draft("a"), draft("b"), draft("c"), draft("d")];
const [h, k] = [draft("h"), draft("k")];
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

  it("puts what stands below a head behind all others there, and the rest at the end", () => {
    const section = ledger.open("1");
    ledger.add(section, a);
    ledger.addHead(section, h);
    ledger.add(section, b, h);
    assert.equal(ids(ledger), "hab", "what came before the head, and stood below none, is its own");
    ledger.add(section, c, h);
    assert.equal(ids(ledger), "habc");
    ledger.addHead(section, k);
    ledger.add(section, d, h);
    assert.equal(ids(ledger), "habcdk");
    assert.deepEqual(
      [a, c, k].map((one) => ledger.headOf(one)?.id),
      ["h", "h", undefined],
    );
    assert.equal(ledger.tailOf(section, "", h), d);
    assert.equal(ledger.tailOf(section, "", undefined), k);
  });

  it("moves a row below a head, once, and knows what is then the last one below the head that it left", () => {
    const section = ledger.open("1");
    for (const head of [h, k]) ledger.addHead(section, head);
    for (const one of [a, b]) ledger.add(section, one, h);
    ledger.takePatch();
    ledger.putBelow(section, k, b);
    assert.equal(ids(ledger), "hakb");
    assert.deepEqual(ledger.takePatch()?.order, ["h", "a", "k", "b"]);
    assert.deepEqual([ledger.tailOf(section, "", h), ledger.tailOf(section, "", k)], [a, b]);
    ledger.putBelow(section, k, b);
    assert.equal(ledger.takePatch(), undefined, "it was there");
    ledger.putBelow(section, k, a);
    assert.equal(ids(ledger), "hkba");
    assert.equal(ledger.tailOf(section, "", h), undefined);
    ledger.add(section, c, h);
    assert.equal(ids(ledger), "hckba");
  });

  it("puts a row right behind its head, before all others there", () => {
    const section = ledger.open("1");
    ledger.addHead(section, h);
    ledger.putFirstBelow(section, h, a);
    assert.equal(ledger.tailOf(section, "", h), a);
    ledger.add(section, b, h);
    ledger.addHead(section, k);
    ledger.takePatch();
    ledger.putFirstBelow(section, h, c);
    assert.equal(ids(ledger), "hcabk");
    assert.deepEqual([ledger.headOf(c), ledger.tailOf(section, "", h)], [h, b]);
    assert.deepEqual(ledger.takePatch()?.order, ["h", "c", "a", "b", "k"]);
    ledger.putFirstBelow(section, h, c);
    assert.equal(ledger.takePatch(), undefined, "it was there");
    ledger.putFirstBelow(section, h, b);
    assert.equal(ids(ledger), "hbcak");
  });

  it("adds a head before another one, with what stands below none", () => {
    const section = ledger.open("1");
    ledger.addHead(section, k);
    ledger.add(section, a, k);
    ledger.add(section, b);
    ledger.addHead(section, h, k);
    assert.equal(ids(ledger), "hbka");
    assert.deepEqual([ledger.headOf(b), ledger.headOf(a)], [h, k]);
  });

  it("keeps a row at the end that no head takes for its own", () => {
    const section = ledger.open("1");
    ledger.putEnd(section, a);
    ledger.add(section, b);
    ledger.takePatch();
    ledger.putEnd(section, a);
    assert.deepEqual(ledger.takePatch()?.order, ["b", "a"]);
    ledger.putEnd(section, a);
    assert.equal(ledger.takePatch(), undefined, "it was there");
    ledger.addHead(section, h);
    assert.equal(ids(ledger), "hba");
    assert.equal(ledger.headOf(a), undefined);
    ledger.putEnd(section, c);
    assert.equal(ledger.takePatch()?.order?.join(""), "hbac");
  });

  it("puts what each lane holds behind the row that begins the lane, and what no row begins at the end", () => {
    const section = ledger.open("1");
    const [inner, deep, stray] = [draft("i", "", "x"), draft("e", "", "x|y"), draft("s", "", "z")];
    for (const one of [stray, deep, a, inner, b]) ledger.add(section, one);
    ledger.takePatch();
    const begun = new Map([
      [a, "x"],
      [inner, "x|y"],
    ]);
    ledger.nest(section, (row) => begun.get(row));
    assert.equal(ids(ledger), "aiebs");
    assert.deepEqual(ledger.takePatch()?.order, ["a", "i", "e", "b", "s"]);
    ledger.nest(section, (row) => begun.get(row));
    assert.equal(ledger.takePatch(), undefined, "all stood there");
  });

  it("arranges the heads of one lane with what stands below them, and leaves other lanes alone", () => {
    const section = ledger.open("1");
    const other = draft("o", "", "x");
    ledger.add(section, d);
    for (const [head, below] of [
      [h, a],
      [k, b],
    ] as const) {
      ledger.addHead(section, head, undefined);
      ledger.add(section, below, head);
    }
    ledger.add(section, other);
    ledger.add(section, c, h);
    assert.equal(ids(ledger), "hdackbo");
    ledger.arrange(section, [k, h]);
    assert.equal(ids(ledger), "kbhdaco");
    assert.equal(section.tails.get(""), c);
    assert.equal(section.tails.get("x"), other);
  });

  it("can't put a row behind one that it does not have", () => {
    assert.throws(() => ledger.putAfter(a, b), RangeError);
  });

  it("tells no order for a row that is new at the end, whatever puts it there", () => {
    const section = ledger.open("1");
    ledger.addHead(section, h);
    for (const [one, put] of [
      [a, () => ledger.putBelow(section, h, a)],
      [b, () => ledger.putLast(section, b)],
      [c, () => ledger.putEnd(section, c)],
    ] as const) {
      put();
      assert.deepEqual(ledger.takePatch(), {
        set: [...(one === a ? [h.build()] : []), one.build()],
        append: [],
      });
    }
    assert.equal(ids(ledger), "habc");
  });

  it("puts what is below a head behind other lanes, too, where it is the newest of its own", () => {
    const section = ledger.open("1");
    const inner = draft("i", "", "x");
    ledger.addHead(section, h);
    ledger.add(section, a, h);
    ledger.add(section, inner);
    ledger.takePatch();
    ledger.add(section, b, h);
    assert.equal(ids(ledger), "haib");
    assert.equal(ledger.takePatch()?.order, undefined);
    ledger.addHead(section, k);
    ledger.takePatch();
    ledger.add(section, c, h);
    assert.equal(ids(ledger), "haibck");
    assert.notEqual(ledger.takePatch()?.order, undefined);
  });

  it("adds what is below a head of another section to the section that it is for", () => {
    const [first, second] = [ledger.open("1"), ledger.open("2")];
    ledger.addHead(first, h);
    ledger.add(first, a, h);
    ledger.add(second, b, h);
    ledger.add(second, c);
    assert.equal(ids(ledger), "habc");
    assert.equal(ledger.sectionOf(b), second);
  });

  it("keeps the newest row of a lane when another one leaves it", () => {
    const section = ledger.open("1");
    ledger.addHead(section, h);
    for (const one of [a, b]) ledger.add(section, one);
    ledger.putBelow(section, h, a);
    assert.equal(ids(ledger), "hab");
    ledger.putEnd(section, b);
    assert.equal(section.tails.get(""), b);
    const other = ledger.open("2");
    ledger.putLast(other, b);
    assert.notEqual(section.tails.get(""), b);
  });
});
