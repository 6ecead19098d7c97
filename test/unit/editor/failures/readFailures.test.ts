import { deepEqual, equal } from "node:assert/strict";
import { ago, deployment, disposing, failing, hour, world } from "./failingWorld.ts";

const { signal } = new AbortController();

describe("Failures that were read", () => {
  it("stay so in the next window, and are new when they happen again", async () => {
    const { at, make } = world();
    at.exports = () => Promise.reject(failing("refused"));
    using first = disposing(make());
    await first.load(signal);
    await first.markRead(first.items);
    using second = disposing(make());
    await second.load(signal);
    deepEqual(
      second.items.map((one) => second.isUnread(one)),
      [false],
    );
    at.exports = () => Promise.resolve([]);
    await second.load(signal);
    deepEqual(second.items, []);
    at.exports = () => Promise.reject(failing("refused"));
    await second.load(signal);
    deepEqual(
      second.items.map((one) => second.isUnread(one)),
      [true],
    );
  });

  for (const kind of ["rateLimited", "server"] as const) {
    it(`stay so while the platform answers ${kind} for once`, async () => {
      const { at, make } = world();
      const listed = [deployment("bot", "DEPLOY_FAILED"), deployment("down", "DEPLOYED")];
      at.deployments = () => Promise.resolve(listed);
      at.threads = (name) => Promise.reject(failing(name === "down" ? "refused" : kind));
      using failures = disposing(make());
      await failures.load(signal);
      await failures.markRead(failures.items);
      const before = failures.items;
      equal(before.length, 2 + Number(kind === "server"));
      at.now += hour;
      at.deployments = () => Promise.reject(failing(kind));
      await failures.load(signal);
      at.deployments = () => Promise.resolve(listed);
      await failures.load(signal);
      deepEqual(
        failures.items.map((one) => [one.key, one.at, failures.isUnread(one)]),
        before.map(({ key, at: since }) => [key, since, false]),
      );
    });
  }

  it("are still shown while a server that had them has no time to answer", async () => {
    const { at, make } = world();
    const limited = Object.assign(failing("rateLimited"), { status: 429 });
    const thread = { thread_id: "t", updated_at: ago(2 * hour), status: "busy", metadata: { title: "old" } };
    at.deployments = () => Promise.resolve([deployment("bot", "DEPLOYED")]);
    at.threads = () => Promise.resolve({ threads: [thread] });
    using failures = disposing(make());
    await failures.load(signal);
    await failures.markRead(failures.items);
    at.threads = () => Promise.reject(limited);
    await failures.load(signal);
    deepEqual(
      failures.items.map((one) => [one.name, failures.isUnread(one)]),
      [["old", false]],
    );
    at.threads = () => Promise.resolve({ threads: [] });
    await failures.load(signal);
    deepEqual(failures.items, []);
  });
});
