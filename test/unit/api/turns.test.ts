import { deepEqual, equal, rejects } from "node:assert/strict";
import { Http } from "../../../src/api/http.ts";
import { inBackground, Turns } from "../../../src/api/turns.ts";
import { serve } from "../../support/testServer.ts";

describe("Requests in turns", () => {
  let going: string[];
  let turns: Turns;
  let ends: Map<string, () => void>;

  beforeEach(() => {
    turns = new Turns();
    going = [];
    ends = new Map();
  });

  /** Takes a turn under a name, which is among those that go on as soon as it may leave. */
  const take = (name: string, origin = "http://one", signal?: AbortSignal): Promise<void> =>
    turns.take(origin, signal).then((end) => {
      going.push(name);
      ends.set(name, () => {
        going = going.filter((other) => other !== name);
        end();
      });
    });

  const finish = async (name: string): Promise<void> => {
    ends.get(name)?.();
    await new Promise(setImmediate);
  };

  const settled = () => new Promise(setImmediate);

  it("are six at once to all servers together, four of them to one", async () => {
    for (let number = 0; number < 6; number += 1) void take(`a${String(number)}`, "http://a");
    for (let number = 0; number < 4; number += 1) void take(`b${String(number)}`, "http://b");
    await settled();
    deepEqual(going, ["a0", "a1", "a2", "a3", "b0", "b1"]);
    await finish("a0");
    deepEqual(going.at(-1), "a4");
    await finish("b0");
    await finish("b1");
    deepEqual(going.slice(-2), ["b2", "b3"]);
    equal(going.length, 6);
  });

  it("leave room for a person, whose requests go before those that waited longer", async () => {
    for (const origin of ["a", "a", "a", "a", "b", "b"])
      void inBackground(() => take(`poll of ${origin}`, `http://${origin}`));
    await settled();
    deepEqual(going, ["poll of a", "poll of a", "poll of a", "poll of b"]);
    void take("open", "http://b");
    void take("save", "http://c");
    void take("send", "http://c");
    await settled();
    deepEqual(going.slice(-2), ["open", "save"]);
    await finish("open");
    deepEqual(going.at(-1), "send");
    equal(going.filter((name) => name.startsWith("poll")).length, 4);
  });

  it("are not held up by a server that does not answer", async () => {
    for (let number = 0; number < 50; number += 1) void inBackground(() => take("silent", "http://silent"));
    void inBackground(() => take("poll of another", "http://other"));
    await settled();
    equal(going.filter((name) => name === "silent").length, 3);
    equal(going.at(-1), "poll of another");
  });

  it("are given up while they wait, and end once", async () => {
    for (let number = 0; number < 4; number += 1) void take(`a${String(number)}`);
    const left = new AbortController();
    const waiting = take("left", "http://one", left.signal);
    void take("next");
    await settled();
    left.abort();
    await rejects(waiting, { name: "AbortError" });
    await rejects(take("never", "http://two", AbortSignal.abort()), { name: "AbortError" });
    ends.get("a0")?.();
    await finish("a0");
    deepEqual(going, ["a1", "a2", "a3", "next"]);
  });

  it("are what a client's calls wait for, up to the end of the answer; streams and waits without a deadline do not", async () => {
    let [open, most] = [0, 0];
    await using server = await serve(({ url }) => (response) => {
      const isCounted = url === "/x";
      open += Number(isCounted);
      most = Math.max(most, open);
      response.writeHead(200, { "content-type": url === "/s" ? "text/event-stream" : "application/json" });
      response.write(url === "/s" ? "data: 1\n\n" : "{");
      setTimeout(() => {
        open -= Number(isCounted);
        response.end(url === "/s" ? "" : "}");
      }, 5);
    });
    const shared = new Turns({ mostPerOrigin: 2 });
    const http = new Http({ baseUrl: server.url, turns: shared });
    const calls = Array.from({ length: 12 }, () => http.json({ method: "GET", path: "/x" }));
    const free = [
      http.stream({ method: "GET", path: "/s" }),
      http.json({ method: "GET", path: "/w", timeoutMs: 0 }),
    ];
    await Promise.all([...calls, ...free]);
    equal(most, 2);
    equal(server.asked.length, 14);
  });

  it("end with a failure, too, and between two attempts", async () => {
    await using server = await serve((_, index) =>
      index < 2 ? { status: 503, headers: { "retry-after": "0" } } : { status: 400, body: "no" },
    );
    const http = new Http({ baseUrl: server.url, turns: new Turns({ mostPerOrigin: 1 }) });
    const get = { method: "GET", path: "/x" } as const;
    await Promise.allSettled([http.json(get), http.json(get), http.json(get)]);
    await rejects(http.json(get), { kind: "invalid" });
    const left = new AbortController();
    left.abort();
    await rejects(http.json({ ...get, signal: left.signal }), { kind: "aborted" });
  });
});
