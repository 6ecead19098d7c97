import { deepEqual, equal, match, ok } from "node:assert/strict";
import { ApiError, type ErrorKind } from "../../../../src/api/errors.ts";
import { hindranceAt, agreementOn } from "../../../../src/editor/bulk/bulkJob.ts";
import { bulkRound } from "../../../../src/editor/bulk/bulkRound.ts";
import { all, alone, connection, type Item, Platform, states } from "./manyDeployments.ts";

function failure(kind: ErrorKind, status?: number): ApiError {
  return new ApiError(kind, { method: "PATCH", url: "https://p.test/v2/deployments/1", status });
}

describe("A round of work on many things", () => {
  let platform: Platform;

  beforeEach(() => {
    platform = new Platform();
  });

  it("tries one alone", async () => {
    const job = await bulkRound(platform.job(3), platform.ports, { ...all, most: 1 });
    deepEqual(platform.sent, ["d0"]);
    equal(states(job), "done waiting waiting");
  });

  it("has no more on their way at a time than wanted", async () => {
    const job = await bulkRound(platform.job(7), platform.ports, all);
    equal(states(job), Array(7).fill("done").join(" "));
    equal(platform.mostAtOnce, 2);
    equal(new Set(platform.sent).size, 7);
  });

  it("writes down that a request leaves before it does", async () => {
    platform.doing = {
      ...platform.doing,
      send: (item) => {
        match(platform.written.at(-1) ?? "", /sending/);
        return platform.send(item);
      },
    };
    equal(states(await bulkRound(platform.job(2), platform.ports, all)), "done done");
  });

  it("does not touch what another window or person changed meanwhile", async () => {
    const job = platform.job(3);
    platform.latest.set("d1", "of another window");
    const after = await bulkRound(job, platform.ports, all);
    equal(states(after), "done left done");
    match(after.items[1]?.said ?? "", /Another revision was made/);
    deepEqual(platform.sent, ["d0", "d2"]);
  });

  it("two windows that do the same one after another change each once", async () => {
    const job = platform.job(4);
    await bulkRound(job, platform.ports, all);
    await bulkRound(job, platform.ports, all);
    deepEqual(platform.sent.toSorted(), ["d0", "d1", "d2", "d3"]);
  });

  for (const wasDone of [true, false]) {
    it(`a request ${wasDone ? "that was done" : "that was not done"} before the window died is ${wasDone ? "not " : ""}sent again`, async () => {
      const job = platform.job(2);
      const died = { ...job, items: job.items.with(0, { ...job.items[0], state: "sending" } as Item) };
      if (wasDone) platform.latest.set("d0", "made before");
      const after = await bulkRound(died, platform.ports, all);
      equal(states(after), "done done");
      deepEqual(platform.sent, wasDone ? ["d1"] : ["d0", "d1"]);
      ok(!wasDone || platform.followed.includes("made before"));
    });
  }

  it("an answer that is never heard is looked for before anything else is sent", async () => {
    let isFirst = true;
    platform.doing = {
      ...platform.doing,
      send: async (item) => {
        const made = await platform.send(item);
        if (!isFirst) return made;
        isFirst = false;
        throw failure("cut");
      },
    };
    const after = await bulkRound(platform.job(3), platform.ports, alone);
    equal(states(after), "done waiting waiting");
    deepEqual(platform.sent, ["d0"]);
  });

  it("a server that fails is asked for no further one", async () => {
    platform.doing = { ...platform.doing, send: () => Promise.reject(failure("server", 503)) };
    const after = await bulkRound(platform.job(3), platform.ports, alone);
    equal(states(after), "waiting waiting waiting");
    match(after.items[0]?.said ?? "", /It was not done/);
    equal(after.items[1]?.said, undefined);
  });

  it("a revision that fails stops the others", async () => {
    platform.doing = {
      ...platform.doing,
      follow: () => Promise.resolve({ isDone: false, said: "Build failed" }),
    };
    const after = await bulkRound(platform.job(3), platform.ports, alone);
    equal(states(after), "failed waiting waiting");
    equal(after.items[0]?.said, "Build failed");
  });

  it("a connection that lost its key holds its own deployments up, and no others", async () => {
    const [lost, fine] = ["lost", "fine"];
    let refused = 0;
    const refusal = (): Promise<string> => {
      refused += 1;
      return Promise.reject(failure("unauthorized", 401));
    };
    platform.doing = {
      ...platform.doing,
      send: (item) => (item.connectionId === lost ? refusal() : platform.send(item)),
    };
    const job = platform.job(4, (index) => (index < 2 ? lost : fine));
    const after = await bulkRound(job, platform.ports, alone);
    equal(states(after), "waiting waiting done done");
    equal(refused, 1);
    match(after.items[1]?.said ?? "", /key/i);
  });

  it("is patient with a server that wants fewer requests, but not for ever", async () => {
    let refusals = 2;
    const limit = new ApiError("rateLimited", {
      ...{ method: "PATCH", url: "https://p.test", status: 429, retryAfterMs: 700 },
    });
    platform.doing = {
      ...platform.doing,
      send: (item) => (refusals-- > 0 ? Promise.reject(limit) : platform.send(item)),
    };
    equal(states(await bulkRound(platform.job(1), platform.ports, all)), "done");
    deepEqual(platform.slept, [700, 700]);
    refusals = Infinity;
    equal(states(await bulkRound(platform.job(1), platform.ports, all)), "waiting");
  });

  it("begins no more of them in a while than wanted", async () => {
    await bulkRound(platform.job(4), platform.ports, { ...all, pace: { ...all.pace, everyMs: 1000 } });
    deepEqual(platform.slept.slice(0, 1), [1000]);
    equal(platform.ports.clock.now() >= 2000, true);
    equal(platform.sent.length, 4);
  });

  it("waits out a minute of refusals that name no time, before it looks and before it sends", async () => {
    const limit = failure("rateLimited", 429);
    const { get, send } = platform.doing;
    const isOver = (): boolean => platform.ports.clock.now() > 60_000;
    platform.doing = {
      ...platform.doing,
      get: (item) => (isOver() ? get(item) : Promise.reject(limit)),
      send: (item) => (platform.ports.clock.now() > 120_000 ? send(item) : Promise.reject(limit)),
    };
    equal(states(await bulkRound(platform.job(3), platform.ports, all)), "done done done");
    equal(new Set(platform.sent).size, 3);
  });

  it("what is stopped while it is sent is looked for before it is sent again", async () => {
    const stop = new AbortController();
    const { send } = platform.doing;
    platform.doing = {
      ...platform.doing,
      send: async (item) => {
        await send(item);
        stop.abort();
        throw new Error("aborted");
      },
    };
    const stopped = await bulkRound(platform.job(1), platform.ports, { ...all, signal: stop.signal });
    equal(states(stopped), "sending");
    equal(states(await bulkRound(stopped, platform.ports, all)), "done");
    deepEqual(platform.sent, ["d0"]);
  });

  it("goes on where some fail, until so many fail in a row", async () => {
    const fails = [1, 3, 4, 5];
    platform.doing = {
      ...platform.doing,
      follow: ({ deploymentId }) =>
        Promise.resolve({ isDone: !fails.includes(Number(deploymentId.slice(1))), said: "" }),
    };
    const options = { ...alone, pace: { ...alone.pace, mostFailures: 3 } };
    const after = await bulkRound(platform.job(7), platform.ports, options);
    equal(states(after), "done failed done failed failed failed waiting");
  });

  it("leaves out what was deleted, and goes on", async () => {
    const job = platform.job(2);
    const { get } = platform.doing;
    platform.doing = {
      ...platform.doing,
      get: (item) => (item.deploymentId === "d0" ? Promise.reject(failure("notFound", 404)) : get(item)),
    };
    equal(states(await bulkRound(job, platform.ports, { ...all, most: 1 })), "left done");
  });

  it("leaves out what was deleted after its request left, and goes on", async () => {
    const job = platform.job(3);
    const died = { ...job, items: job.items.with(0, { ...job.items[0], state: "sending" } as Item) };
    const { get } = platform.doing;
    platform.doing = {
      ...platform.doing,
      get: (item) => (item.deploymentId === "d0" ? Promise.reject(failure("notFound", 404)) : get(item)),
    };
    equal(states(await bulkRound(died, platform.ports, all)), "left done done");
  });

  it("begins nothing once it is stopped", async () => {
    const stop = new AbortController();
    platform.doing = {
      ...platform.doing,
      send: (item) => {
        stop.abort();
        return platform.send(item);
      },
    };
    const after = await bulkRound(platform.job(3), platform.ports, {
      ...alone,
      signal: stop.signal,
    });
    deepEqual(platform.sent, ["d0"]);
    match(states(after), / waiting waiting$/);
  });

  describe("on a connection that is not what was agreed to any more", () => {
    const protectedOne = { ...connection, protected: "word" } as const;
    const changes = [
      ["removed", undefined, /“Production” was removed/],
      ["with its mark removed by hand", connection, /protection of “Production” was changed/],
      ["with another address", { ...protectedOne, url: "https://q.test" }, /addresses of “Production”/],
    ] as const;
    for (const [how, now, why] of changes) {
      it(`${how}: nothing is sent`, async () => {
        const hindrance = (): string | undefined => hindranceAt(agreementOn(protectedOne), now);
        const after = await bulkRound(platform.job(2), { ...platform.ports, hindrance }, all);
        deepEqual(platform.sent, []);
        equal(states(after), "waiting waiting");
        after.items.forEach(({ said = "" }) => match(said, why));
      });
    }

    for (const kind of ["localPlatform", "workspaceGraphs"] as const)
      it(`that runs here and has another address after each start (${kind}): it goes on`, () => {
        const setting = { id: "here", name: "Here", kind };
        equal(hindranceAt(agreementOn({ ...setting, url: "http://127.0.0.1:4711" }), setting), undefined);
      });

    it("renamed: it goes on", () => {
      equal(hindranceAt(agreementOn(protectedOne), { ...protectedOne, name: "Prod" }), undefined);
    });
  });
});
