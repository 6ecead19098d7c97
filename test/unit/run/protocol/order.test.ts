import { strict as assert } from "node:assert";
import type { ProtocolEvent } from "../../../../src/api/threadProtocol/wire.ts";
import { ProtocolOrder } from "../../../../src/run/protocol/order.ts";
import type { OrderBegin } from "../../../../src/run/protocol/order.ts";
import { SeenNumbers } from "../../../../src/run/protocol/seenNumbers.ts";

describe("The order of a thread's events", () => {
  for (const numbers of [
    [0, 1, 2, 3],
    [1, 2, 3],
  ]) {
    for (const begin of ["start", undefined] as const) {
      for (const mixed of permutations(numbers)) {
        it(`loses and doubles nothing of ${mixed.join()} ${begin === "start" ? "in a new thread" : "in one that nothing is known of"}`, () => {
          const twice = mixed.flatMap((seq) => [seq, seq]);
          for (const told of [mixed, twice, [...mixed, ...mixed], [...mixed, ...numbers]]) {
            assert.deepEqual(passed(begin, told), numbers, `${told.join()}, one at a time`);
            assert.deepEqual(passed(begin, told, told.length), numbers, `${told.join()}, all at once`);
          }
        });
      }
    }
  }

  it("lets nothing wait that comes in its order, from 0 or from the event that begins a run", () => {
    for (const events of [
      [event(0), event(1)],
      [running(1), event(2)],
      [running(12), event(13)],
    ]) {
      const order = new ProtocolOrder("start");
      for (const one of events) assert.deepEqual(order.accept([one]), [one]);
      assert.equal(order.disturbed, false);
    }
  });

  it("lets an event wait that begins only a part of a run, or ends one", () => {
    const [inner, ended] = [running(12), running(12)].map((one, index): ProtocolEvent => {
      const { params } = one;
      return {
        ...one,
        params: index === 0 ? { ...params, namespace: ["s:1"] } : { ...params, data: { event: "completed" } },
      };
    });
    for (const one of [inner, ended]) {
      assert.ok(one);
      assert.deepEqual(new ProtocolOrder("start").accept([one]), []);
    }
  });

  it("asks for what may come before the first one only as long as that is in doubt", () => {
    const order = new ProtocolOrder("start");
    assert.deepEqual(order.accept([event(1)]), []);
    assert.deepEqual([order.holding, order.gapped], [true, false]);
    assert.deepEqual(numbersOf(order.settle()), [1]);
    assert.deepEqual([order.last, order.resumeAfter], [1, undefined]);
    assert.equal(begun().resumeAfter, 1);
  });

  it("drops no event that comes too late, and says that it did", () => {
    const order = new ProtocolOrder("start");
    order.accept([event(1)]);
    order.settle();
    assert.deepEqual(numbersOf(order.accept([event(2), event(0), event(3), event(0)])), [2, 0, 3]);
    assert.deepEqual([order.last, order.missing, order.disturbed], [3, 0, true]);
    const behind = begun();
    behind.accept([event(4)]);
    behind.flush();
    assert.equal(behind.missing, 2);
    assert.deepEqual(numbersOf(behind.accept([event(3), event(2), event(3), event(5)])), [3, 2, 5]);
  });

  it("is disturbed by one event that is missing, or one that came late", () => {
    const gap = begun();
    gap.accept([event(3)]);
    assert.deepEqual(numbersOf(gap.flush()), [3]);
    assert.deepEqual([gap.missing, gap.disturbed], [1, true]);
    const late = new ProtocolOrder("start");
    late.accept([event(1)]);
    late.settle();
    assert.deepEqual(numbersOf(late.accept([event(0)])), [0]);
    assert.deepEqual([late.missing, late.disturbed, late.last], [0, true, 1]);
  });

  it("counts what is missing of a new thread before the first event that came", () => {
    const order = new ProtocolOrder("start");
    assert.deepEqual(order.accept([event(3)]), []);
    assert.equal(order.gapped, true);
    assert.deepEqual(numbersOf(order.flush()), [3]);
    assert.equal(order.missing, 2);
    const unknown = new ProtocolOrder();
    unknown.accept([event(3)]);
    assert.equal(unknown.gapped, false);
  });

  it("drops what a backend repeats after a reconnect, with a gap and without", () => {
    const order = begun();
    assert.deepEqual(numbersOf(order.accept([event(2), event(4)])), [2]);
    assert.deepEqual([order.gapped, order.resumeAfter], [true, 2]);
    const replay = [running(1), event(2), event(3), event(4), event(5)];
    assert.deepEqual(numbersOf(order.accept(replay)), [3, 4, 5]);
    assert.deepEqual(order.accept(replay), []);
    assert.deepEqual([order.missing, order.disturbed], [0, false]);
  });

  it("takes nothing of what came before the run", () => {
    const order = new ProtocolOrder(4);
    assert.deepEqual(numbersOf(order.accept([event(3), event(4), event(6), event(5)])), [5, 6]);
  });

  it("leaves an event without a number behind the one that it came after", () => {
    const plain: ProtocolEvent = { method: "custom", params: { namespace: [], data: null } };
    const order = new ProtocolOrder(0);
    assert.deepEqual(numbersOf(order.accept([plain, event(2), plain])), [undefined]);
    assert.deepEqual(numbersOf(order.accept([event(1), event(3)])), [1, 2, undefined, 3]);
    const ids = ["7", "a", "7", "8", "a"].map((event_id) => ({ ...plain, event_id }));
    assert.deepEqual(
      order.accept(ids).map(({ event_id }) => event_id),
      ["7", "a", "8"],
    );
  });

  it("is crowded once more wait than come late", () => {
    const order = begun();
    for (let seq = 3; seq < 3 + 64; seq += 1) order.accept([event(seq)]);
    assert.equal(order.crowded, false);
    order.accept([event(3 + 64)]);
    assert.equal(order.crowded, true);
    assert.equal(order.flush().length, 65);
    assert.deepEqual([order.crowded, order.missing], [false, 1]);
  });

  it("keeps an event without a number behind the one that it came after, also where one in between comes later", () => {
    const plain: ProtocolEvent = { method: "custom", params: { namespace: [], data: null } };
    const order = begun();
    order.accept([event(3), plain, plain, event(6)]);
    order.accept([event(4)]);
    assert.deepEqual(numbersOf(order.accept([event(2)])), [2, 3, undefined, undefined, 4]);
    assert.deepEqual(numbersOf(order.accept([event(5)])), [5, 6]);
  });

  it("forgets the oldest of very many ids, and no number", () => {
    const plain: ProtocolEvent = { method: "custom", params: { namespace: [], data: null } };
    const order = new ProtocolOrder();
    for (let id = 0; id < 100_000; id += 1) order.accept([{ ...plain, event_id: `e${id}` }]);
    assert.equal(order.accept([{ ...plain, event_id: "e0" }]).length, 0);
    order.accept([{ ...plain, event_id: "one more" }]);
    assert.equal(order.accept([{ ...plain, event_id: "e0" }]).length, 1);
    assert.equal(order.accept([{ ...plain, event_id: "e99999" }]).length, 0);
  });

  it("sorts what was collected, each once", () => {
    const told = [4, 3, 4, 1, 3].map(event);
    assert.deepEqual(numbersOf(ProtocolOrder.sorted(told)), [1, 3, 4]);
  });
});

