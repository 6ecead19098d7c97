import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { closePlatform, openPlatform } from "../../../../src/emulator/platform/platform.ts";
import type { Platform } from "../../../../src/emulator/platform/platform.ts";
import { createRun, runBody } from "../../../../src/emulator/platform/runOrder.ts";
import type { LogReader } from "../../../../src/emulator/runtime/logReader.ts";
import type { Ticket } from "../../../../src/emulator/runtime/ticket.ts";
import { until } from "../../../support/until.ts";

describe("a Local Platform that stops, or deletes what runs", () => {
  let directory: string;

  before(async () => {
    directory = await mkdtemp(join(tmpdir(), "shutdown-"));
  });
  after(() => rm(directory, { recursive: true, force: true }));

  it("tells nobody that a run is over that it cuts short", async () => {
    const platform = openPlatform(directory, undefined, () => "");
    const ticket = ordered(platform, { assistant_id: "slow", input: { seconds: 60 } });
    const told: string[] = [];
    void ticket.done.then(() => told.push("the caller who waits"));
    void read(ticket.log.read(-1)).then(() => told.push("the reader of the stream"));
    await until("the run wrote its first event", () => ticket.log.next > 0);
    await platform.scheduler.shutdown();
    await setImmediate();
    await setImmediate();
    assert.deepEqual(told, []);
    await closePlatform(platform);
    const again = openPlatform(directory, undefined, () => "");
    again.scheduler.recover();
    assert.equal(again.runs.get(ticket.run.thread_id, ticket.run.run_id)?.status, "error");
    await closePlatform(again);
  });

  it("still deletes a thread on which one run goes on and another one waits", async () => {
    const platform = openPlatform(directory, undefined, () => "");
    const going = ordered(platform, { assistant_id: "slow", input: { seconds: 60 } });
    const { thread_id: thread } = going.run;
    ordered(platform, { assistant_id: "slow", input: { seconds: 60 } }, thread);
    const stopped = platform.scheduler.shutdown();
    await platform.scheduler.removeThread(thread);
    await stopped;
    assert.equal(platform.threads.get(platform.identity.deploymentId, thread), undefined);
    assert.deepEqual(platform.runs.unfinished(), []);
    await closePlatform(platform);
  });

  it("takes no run for a thread that is being deleted, which leaves nothing behind", async () => {
    const platform = openPlatform(directory, undefined, () => "");
    const { run } = ordered(platform, { assistant_id: "slow", input: { seconds: 60 } });
    const removals = [1, 2].map(() => platform.scheduler.removeThread(run.thread_id));
    const late = { assistant_id: "slow", input: { seconds: 0 } };
    assert.throws(() => ordered(platform, late, run.thread_id), /Thread with ID .* not found/);
    await Promise.all(removals);
    assert.equal(platform.checkpoints.head(run.thread_id), undefined);
    const anew = await ordered(platform, late, run.thread_id).done;
    assert.equal(anew.status, "success");
    await closePlatform(platform);
  });

  it("starts again without states of threads that are gone", async () => {
    const platform = openPlatform(directory, undefined, () => "");
    const { run, done } = ordered(platform, { assistant_id: "slow", input: { seconds: 0 } });
    const left = ordered(platform, { assistant_id: "slow", input: { seconds: 0 } });
    await Promise.all([done, left.done]);
    platform.threads.delete(left.run.thread_id);
    await closePlatform(platform);
    const again = openPlatform(directory, undefined, () => "");
    again.scheduler.recover();
    assert.equal(again.checkpoints.head(left.run.thread_id), undefined);
    assert.notEqual(again.checkpoints.head(run.thread_id), undefined);
    await closePlatform(again);
  });
});

function ordered(platform: Platform, run: Record<string, unknown>, thread: string = randomUUID()): Ticket {
  const body = runBody.parse({ ...run, if_not_exists: "create" });
  return createRun(platform, platform.identity.deploymentId, thread, body);
}

async function read(reader: LogReader): Promise<void> {
  while ((await reader.take()) !== undefined);
}
