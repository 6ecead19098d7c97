import { deepEqual, equal, rejects } from "node:assert/strict";
import { ApiError } from "../../../../src/api/errors.ts";
import { RetryAfters } from "../../../../src/editor/inbox/retryAfters.ts";

describe("A server that asked for no request for a while", () => {
  let now: number;
  let asked: string[];
  let servers: RetryAfters;

  beforeEach(() => {
    [now, asked] = [1000, []];
    servers = new RetryAfters({ now: () => now });
  });

  const error = (kind: "rateLimited" | "server", retryAfterMs?: number): ApiError =>
    new ApiError(kind, { method: "GET", url: "https://a.example", retryAfterMs });
  const answered = (server: string, force = false): Promise<readonly string[]> =>
    servers.ask(server, force, () => {
      asked.push(server);
      return Promise.resolve([server]);
    });
  const refused = (server: string, said: Error): Promise<void> =>
    rejects(
      servers.ask(server, false, () => Promise.reject(said)),
      (thrown) => thrown === said,
    );

  it("is left alone for so long, and says meanwhile what it said", async () => {
    const limited = error("rateLimited", 5000);
    await refused("a", limited);
    now += 4999;
    await rejects(answered("a"), (thrown) => thrown === limited);
    deepEqual(asked, []);
    now += 1;
    deepEqual(await answered("a"), ["a"]);
  });

  it("is left alone for a minute where it does not say for how long", async () => {
    await refused("a", error("rateLimited"));
    now += 59_999;
    await rejects(answered("a"));
    now += 1;
    deepEqual(await answered("a"), ["a"]);
  });

  it("holds no other server up", async () => {
    await refused("a", error("rateLimited", 5000));
    deepEqual(await answered("b"), ["b"]);
  });

  it("is asked all the same when a person wants it, and then again by all", async () => {
    await refused("a", error("rateLimited", 5000));
    deepEqual(await answered("a", true), ["a"]);
    deepEqual(await answered("a"), ["a"]);
  });

  it("is left alone also where what it said is a part of the answer", async () => {
    const limited = error("rateLimited", 5000);
    const answer = await servers.ask("a", false, () => Promise.resolve({ error: limited }));
    equal(answer.error, limited);
    await rejects(answered("a"), (thrown) => thrown === limited);
  });

  it("is no server that failed in another way", async () => {
    await refused("a", error("server"));
    await refused("a", new TypeError("bug"));
    deepEqual(await answered("a"), ["a"]);
  });
});
