import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { closePlatform, openPlatform } from "../../../../src/emulator/platform/platform.ts";
import type { Platform } from "../../../../src/emulator/platform/platform.ts";
import { createRun, runBody } from "../../../../src/emulator/platform/runOrder.ts";
import type { Ticket } from "../../../../src/emulator/runtime/ticket.ts";
import { until } from "../../../support/until.ts";

describe("a Local Platform whose store cannot be written for a while", () => {
  let directory: string;
  let platform: Platform;
  let reported: unknown[];
  const { error } = console;

  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), "failing-store-"));
    platform = openPlatform(directory, undefined, () => "");
    reported = [];
    console.error = (...words: unknown[]) => void reported.push(words);
  });
  afterEach(async () => {
    console.error = error;
    await closePlatform(platform);
    await rm(directory, { recursive: true, force: true });
  });

  const ordered = (run: Record<string, unknown>, thread: string = randomUUID()): Ticket => {
    const body = runBody.parse({ ...run, if_not_exists: "create" });
    return createRun(platform, platform.identity.deploymentId, thread, body);
  };
  /** Reads go on meanwhile, as on a disk that is full. */
  const writable = (yes: boolean) => platform.store.get(`PRAGMA query_only = ${yes ? "OFF" : "ON"}`);
  const status = ({ run }: Ticket) => platform.runs.get(run.thread_id, run.run_id)?.status;
  const threadStatus = ({ run }: Ticket) =>
    platform.threads.get(platform.identity.deploymentId, run.thread_id)?.status;

  const say = (seconds: number) => ({
    assistant_id: "slow",
    input: { seconds },
    config: { configurable: { token_delay_ms: 0 } },
  });

  for (const [when, order] of [
    ["when a run starts", { ...say(0.1), after_seconds: 0.1 }],
    ["while a run works", say(0.2)],
  ] as const) {
    it(`fails ${when}, and the thread is free again afterwards`, async () => {
      const ticket = ordered(order);
      await platform.store.flushed();
      writable(false);
      await until("the failure is reported", () => reported.length > 0);
      assert.ok(platform.scheduler.isBusy(ticket.run.thread_id));
      writable(true);
      const outcome = await ticket.done;
      assert.match(outcome.error?.message ?? "", /readonly/);
      assert.deepEqual([status(ticket), threadStatus(ticket)], ["error", "error"]);
      assert.ok(!platform.scheduler.isBusy(ticket.run.thread_id));
      const next = ordered(say(0), ticket.run.thread_id);
      assert.equal((await next.done).status, "success");
      assert.deepEqual([status(next), threadStatus(next)], ["success", "idle"]);
    });
  }

  it("still ends when it is told to", async () => {
    const ticket = ordered({ ...say(0.1), after_seconds: 0.1 });
    await platform.store.flushed();
    writable(false);
    await until("the failure is reported", () => reported.length > 0);
    await platform.scheduler.shutdown();
    writable(true);
    platform.scheduler.recover();
    assert.ok(["pending", "error"].includes(status(ticket) ?? ""));
  });
});
