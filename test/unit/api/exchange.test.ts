import { deepEqual, equal, ok, rejects } from "node:assert/strict";
import { mock } from "node:test";
import { type ApiError } from "../../../src/api/errors.ts";
import { parseEvents } from "../../../src/api/exchange.ts";
import { type Exchange, Http } from "../../../src/api/http.ts";
import { all } from "../../support/all.ts";
import { AnsweringAgent, type Scripted } from "./answeringAgent.ts";
import { failure, get } from "./failingCalls.ts";

const baseUrl = "http://a.example";

/** How a call fails whose answers are these, one after the other. */
async function failing(...answers: readonly Scripted[]): Promise<ApiError> {
  await using dispatcher = new AnsweringAgent((_, index) => answers[index] ?? {});
  return await failure(new Http({ baseUrl, dispatcher }).json({ ...get, idempotent: false }));
}

describe("One exchange with a server", () => {
  it("succeeds with a status from 200 to 299", async () => {
    for (const status of [200, 299]) {
      await using dispatcher = new AnsweringAgent(() => ({ status }));
      deepEqual(await new Http({ baseUrl, dispatcher }).json(get), {});
    }
    for (const status of [199, 300]) equal((await failing({ status })).status, status);
  });

  it("is led elsewhere by the five statuses that say so, if they say where", async () => {
    for (let status = 300; status < 310; status += 1) {
      const isLed = [301, 302, 303, 307, 308].includes(status);
      await using dispatcher = new AnsweringAgent((_, index) =>
        index === 0 ? { status, headers: { location: "/y?z=1" } } : {},
      );
      const call = new Http({ baseUrl, dispatcher }).json(get);
      if (isLed) deepEqual(await call, {});
      else equal((await failure(call)).status, status);
      deepEqual(
        dispatcher.asked.map((asked) => asked.path),
        isLed ? ["/x", "/y?z=1"] : ["/x"],
      );
      for (const headers of [{}, { location: "http://[" }])
        equal((await failing({ status, headers })).kind, "invalid");
    }
  });

  it("is led elsewhere where it asks for the head alone, and never where it changes something", async () => {
    const led = async (method: "HEAD" | "PUT" | "DELETE" | "PATCH"): Promise<number> => {
      await using dispatcher = new AnsweringAgent((_, index) =>
        index === 0 ? { status: 307, headers: { location: "/y" } } : {},
      );
      await new Http({ baseUrl, dispatcher }).reply({ method, path: "/x" }).catch(() => undefined);
      return dispatcher.asked.length;
    };
    deepEqual([await led("HEAD"), await led("PUT"), await led("DELETE"), await led("PATCH")], [2, 1, 1, 1]);
  });

  it("joins what a header says several times", async () => {
    await using dispatcher = new AnsweringAgent(() => ({ headers: { "x-a": ["1", "2"], "x-b": "3" } }));
    deepEqual((await new Http({ baseUrl, dispatcher }).reply(get)).headers, { "x-a": "1, 2", "x-b": "3" });
  });

  it("is reported with the time that it took, and what the server's clock said", async () => {
    const seen: Exchange[] = [];
    const at = Date.UTC(2026, 0, 1);
    const headers = { date: new Date(at).toUTCString() };
    await using dispatcher = new AnsweringAgent((_, index) => (index === 0 ? { headers } : {}));
    const http = new Http({ baseUrl, dispatcher, onExchange: (made) => seen.push(made) });
    const [begun, began] = [performance.now(), Date.now()];
    await http.json(get);
    await http.json(get);
    const [{ ms, clock }, other] = [seen[0] ?? { ms: -1, clock: undefined }, seen[1]];
    ok(ms >= 0 && ms <= performance.now() - begun + 1, `${ms} ms`);
    ok(clock && clock.least <= at - began && clock.least >= at - Date.now(), JSON.stringify(clock));
    ok(clock.most <= at + 1000 - began && clock.most >= clock.least, JSON.stringify(clock));
    equal(other?.clock, undefined);
  });

  it("takes 64 kB of a failure for evidence, and reads no more once it has them", async () => {
    const most = 64 * 1024;
    const said = async (size: number): Promise<string | undefined> => {
      const body = [`{${" ".repeat(size - 1)}`, '"detail":"The end."}'];
      return (await failing({ status: 400, body })).detail;
    };
    equal(await said(most - 1), "The end.");
    equal(await said(most), "{");
  });

  it("waits five seconds for evidence, and has nothing more to end when all of it came", async () => {
    mock.timers.enable({ apis: ["setTimeout"] });
    try {
      const waiting = Promise.withResolvers<{ readonly done: true; readonly value: undefined }>();
      let ended = 0;
      const bodyOf = (next: () => Promise<unknown>): never =>
        ({
          destroy: () => {
            ended += 1;
            waiting.resolve({ done: true, value: undefined });
          },
          [Symbol.asyncIterator]: () => ({ next }),
        }) as never;
      let isOver = false;
      const call = failing({ status: 400, body: bodyOf(() => waiting.promise) }).then(() => (isOver = true));
      await new Promise(setImmediate);
      mock.timers.tick(4999);
      await new Promise(setImmediate);
      deepEqual([ended, isOver], [0, false]);
      mock.timers.tick(1);
      await call;
      deepEqual([ended, isOver], [1, true]);
      const empty = bodyOf(() => Promise.resolve({ done: true, value: undefined }));
      await failing({ status: 400, body: empty });
      mock.timers.tick(5000);
      equal(ended, 1);
    } finally {
      mock.timers.reset();
    }
  });
});