describe("Numbers that were seen", () => {
  it("are as many as were added, however they came", () => {
    for (const mixed of permutations([0, 1, 2, 4, 5, 7])) {
      const seen = new SeenNumbers();
      for (const number of mixed) assert.equal(seen.add(number), true);
      for (const number of mixed) assert.equal(seen.add(number), false);
      assert.equal(seen.ranges, 3);
      assert.deepEqual(
        [-1, 0, 1, 2, 3, 4, 5, 6, 7, 8].filter((number) => !seen.add(number)),
        [0, 1, 2, 4, 5, 7],
      );
    }
  });

  it("need no more room than there are holes, and no more than there may be", () => {
    const seen = new SeenNumbers();
    for (let number = 0; number < 100_000; number += 1) seen.add(number);
    const whole = seen.ranges;
    for (let number = 100_001; number < 110_000; number += 2) seen.add(number);
    assert.deepEqual([whole, seen.ranges], [1, 512]);
    assert.equal(seen.add(109_999), false);
    assert.equal(seen.add(109_998), true);
    assert.equal(seen.add(100_002), false, "the oldest holes are forgotten, not the numbers");
  });
});

/** The numbers of what an order lets through, in that order, until nothing waits any more. */
function passed(begin: OrderBegin, told: readonly number[], together = 1): readonly (number | undefined)[] {
  const order = new ProtocolOrder(begin);
  const events = [];
  for (let at = 0; at < told.length; at += together)
    events.push(...order.accept(told.slice(at, at + together).map(event)));
  while (order.holding) events.push(...(order.gapped ? order.flush() : order.settle()));
  assert.deepEqual([order.missing, order.disturbed], [0, false]);
  return numbersOf(events);
}

function event(seq: number): ProtocolEvent {
  return { seq, method: "custom", params: { namespace: [], data: seq } };
}

function running(seq: number): ProtocolEvent {
  return { seq, method: "lifecycle", params: { namespace: [], data: { event: "running" } } };
}

/** Of a run that began with the number 1. */
function begun(): ProtocolOrder {
  const order = new ProtocolOrder("start");
  order.accept([running(1)]);
  return order;
}

function numbersOf(events: readonly ProtocolEvent[]): readonly (number | undefined)[] {
  return events.map(({ seq }) => seq);
}

function permutations(numbers: readonly number[]): readonly (readonly number[])[] {
  if (numbers.length < 2) return [numbers];
  return numbers.flatMap((first, place) =>
    permutations(numbers.toSpliced(place, 1)).map((rest) => [first, ...rest]),
  );
}
