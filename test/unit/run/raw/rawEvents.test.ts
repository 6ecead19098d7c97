import { strict as assert } from "node:assert";
import type { SseEvent } from "../../../../src/api/exchange.ts";
import { RawEvents } from "../../../../src/run/raw/rawEvents.ts";
import { endsWith, remember, SharedText } from "../../../../src/run/raw/sharedText.ts";

describe("the raw list", () => {
  it("gives back every event as it came, in pages", () => {
    const metadata = `{"tags":[],"text":"${"x".repeat(300)}"}`;
    const events: SseEvent[] = Array.from({ length: 1500 }, (_, n) => {
      const id = n % 3 === 0 ? {} : { id: String(n) };
      const data = n % 2 === 0 ? `{"i":${n}}` : `[{"content":"ü${n}"},${metadata}]`;
      return { ...id, event: n % 2 === 0 ? "custom" : `messages|model:${n % 5}`, data };
    });
    const raw = new RawEvents();
    for (let at = 0; at < events.length; at += 7) raw.add(events.slice(at, at + 7), at);
    assert.equal(raw.count, 1500);
    for (const offset of [0, 505, 1495]) {
      const page = raw.search("", offset, 10);
      const expected = events.slice(offset, offset + 10).map((event, place) => {
        const index = offset + place;
        return { ...event, index, at: index - (index % 7) };
      });
      assert.deepEqual(page, { total: 1500, events: expected, dropped: 0 });
    }
  });

  it("gives back every character, also marks that readers of text leave out, and every id", () => {
    const raw = new RawEvents();
    const events = ["\ufeffmarked", "", "grüße 你好 👋", "\ufeff"].map((data, n) => ({
      event: `e${n % 2}`,
      data,
      id: `${n}`,
    }));
    raw.add(events, 7);
    raw.add(events, 8);
    assert.deepEqual(
      raw.search("", 0, 8).events,
      [...events, ...events].map((event, index) => ({ ...event, index, at: index < 4 ? 7 : 8 })),
    );
    assert.deepEqual(raw.search("", 6, 8).events.length, 2);
    assert.deepEqual(raw.search("", 9, 8).events, []);
  });

  it("takes few large events into one pack, and any number of small ones", () => {
    const raw = new RawEvents({ events: 100_000, size: 3_000_000 });
    const large = { event: "custom", data: "z".repeat(600_000) };
    for (let n = 0; n < 10; n += 1) raw.add([large, { event: "custom", data: String(n) }], n);
    const { total, dropped } = raw.search("", 0, 1);
    assert.equal(total + dropped, 20);
    assert.ok(dropped >= 8 && total >= 4, `${total} of 20`);
    assert.deepEqual(raw.search("", total - 1, 1).events[0]?.data, "9");
  });

  it("finds text in names and data, whatever its case, also in what came since the last search", () => {
    const raw = new RawEvents();
    raw.add(
      [
        { event: "custom", data: '"Needle"' },
        { event: "updates|Needle:1", data: "{}" },
        { event: "custom", data: "1" },
      ],
      1,
    );
    assert.deepEqual(found(raw, "needle"), [0, 1]);
    raw.add([{ event: "custom", data: '"a needle"' }], 2);
    assert.deepEqual(found(raw, "needle"), [0, 1, 3]);
    assert.deepEqual(found(raw, "(needle"), []);
    assert.equal(raw.search("needle", 1, 1).events[0]?.index, 1);
  });

  it("finds text that reaches into the end that events share", () => {
    const raw = new RawEvents();
    const events = Array.from({ length: 5 }, (_, n) => ({
      event: "messages",
      data: `[${n},${"y".repeat(300)}]`,
    }));
    raw.add(events, 1);
    assert.deepEqual(found(raw, "3,yyy"), [3]);
  });

  it("takes a text for the end of another one when it is all of it, too", () => {
    assert.deepEqual(
      [
        ["abc", "bc"],
        ["abc", "abc"],
        ["bc", "abc"],
        ["abc", "ab"],
        ["", ""],
      ].map(([text = "", end = ""]) => endsWith(text, end)),
      [true, true, false, false, true],
    );
  });

  it("keeps what events share for few names at a time, however many there are", () => {
    const shared = new SharedText();
    const data = (task: number, step: number) => `{"n":${step},"of":"${`${task}`.repeat(300)}"}`;
    for (let task = 0; task < 1000; task += 1) {
      const event = `updates|node:${task}`;
      shared.end({ event, data: data(task, 1) });
      assert.notEqual(shared.end({ event, data: data(task, 2) }), "");
    }
    assert.notEqual(shared.end({ event: "updates|node:800", data: data(800, 3) }), "");
    assert.equal(shared.end({ event: "updates|node:799", data: data(799, 3) }), "", "forgotten");
    assert.equal(shared.end({ event: "updates|node:0", data: data(0, 3) }), "", "forgotten");
    assert.notEqual(shared.end({ event: "updates|node:999", data: data(999, 3) }), "");
  });

  it("keeps an end of two hundred characters, in data of that length up to ten thousand", () => {
    const ends = (one: string, other: string): number => {
      const shared = new SharedText();
      shared.end({ event: "e", data: one });
      return shared.end({ event: "e", data: other }).length;
    };
    const [short, long] = ["x".repeat(199), "x".repeat(200)];
    assert.deepEqual([ends(`a${short}`, `b${short}`), ends(`a${long}`, `b${long}`)], [0, 200]);
    assert.deepEqual([ends(short, short), ends(long, long)], [0, 200]);
    const whole = "y".repeat(10_000);
    assert.deepEqual([ends(whole, whole), ends(`${whole}y`, `${whole}y`)], [10_000, 0]);
  });

  it("forgets first what was not noted for longest", () => {
    const values = new Map<string, number>();
    for (let name = 0; name < 200; name += 1) remember(values, `e${name}`, name);
    remember(values, "e0", 7);
    remember(values, "new", 8);
    assert.deepEqual(
      [values.size, values.get("e0"), values.get("e1"), values.get("new")],
      [200, 7, undefined, 8],
    );
  });

  it("drops the oldest events when it is full, and says how many", () => {
    for (const bounds of [
      { events: 2000, size: Infinity },
      { events: Infinity, size: 2000 * 5 },
    ]) {
      const raw = new RawEvents(bounds);
      for (let n = 0; n < 10_000; n += 1) raw.add([{ event: "custom", data: String(10_000 + n) }], n);
      const { total, dropped, events } = raw.search("", 0, 1);
      assert.equal(total + dropped, 10_000);
      assert.ok(total > 1000 && total <= 2600, String(total));
      assert.deepEqual(events, [
        { index: dropped, event: "custom", data: String(10_000 + dropped), at: dropped },
      ]);
      assert.deepEqual(found(raw, "19999"), [9999]);
    }
  });

  it("drops nothing up to its bounds, and then a tenth, by whole packs", () => {
    const droppedAt = (count: number): number => {
      const raw = new RawEvents({ events: 20 * 512, size: Infinity });
      for (let pack = 0; pack < count / 512; pack += 1)
        raw.add(Array<SseEvent>(512).fill({ event: "custom", data: "1" }), 1);
      return raw.search("", 0, 0).dropped;
    };
    assert.deepEqual(
      [20, 21, 22, 23].map((packs) => droppedAt(packs * 512) / 512),
      [0, 3, 3, 3],
    );
  });

  it("drops by the length of what is kept, too", () => {
    const raw = new RawEvents({ events: Infinity, size: 20 * 512 * 8 });
    const dropped = Array.from({ length: 23 }, (_, pack) => {
      raw.add(
        Array.from({ length: 512 }, (__, n) => ({
          event: "custom",
          data: String(10_000_000 + pack * 512 + n),
        })),
        1,
      );
      return raw.search("", 0, 0).dropped / 512;
    });
    assert.deepEqual(dropped.slice(18), [0, 0, 3, 3, 3]);
  });

  it("neither shows nor finds credentials", () => {
    const raw = new RawEvents();
    raw.add([{ event: "debug", data: '{"headers":{"authorization":"Bearer abcdefgh12345678"},"n":1}' }], 1);
    assert.deepEqual(found(raw, "abcdefgh"), []);
    assert.equal(
      raw.search("authorization", 0, 1).events[0]?.data,
      '{"headers":{"authorization":"•••"},"n":1}',
    );
  });
});

function found(raw: RawEvents, text: string): readonly number[] {
  return raw.search(text, 0, 100).events.map(({ index }) => index);
}