describe("Asking again", () => {
  beforeEach(() => {
    mock.timers.enable({ apis: ["setTimeout"] });
    mock.method(Math, "random", () => 1);
  });
  afterEach(() => {
    mock.timers.reset();
    mock.restoreAll();
  });

  const settled = () => new Promise(setImmediate);

  /** After how many milliseconds each further request leaves, where all are answered so. */
  async function pauses(answer: Scripted, most = 40_000): Promise<readonly number[]> {
    await using dispatcher = new AnsweringAgent(() => answer);
    const call = failure(new Http({ baseUrl, dispatcher }).json(get));
    const times: number[] = [];
    let last = 0;
    for (let ms = 0; ms < most; ms += 1) {
      const before = dispatcher.asked.length;
      await settled();
      if (dispatcher.asked.length > before && before > 0) {
        times.push(ms - last);
        last = ms;
      }
      if (times.length === 3) break;
      mock.timers.tick(1);
    }
    void call;
    return times;
  }

  it("comes after 0.4 s, 0.8 s and 1.6 s", async () => {
    deepEqual(await pauses({ status: 503 }, 4000), [400, 800, 1600]);
  });

  it("is left to the caller where it may come in more than half a minute", async () => {
    const askedAfter = async (retryAfter: string, ms: number): Promise<number> => {
      await using dispatcher = new AnsweringAgent((_, index) =>
        index === 0 ? { status: 429, headers: { "retry-after": retryAfter } } : {},
      );
      void new Http({ baseUrl, dispatcher, timeoutMs: 0 }).json(get).catch(() => undefined);
      await settled();
      mock.timers.tick(ms);
      await settled();
      return dispatcher.asked.length;
    };
    equal(await askedAfter("30", 29_999), 1);
    equal(await askedAfter("30", 30_000), 2);
    equal(await askedAfter("30.001", 40_000), 1);
  });
});

describe("The pieces of an event stream", () => {
  async function* chunks(...parts: readonly string[]): AsyncIterable<Uint8Array> {
    for (const part of parts) yield await Promise.resolve(Buffer.from(part));
  }

  it("are read sixteen kilobytes at a time", async () => {
    const first = `data: ${"x".repeat(16 * 1024 - 8)}\n\n`;
    const batches = await all(parseEvents(chunks(`${first}data: 2\n\n`)));
    deepEqual(
      batches.map((batch) => batch.map(({ data }) => data.length)),
      [[16 * 1024 - 8], [1]],
    );
    deepEqual((await all(parseEvents(chunks("data: 1\n\ndata: 2\n\n")))).length, 1);
  });

  it("that are no events are named by the first 200 characters of the first line", async () => {
    await rejects(all(parseEvents(chunks(`${"<".repeat(300)}\n>\n\n`))), { message: "<".repeat(200) });
  });
});
