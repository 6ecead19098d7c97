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

describe("a Local Platform that stops", () => {
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
});

function ordered(platform: Platform, run: Record<string, unknown>, thread: string = randomUUID()): Ticket {
  const body = runBody.parse({ ...run, if_not_exists: "create" });
  return createRun(platform, platform.identity.deploymentId, thread, body);
}

async function read(reader: LogReader): Promise<void> {
  while ((await reader.take()) !== undefined);
}
