import { deepEqual, equal, rejects } from "node:assert/strict";
import { Later } from "../../../../src/editor/kit/later.ts";

describe("A part that is made at its first use", () => {
  it("is made once, by the first who asks for it", async () => {
    const { later, log } = parts();
    equal(log.length, 0);
    equal(await later.get(), await later.get());
    deepEqual(log, ["made"]);
  });

  it("lets others know when it is made, and not before", async () => {
    const { later, log } = parts();
    void later.made.then(() => log.push("known"));
    await later.ifMade(() => void log.push("used"));
    equal(log.length, 0);
    await later.get();
    await later.ifMade(() => void log.push("used"));
    deepEqual(log, ["made", "known", "used"]);
  });

  it("is made by the next call after one that failed", async () => {
    let count = 0;
    const later = new Later(() => {
      count += 1;
      return count === 1 ? Promise.reject(new Error("no")) : Promise.resolve({ dispose: () => undefined });
    });
    await rejects(later.get(), /no/);
    await later.get();
    equal(count, 2);
  });

  it("goes with what stood for it, also while it is being made, and is not made for that", async () => {
    const unused = parts();
    unused.later.dispose();
    deepEqual(unused.log, ["shell gone"]);
    const { later, log } = parts();
    const making = later.get();
    later.dispose();
    await making;
    await later.ifMade(() => undefined);
    deepEqual(log, ["made", "shell gone", "gone"]);
  });
});

function parts() {
  const log: string[] = [];
  const make = () => {
    log.push("made");
    return Promise.resolve({ dispose: () => void log.push("gone") });
  };
  return { log, later: new Later(make, { dispose: () => void log.push("shell gone") }) };
}
