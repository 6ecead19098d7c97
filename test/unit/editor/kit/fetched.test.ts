import { deepEqual, equal, ok } from "node:assert/strict";
import { Fetched } from "../../../../src/editor/kit/fetching/fetched.ts";

describe("what was fetched", () => {
  const { signal } = new AbortController();

  it("keeps what is known when it can't be fetched again, with the reason beside it", async () => {
    const { fetched, changes } = counted();
    await fetched.load(() => Promise.resolve("one"), signal);
    const error = new Error("away");
    await fetched.load(() => Promise.reject(error), signal);
    const { asOf = 0, ...why } = fetched.failure ?? {};
    deepEqual([fetched.value, why], ["one", { error }]);
    ok(asOf > 0 && asOf <= Date.now(), "it says when it was fetched");
    await fetched.load(() => Promise.resolve("two"), signal);
    deepEqual([fetched.value, fetched.failure], ["two", undefined]);
    equal(changes(), 3);
  });

  it("drops an answer that a later request overtook", async () => {
    const { fetched, changes } = counted();
    const slow = Promise.withResolvers<string>();
    const overtaken = fetched.load(() => slow.promise, signal);
    await fetched.load(() => Promise.resolve("new"), signal);
    slow.resolve("old");
    await overtaken;
    equal(fetched.value, "new");
    equal(changes(), 1);
  });

  it("drops a failure that a later request overtook", async () => {
    const { fetched } = counted();
    const slow = Promise.withResolvers<string>();
    const overtaken = fetched.load(() => slow.promise, signal);
    await fetched.load(() => Promise.resolve("new"), signal);
    slow.reject(new Error("late"));
    await overtaken;
    deepEqual([fetched.value, fetched.failure], ["new", undefined]);
  });

  it("drops what was on its way when it was reset", async () => {
    const { fetched } = counted();
    const slow = Promise.withResolvers<string>();
    const before = fetched.load(() => slow.promise, signal);
    fetched.reset();
    slow.resolve("old");
    await before;
    equal(fetched.value, undefined);
    await fetched.load(() => Promise.resolve("new"), signal);
    fetched.reset();
    await fetched.load(() => Promise.reject(new Error("away")), signal);
    equal(fetched.failure?.asOf, undefined);
  });

  it("takes an aborted request for no failure", async () => {
    const { fetched, changes } = counted();
    const ended = new AbortController();
    ended.abort();
    await fetched.load(() => Promise.reject(new Error("aborted")), ended.signal);
    equal(fetched.failure, undefined);
    equal(changes(), 0);
  });
});

function counted() {
  let count = 0;
  return { fetched: new Fetched<string>(() => (count += 1)), changes: () => count };
}
