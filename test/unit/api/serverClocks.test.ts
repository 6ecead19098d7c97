import { deepEqual, equal } from "node:assert/strict";
import { clockBounds, ServerClocks } from "../../../src/api/serverClocks.ts";

const url = "http://a.example/threads";

describe("The clock of a server", () => {
  it("is known to a second and the time that its answer took", () => {
    const sentAt = Date.UTC(2026, 0, 1, 12, 0, 0, 400);
    const times = { sentAt, receivedAt: sentAt + 50 };
    const date = (text: string) => clockBounds({ date: text }, times);
    deepEqual(date("Thu, 01 Jan 2026 12:00:00 GMT"), { least: -450, most: 600 });
    deepEqual(date("Thu, 01 Jan 2026 12:01:30 GMT"), { least: 89_550, most: 90_600 });
    for (const headers of [{}, { date: "soon" }, { date: "Thu, 01 Jan 2026 12:01:30 GMT", age: "90" }])
      equal(clockBounds(headers, times), undefined);
  });

  it("is taken for this machine's as long as both may say the same", () => {
    const clocks = new ServerClocks();
    equal(clocks.ahead(url), 0);
    clocks.note(url, { least: -900, most: 200 });
    clocks.note(url, { least: -100, most: 1000 });
    equal(clocks.ahead(url), 0);
  });

  it("is ahead or behind by as little as its answers allow, which know it better together", () => {
    const clocks = new ServerClocks();
    const noted = (least: number, most: number) => {
      clocks.note(url, { least, most });
      return clocks.ahead(`${url}/one`);
    };
    deepEqual(
      [noted(89_500, 90_500), noted(89_000, 90_100), noted(89_900, 90_800), noted(89_950, 95_000)],
      [89_500, 89_500, 89_900, 89_950],
    );
    clocks.note("http://b.example", { least: -90_800, most: -89_800 });
    equal(clocks.ahead("http://b.example"), -89_800);
    equal(clocks.ahead(url), 89_950);
  });

  it("is known anew when one of both clocks was set", () => {
    const clocks = new ServerClocks();
    clocks.note(url, { least: 89_500, most: 90_500 });
    clocks.note(url, { least: -300, most: 700 });
    equal(clocks.ahead(url), 0);
    clocks.note(url, { least: 300, most: 1300 });
    equal(clocks.ahead(url), 300);
  });
});
