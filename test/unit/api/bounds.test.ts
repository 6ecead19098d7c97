import { deepEqual, equal, rejects } from "node:assert/strict";
import { type AddressInfo, createServer, Socket } from "node:net";
import { Readable } from "node:stream";
import { mock } from "node:test";
import { AgentServer } from "../../../src/api/agentServer/index.ts";
import { Destinations } from "../../../src/api/bulkExports/destinations.ts";
import { ApiError } from "../../../src/api/errors.ts";
import { Http } from "../../../src/api/http.ts";
import { deliver } from "../../../src/api/issueWebhooks/delivery.ts";
import { ManagedAgents } from "../../../src/api/managedAgents/index.ts";
import { probe } from "../../../src/api/probe/index.ts";
import { all } from "../../support/all.ts";
import { AnsweringAgent } from "./answeringAgent.ts";

type Call = (http: Http) => Promise<unknown>;

describe("The bounds of calls", () => {
  /** The deadlines that are set while something is done, in milliseconds. */
  async function deadlines(
    work: (http: Http, dispatcher: AnsweringAgent) => unknown,
    options: object = {},
  ): Promise<readonly number[]> {
    await using dispatcher = new AnsweringAgent();
    const set: number[] = [];
    const timeout = mock.method(AbortSignal, "timeout", (ms: number) => {
      set.push(ms);
      return new AbortController().signal;
    });
    try {
      await work(new Http({ baseUrl: "http://a.example", dispatcher, ...options }), dispatcher);
    } finally {
      timeout.mock.restore();
    }
    return set;
  }

  const ofCalls: readonly (readonly [string, number | undefined, Call])[] = [
    ["a call is a minute", 60_000, (http) => http.json({ method: "GET", path: "/x" })],
    ["a copy of a thread is five minutes", 300_000, (http) => new AgentServer(http).threads.copy("t")],
    [
      "a look at an agent's tools is two minutes",
      120_000,
      (http) => new ManagedAgents(http).agents.health("a"),
    ],
    ["a new destination is two minutes", 120_000, (http) => new Destinations(http).create({} as never)],
    ["new credentials is two minutes", 120_000, (http) => new Destinations(http).rotate("d", {} as never)],
    ["waiting for a run is none", undefined, (http) => new AgentServer(http).runs.join("t", "r")],
  ];
  for (const [what, ms, call] of ofCalls)
    it(`are deadlines: that of ${what}`, async () => {
      deepEqual(await deadlines((http) => call(http).catch(() => undefined)), ms === undefined ? [] : [ms]);
    });

  it("are deadlines that a client or a call may choose", async () => {
    const get = { method: "GET", path: "/x" } as const;
    deepEqual(await deadlines((http) => http.json(get), { timeoutMs: 7 }), [7]);
    deepEqual(await deadlines((http) => http.json({ ...get, timeoutMs: 5 }), { timeoutMs: 7 }), [5]);
    deepEqual(await deadlines((http) => http.json({ ...get, timeoutMs: 1 })), [1]);
    deepEqual(await deadlines((http) => http.json({ ...get, timeoutMs: 0 }), { timeoutMs: 7 }), []);
  });

  it("are a quarter of a minute for each question of a probe", async () => {
    const targets = [{ kind: "managedAgents", url: "http://127.0.0.1:9" }] as const;
    deepEqual(await deadlines((_, dispatcher) => all(probe({ targets, dispatcher }))), [15_000]);
  });

  it("are twenty seconds for a sample event, and a second before the next attempt", async () => {
    const delivery = { url: "http://127.0.0.1:9", body: Buffer.from("{}"), dialect: "standard" } as const;
    let nextMs: number | undefined;
    const set = await deadlines(async () => {
      for await (const attempt of deliver(delivery)) {
        nextMs = attempt.nextMs;
        break;
      }
    });
    deepEqual([set, nextMs], [[20_000], 1000]);
  });

  it("are the time up to the head of an answer: five minutes for a stream, none beside the deadline else", async () => {
    await using dispatcher = new AnsweringAgent();
    const http = new Http({ baseUrl: "http://a.example", dispatcher });
    const stream = { method: "GET", path: "/x" } as const;
    for (const request of [stream, { ...stream, timeoutMs: 9 }])
      await http.stream(request).catch(() => undefined);
    await http.json(stream);
    deepEqual(
      dispatcher.asked.map(({ headersTimeout, bodyTimeout }) => [headersTimeout, bodyTimeout]),
      [
        [300_000, 0],
        [9, 0],
        [0, 0],
      ],
    );
  });

  for (const [what, mb, call] of [
    ["an answer may have 64 MB", 64, (http) => http.json({ method: "GET", path: "/x" })],
    ["a state may have 128 MB", 128, (http) => new AgentServer(http).threads.state("t")],
    ["a schema may have 4 MB", 4, (http) => new AgentServer(http).assistants.schemas("a")],
  ] as const satisfies readonly (readonly [string, number, Call])[])
    it(`are lengths: ${what}`, async () => {
      for (const [more, kind] of [
        [0, undefined],
        [1, "answerTooLarge"],
      ] as const) {
        await using dispatcher = new AnsweringAgent(() => ({
          headers: { "content-length": String(mb * 1024 * 1024 + more) },
        }));
        const failed = await call(new Http({ baseUrl: "http://a.example", dispatcher })).then(
          () => undefined,
          (error: unknown) => (error instanceof ApiError ? error.kind : String(error)),
        );
        equal(failed, kind);
        equal(dispatcher.asked.length, 1);
      }
    });

  it("are ten seconds to connect to a server, and for its certificate", async () => {
    const server = createServer((socket) => socket.destroy());
    await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
    const connected = mock.method(Socket.prototype, "setTimeout");
    try {
      const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
      const targets = [{ kind: "managedAgents", url }] as const;
      const set = await deadlines((_, dispatcher) => all(probe({ targets, dispatcher })));
      deepEqual(set, [10_000, 15_000]);
      const waits = connected.mock.calls.map(({ arguments: [ms] }) => ms).filter((ms) => ms > 1000);
      deepEqual(new Set(waits), new Set([10_000]));
    } finally {
      connected.mock.restore();
      await new Promise((closed) => server.close(closed));
    }
  });

  it("are lengths beyond which nothing more is read", async () => {
    let read = 0;
    const body = Readable.from(
      (function* () {
        for (; read < 50; read += 1) yield Buffer.alloc(1024 * 1024, 32);
      })(),
    );
    await using dispatcher = new AnsweringAgent(() => ({ body: body as never }));
    const http = new Http({ baseUrl: "http://a.example", dispatcher });
    await rejects(http.reply({ method: "GET", path: "/x", mostMb: 1 }), { kind: "answerTooLarge" });
    equal(read < 10, true, `${read} MB`);
  });
});
