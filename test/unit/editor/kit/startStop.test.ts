import assert from "node:assert/strict";
import { setImmediate as turn } from "node:timers/promises";

import { StartStop } from "../../../../src/editor/kit/startStop.ts";

/** A thing that is started and stopped by hand: what happened to it, and how to let the next step end. */
function thing() {
  const events: string[] = [];
  const steps: (() => void)[] = [];
  const step = async (name: string, signal?: AbortSignal): Promise<void> => {
    events.push(name);
    const { promise, resolve, reject } = Promise.withResolvers<undefined>();
    signal?.addEventListener("abort", () => reject(signal.reason), { once: true });
    steps.push(() => resolve(undefined));
    await promise;
    events.push(`${name} ended`);
  };
  const startStop = new StartStop<string>();
  return {
    events,
    startStop,
    start: (name: string, signal?: AbortSignal) =>
      startStop.start(async (ended) => {
        await step(name, ended);
        return name;
      }, signal),
    stop: (name: string) => startStop.stop(new Error(`by ${name}`), () => step(name)),
    go: async () => {
      await turn();
      steps.shift()!();
      await turn();
    },
  };
}

describe("what is started and stopped", () => {
  it("is started once for all who ask meanwhile, and anew for who asks later", async () => {
    const { start, go, events, startStop } = thing();
    const both = Promise.all([start("first"), start("second")]);
    await go();
    assert.deepEqual(await both, ["first", "first"]);
    assert.equal(startStop.isStarting, false);
    const third = start("third");
    assert.equal(startStop.isStarting, true);
    await go();
    assert.equal(await third, "third");
    assert.deepEqual(events, ["first", "first ended", "third", "third ended"]);
  });

  it("is not started any more for everybody when one of them gives up, and is for who asks then", async () => {
    const { start, go } = thing();
    const controller = new AbortController();
    const both = [start("first", controller.signal), start("second")];
    await turn();
    controller.abort(new Error("given up"));
    const third = start("third");
    for (const one of both) await assert.rejects(one, /given up/);
    const fourth = start("fourth");
    // The first step was never let go.
    await go();
    await go();
    assert.deepEqual(await Promise.all([third, fourth]), ["third", "third"]);
  });

  it("is not started for who has given up before asking", async () => {
    const { start, events } = thing();
    await assert.rejects(start("first", AbortSignal.abort(new Error("given up"))), /given up/);
    await turn();
    assert.deepEqual(events, []);
  });

  it("is stopped when the start under way has ended, which gets the reason", async () => {
    const { start, stop, go, events } = thing();
    const first = start("first");
    await turn();
    const stopped = stop("stop");
    await assert.rejects(first, /by stop/);
    await go();
    await go();
    await stopped;
    assert.deepEqual(events, ["first", "stop", "stop ended"]);
  });

  it("is started again only when every stop before has ended", async () => {
    const { start, stop, go, events } = thing();
    const stops = [stop("one"), stop("other")];
    const again = start("again");
    await go();
    assert.deepEqual(events, ["one", "one ended", "other"]);
    await go();
    await Promise.all(stops);
    await go();
    assert.equal(await again, "again");
  });

  it("stays stopped when the stop came last", async () => {
    const { start, stop, go, events } = thing();
    const stops = [stop("one")];
    const between = start("between");
    stops.push(stop("other"));
    const refused = assert.rejects(between, /by other/);
    await go();
    await refused;
    await go();
    await Promise.all(stops);
    assert.deepEqual(events, ["one", "one ended", "other", "other ended"]);
  });

  it("is started without regard to what waits for that, and is not held up where it fails", async () => {
    const { startStop, start, go, events } = thing();
    const first = start("first");
    const after = startStop.after(() => {
      events.push(`after, starting ${startStop.isStarting}`);
      return Promise.resolve();
    });
    const failed = assert.rejects(
      startStop.after(() => Promise.reject(new Error("no"))),
      /no/,
    );
    const second = start("second");
    await go();
    assert.deepEqual([await first, await second], ["first", "first"]);
    await Promise.all([after, failed]);
    assert.deepEqual(events, ["first", "first ended", "after, starting false"]);
    const third = start("third");
    await go();
    assert.equal(await third, "third");
  });

  it("can be started and stopped after either has failed", async () => {
    const { startStop, start, stop, go } = thing();
    const fails = () => Promise.reject(new Error("no"));
    await assert.rejects(startStop.start(fails), /no/);
    await assert.rejects(startStop.stop(new Error("stopped"), fails), /no/);
    const started = start("first");
    await go();
    assert.equal(await started, "first");
    const stopped = stop("last");
    await go();
    await stopped;
  });
});
