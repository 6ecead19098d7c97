import { deepEqual, equal, match, ok } from "node:assert/strict";
import type { Deployment } from "../../../../../src/api/controlPlane/wire.ts";
import { ApiError, type ErrorKind } from "../../../../../src/api/errors.ts";
import {
  type BulkItem,
  type BulkJob,
  hindranceAt,
  placeOf,
} from "../../../../../src/editor/deployments/bulk/bulkJob.ts";
import { type BulkPorts, bulkRound } from "../../../../../src/editor/deployments/bulk/bulkRound.ts";

const connection = { id: "c", name: "Production", kind: "platform", url: "https://p.test" } as const;

/** Deployments on a platform that makes a revision with each request, and what is written down of them. */
class Platform {
  /** The latest revision of each deployment. */
  readonly latest = new Map<string, string>();
  /** Which deployments were changed, in this order. */
  readonly sent: string[] = [];
  /** What was written down each time, as states of all deployments. */
  readonly written: string[] = [];
  readonly followed: string[] = [];
  mostAtOnce = 0;
  #onTheirWay = 0;
  ports: BulkPorts = {
    clock: { sleep: () => Promise.resolve() },
    hindrance: () => undefined,
    get: ({ deploymentId: id }) =>
      Promise.resolve({ id, latest_revision_id: this.latest.get(id) ?? null } satisfies Deployment),
    send: (item) => this.send(item),
    follow: async ({ revisionId }) => {
      this.followed.push(revisionId);
      this.mostAtOnce = Math.max(this.mostAtOnce, ++this.#onTheirWay);
      await new Promise(setImmediate);
      this.#onTheirWay -= 1;
      return { isDone: true, said: "" };
    },
    save: (job) => {
      this.written.push(states(job));
      return Promise.resolve();
    },
  };

  send({ deploymentId }: BulkItem): Promise<string> {
    this.sent.push(deploymentId);
    const made = `${deploymentId}-${String(this.sent.length)}`;
    this.latest.set(deploymentId, made);
    return Promise.resolve(made);
  }

  job(count: number, connectionOf: (index: number) => string = () => "c"): BulkJob {
    const items = Array.from({ length: count }, (_, index): BulkItem => {
      const deploymentId = `d${String(index)}`;
      this.latest.set(deploymentId, "old");
      const connectionId = connectionOf(index);
      return { connectionId, deploymentId, name: deploymentId, before: "old", words: "", state: "waiting" };
    });
    const places = [placeOf(connection)];
    return { id: "j", startedAt: 0, change: { kind: "redeploy" }, places, items, isTried: false };
  }
}

function states({ items }: BulkJob): string {
  return items.map(({ state }) => state).join(" ");
}

function failure(kind: ErrorKind, status?: number): ApiError {
  return new ApiError(kind, { method: "PATCH", url: "https://p.test/v2/deployments/1", status });
}

describe("A round of a change of many deployments", () => {
  let platform: Platform;
  const all = { most: Infinity, atOnce: 2, signal: new AbortController().signal };

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
    platform.ports = {
      ...platform.ports,
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
      const died = { ...job, items: job.items.with(0, { ...job.items[0], state: "sending" } as BulkItem) };
      if (wasDone) platform.latest.set("d0", "made before");
      const after = await bulkRound(died, platform.ports, all);
      equal(states(after), "done done");
      deepEqual(platform.sent, wasDone ? ["d1"] : ["d0", "d1"]);
      ok(!wasDone || platform.followed.includes("made before"));
    });
  }

  it("an answer that is never heard is looked for before anything else is sent", async () => {
    let isFirst = true;
    platform.ports = {
      ...platform.ports,
      send: async (item) => {
        const made = await platform.send(item);
        if (!isFirst) return made;
        isFirst = false;
        throw failure("cut");
      },
    };
    const after = await bulkRound(platform.job(3), platform.ports, { ...all, atOnce: 1 });
    equal(states(after), "done waiting waiting");
    deepEqual(platform.sent, ["d0"]);
  });

  it("a server that fails is asked for no further one", async () => {
    platform.ports = { ...platform.ports, send: () => Promise.reject(failure("server", 503)) };
    const after = await bulkRound(platform.job(3), platform.ports, { ...all, atOnce: 1 });
    equal(states(after), "waiting waiting waiting");
    match(after.items[0]?.said ?? "", /It was not done/);
    equal(after.items[1]?.said, undefined);
  });

  it("a revision that fails stops the others", async () => {
    platform.ports = {
      ...platform.ports,
      follow: () => Promise.resolve({ isDone: false, said: "Build failed" }),
    };
    const after = await bulkRound(platform.job(3), platform.ports, { ...all, atOnce: 1 });
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
    platform.ports = {
      ...platform.ports,
      send: (item) => (item.connectionId === lost ? refusal() : platform.send(item)),
    };
    const job = platform.job(4, (index) => (index < 2 ? lost : fine));
    const after = await bulkRound(job, platform.ports, { ...all, atOnce: 1 });
    equal(states(after), "waiting waiting done done");
    equal(refused, 1);
    match(after.items[1]?.said ?? "", /key/i);
  });

  it("is patient with a server that wants fewer requests, but not for ever", async () => {
    let refusals = 2;
    const slept: number[] = [];
    const limit = new ApiError("rateLimited", {
      ...{ method: "PATCH", url: "https://p.test", status: 429, retryAfterMs: 700 },
    });
    platform.ports = {
      ...platform.ports,
      clock: { sleep: (ms) => (slept.push(ms), Promise.resolve()) },
      send: (item) => (refusals-- > 0 ? Promise.reject(limit) : platform.send(item)),
    };
    equal(states(await bulkRound(platform.job(1), platform.ports, all)), "done");
    deepEqual(slept, [700, 700]);
    refusals = Infinity;
    equal(states(await bulkRound(platform.job(1), platform.ports, all)), "waiting");
  });

  it("leaves out what was deleted, and goes on", async () => {
    const job = platform.job(2);
    const get = platform.ports.get.bind(platform.ports);
    platform.ports = {
      ...platform.ports,
      get: (ref) => (ref.deploymentId === "d0" ? Promise.reject(failure("notFound", 404)) : get(ref)),
    };
    equal(states(await bulkRound(job, platform.ports, { ...all, most: 1 })), "left done");
  });

  it("begins nothing once it is stopped", async () => {
    const stop = new AbortController();
    platform.ports = {
      ...platform.ports,
      send: (item) => {
        stop.abort();
        return platform.send(item);
      },
    };
    const after = await bulkRound(platform.job(3), platform.ports, {
      ...all,
      atOnce: 1,
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
        const hindrance = (): string | undefined => hindranceAt(placeOf(protectedOne), now);
        const after = await bulkRound(platform.job(2), { ...platform.ports, hindrance }, all);
        deepEqual(platform.sent, []);
        equal(states(after), "waiting waiting");
        after.items.forEach(({ said = "" }) => match(said, why));
      });
    }

    it("renamed: it goes on", () => {
      equal(hindranceAt(placeOf(protectedOne), { ...protectedOne, name: "Prod" }), undefined);
    });
  });
});
