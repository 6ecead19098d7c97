import { strict as assert } from "node:assert";
import { once } from "node:events";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { createServer } from "node:net";
import type { AddressInfo, Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { listenedUntil, receiverRecord } from "../../../../src/editor/issues/sharedReceiver.ts";
import { SharedReceiver } from "../../../../src/editor/issues/sharedReceiver.ts";
import type { ReceiverState } from "../../../../src/editor/issues/sharedReceiver.ts";
import { until } from "../../../support/until.ts";

describe("The receiver that windows share", () => {
  let directory: string;
  let port: number;
  let windows: SharedReceiver[];
  let failures: unknown[];
  let strangers: Server[];
  let missed: (readonly [from: number, to: number])[];

  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), "shared-receiver-"));
    [port, windows, failures, strangers, missed] = [0, [], [], [], []];
  });
  afterEach(async () => {
    for (const window of windows) {
      await window.shutdown();
      window.dispose();
    }
    for (const stranger of strangers) stranger.close();
    await rm(directory, { recursive: true, force: true });
    assert.deepEqual(failures, []);
  });

  const open = (prepare = (): Promise<void> => Promise.resolve()): SharedReceiver => {
    const window = new SharedReceiver(directory, {
      verifier: () => Promise.resolve(undefined),
      accept: () => Promise.resolve(),
      refused: () => undefined,
      failed: (error) => failures.push(error),
      port: () => port,
      prepare,
      missed: (from, to) => {
        missed.push([from.getTime(), to.getTime()]);
        return Promise.resolve();
      },
      changed: () => undefined,
    });
    windows.push(window);
    return window;
  };
  const stranger = async (wanted = 0): Promise<number> => {
    const server = createServer().listen(wanted, "127.0.0.1");
    strangers.push(server);
    await once(server, "listening");
    return (server.address() as AddressInfo).port;
  };
  /** Leaves the record of a window that was killed while it listened; gives the port that it had. */
  const leaveKilled = async (): Promise<number> => {
    const gone = await stranger();
    strangers.pop()?.close();
    const window = { id: "killed", pid: process.pid };
    await receiverRecord(directory).write({ wanted: true, port: gone, window });
    return gone;
  };
  const kinds = (): string[] => windows.map(({ state }) => state.kind).sort();

  it("stays closed until a person wants it, and then comes back by itself on its port", async () => {
    const first = open();
    await first.resume();
    assert.equal(first.state.kind, "stopped");
    const receiving = portOf(await first.receive());
    await first.shutdown();
    const second = open();
    await second.resume();
    assert.deepEqual(second.state, { kind: "receiving", port: receiving });
    await second.stop();
    const third = open();
    await third.resume();
    assert.equal(third.state.kind, "stopped");
  });

  it("is opened by one of the windows that want it at the same time", async () => {
    const states = await Promise.all([open(), open(), open()].map((window) => window.receive()));
    assert.deepEqual(kinds(), ["elsewhere", "elsewhere", "receiving"]);
    assert.equal(new Set(states.map(portOf)).size, 1);
    assert.deepEqual(
      (await readdir(directory)).filter((name) => name !== "receiver.json" && name !== "listening.json"),
      [],
    );
  });

  it("is taken over by one of the windows that wait, on the same port", async () => {
    const first = open();
    const receiving = portOf(await first.receive());
    const waiting = [open(), open(), open()];
    for (const window of waiting) await window.resume();
    await first.shutdown();
    await until("another window receives", () => waiting.some(({ state }) => state.kind === "receiving"));
    await until("no window is stopped", () => waiting.every(({ state }) => state.kind !== "stopped"));
    assert.deepEqual(kinds(), ["elsewhere", "elsewhere", "receiving", "stopped"]);
    assert.deepEqual([...new Set(waiting.map(({ state }) => portOf(state)))], [receiving]);
  });

  it("shows in windows that were open before that another one has begun", async () => {
    const [early, late] = [open(), open()];
    await early.resume();
    const receiving = portOf(await late.receive());
    await until("the early window knows who receives", () => early.state.kind === "elsewhere");
    assert.equal(portOf(early.state), receiving);
  });

  it("is stopped from whichever window", async () => {
    const [first, second] = [open(), open()];
    await first.receive();
    await second.receive();
    await second.stop();
    await until("the first window is stopped", () => first.state.kind === "stopped");
    assert.equal(second.state.kind, "stopped");
    await first.receive();
    assert.equal(first.state.kind, "receiving");
  });

  it("is not left to a window that was killed, though another program has its process number", async () => {
    const gone = await leaveKilled();
    const window = open();
    await window.resume();
    assert.deepEqual(window.state, { kind: "receiving", port: gone });
  });

  it("says on which port it was before, when a stranger has that one", async () => {
    const first = open();
    const before = portOf(await first.receive());
    await first.shutdown();
    await stranger(before);
    const second = open();
    await second.resume();
    assert(second.state.kind === "receiving");
    assert.notEqual(second.state.port, before);
    assert.equal(second.state.movedFrom, before);
  });

  it("fails on a port that a stranger has, and tries again when the settings name another", async () => {
    port = await stranger();
    const window = open();
    await assert.rejects(window.receive(), /in use by another program/);
    assert.equal(window.state.kind, "failed");
    assert.equal(await receiverRecord(directory).read(), undefined);
    port = 0;
    await window.move();
    assert.equal(windows[0]?.state.kind, "receiving");
  });

  it("stays where it is when the settings name a port that a stranger has", async () => {
    const window = open();
    const before = portOf(await window.receive());
    port = await stranger();
    await window.move();
    assert(window.state.kind === "receiving");
    assert.equal(window.state.port, before);
    assert.match(window.state.problem?.message ?? "", /in use by another program/);
    assert.equal((await receiverRecord(directory).read())?.port, before);
    port = 0;
    await window.move();
    assert.deepEqual(window.state, { kind: "receiving", port: before });
  });

  describe("says in which time nobody listened", () => {
    const minutesAgo = (minutes: number): Date => new Date(Date.now() - minutes * 60_000);

    it("from when the last window closed", async () => {
      const first = open();
      await first.receive();
      await first.shutdown();
      const closed = minutesAgo(7);
      await listenedUntil(directory).write(closed);
      const before = Date.now();
      await open().resume();
      const [[from, to] = [0, 0], ...others] = missed;
      assert.deepEqual(others, []);
      assert.equal(from, closed.getTime());
      assert.ok(to >= before && to <= Date.now());
      const again = open();
      await again.resume();
      assert.equal(missed.length, 1, "another window does not tell it again");
    });

    it("or was killed", async () => {
      const killed = minutesAgo(3);
      await listenedUntil(directory).write(killed);
      await leaveKilled();
      await open().resume();
      assert.deepEqual(
        missed.map(([from]) => from),
        [killed.getTime()],
      );
    });

    it("and of none when windows take over from each other, at the first time, or after a person stopped it", async () => {
      const first = open();
      await first.receive();
      await first.shutdown();
      const second = open();
      await second.resume();
      assert.equal(second.state.kind, "receiving");
      await second.stop();
      await listenedUntil(directory).write(minutesAgo(7));
      await open().receive();
      assert.deepEqual(missed, []);
    });

    it("by what a window notes when it begins and when it ends", async () => {
      const window = open();
      assert.equal(await listenedUntil(directory).read(), undefined);
      await window.receive();
      const begun = await listenedUntil(directory).read();
      assert.ok(begun);
      await listenedUntil(directory).write(minutesAgo(7));
      await window.shutdown();
      const ended = await listenedUntil(directory).read();
      assert.ok(ended !== undefined && ended >= begun, String(ended));
    });
  });

  it("begins to listen only after what it needs was prepared", async () => {
    const prepared = Promise.withResolvers<undefined>();
    const window = open(() => prepared.promise);
    const receiving = window.receive();
    await until("the lock is held", async () => (await readdir(directory)).includes("starting.lock"));
    assert.equal(window.state.kind, "stopped");
    prepared.resolve(undefined);
    assert.equal((await receiving).kind, "receiving");
  });
});

function portOf(state: ReceiverState): number {
  assert(state.kind === "receiving" || state.kind === "elsewhere", state.kind);
  return state.port;
}
