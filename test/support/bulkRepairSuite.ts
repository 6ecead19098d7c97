/** What is proved of the repair of many failed threads by a window that dies: each exactly once. */

import assert from "node:assert/strict";
import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { AgentServer } from "../../src/api/agentServer/index.ts";
import { BulkRecords } from "../../src/editor/bulk/bulkRecords.ts";
import type { RepairChange, RepairJob } from "../../src/editor/threads/bulk/repairWork.ts";
import { startProcessGroup } from "../host/processGroup.ts";
import { Death } from "./dyingWindow.ts";
import { comesTo, failThreads, goOn, outcomeOf, repairOf } from "./repairedThreads.ts";
import { runToEnd } from "./runToEnd.ts";

const steps = ["collect", "check", "reserve", "charge", "write", "send", "close"];
const once = Object.fromEntries(steps.map((name) => [name, 1]));
const program = join(import.meta.dirname, "repairingWindow.ts");

/** The server whose threads are repaired. */
export interface FailingServer {
  readonly url: string;
  readonly apiKey: string;
  readonly api: AgentServer;
}

/** Tests that repair many threads, each step counted, on the server that `start` gives. */
export function itRepairsMany(start: () => Promise<FailingServer>): void {
  let server: FailingServer;
  let api: AgentServer;
  let folder: string;
  let records: BulkRecords;

  before(async () => {
    server = await start();
    ({ api } = server);
    folder = await mkdtemp(join(tmpdir(), "agent-operations-bulk-"));
    records = new BulkRecords(folder);
  });
  after(() => rm(folder, { recursive: true, force: true }));

  const begun = async (
    ids: readonly string[],
    change?: RepairChange,
    atOnce?: number,
  ): Promise<RepairJob> => {
    const job = await repairOf(api, ids, change, atOnce);
    await records.add(job);
    return job;
  };
  const states = ({ items }: RepairJob): Record<string, number> =>
    Object.fromEntries(
      [...Map.groupBy(items, ({ state }) => state)].map(([state, all]) => [state, all.length]),
    );

  it("are each repaired once, though the window is killed in the middle", async () => {
    const ids = await failThreads(api, 60);
    const { id } = await begun(ids);
    const killed = startProcessGroup(process.execPath, [program, folder, id, server.url, server.apiKey], {
      onLine: (line) => {
        if (line === "done 25") process.kill(killed.pid, "SIGKILL");
      },
    });
    assert.equal(await killed.exited, null, killed.lastLines());
    const known = (await records.read(id)) as RepairJob;
    assert.ok(
      known.items.some(({ state }) => state === "waiting"),
      "nothing was left to do",
    );
    const job = await goOn(records, id, api);
    assert.deepEqual(
      states(job),
      { done: 60 },
      JSON.stringify(job.items.find(({ state }) => state !== "done")),
    );
    for (const outcome of await Promise.all(ids.map((thread) => outcomeOf(api, thread))))
      assert.deepEqual(outcome, { executions: { ...once, write: 2 }, runs: 2, next: [] });
  });

  it("are each repaired once by two windows, and what somebody else repaired is left out", async () => {
    const ids = await failThreads(api, 12);
    const [one, other] = [await begun(ids), await begun(ids)];
    const [byHand = ""] = ids;
    await runToEnd(api, byHand, { assistant_id: "pipeline", input: null });
    await comesTo(api, byHand, "idle");
    const both = await Promise.all([goOn(records, one.id, api), goOn(records, other.id, api)]);
    // Either may have been the first to begin.
    const [first, second] = both.toSorted((a, b) => (states(b)["done"] ?? 0) - (states(a)["done"] ?? 0));
    assert.ok(first);
    assert.ok(second);
    assert.deepEqual(states(first), { done: 11, left: 1 });
    assert.deepEqual(states(second), { left: 12 });
    assert.match(
      first.items.find(({ state }) => state === "left")?.said ?? "",
      /^Somebody else ran or changed it/,
    );
    for (const outcome of await Promise.all(ids.map((thread) => outcomeOf(api, thread))))
      assert.deepEqual(outcome, { executions: { ...once, write: 2 }, runs: 2, next: [] });
  });

  it("that fail again are told with why, and not tried by another window that was asked before", async () => {
    const ids = await failThreads(api, 2, { times: 9 });
    const [one, other] = [await begun(ids), await begun(ids)];
    const first = await goOn(records, one.id, api);
    assert.deepEqual(first.items.map(({ said = "" }) => said).toSorted(), [
      "write: write failed, time 2 of 9.",
      "write: write failed, time 2 of 9.",
    ]);
    assert.deepEqual(states(await goOn(records, other.id, api)), { left: 2 });
  });

  const changes: readonly (readonly [string, RepairChange, object])[] = [
    ["is retried", { kind: "retry" }, { ...once, write: 2 }],
    [
      "is skipped",
      { kind: "skip", node: "write", values: { messages: [{ type: "ai", content: "mine" }] } },
      Object.fromEntries(steps.filter((name) => name !== "write").map((name) => [name, 1])),
    ],
    ["goes on with another state", { kind: "edit", values: { fail_at: "none" } }, { ...once, write: 2 }],
  ];
  for (const [how, change, executions] of changes)
    it(`one of them ${how} once, at whatever moment the window dies`, async () => {
      // Written down thrice; a request is a moment before it leaves, and one after it was done.
      const moments = change.kind === "retry" ? 5 : 7;
      const outcomes = await Promise.all(
        Array.from({ length: moments + 1 }, async (_, before) => {
          const moment = before + 1;
          const ids = await failThreads(api, 1, { times: change.kind === "retry" ? 1 : 9 });
          const [there, after] = [
            join(folder, `${change.kind}${moment}`),
            join(folder, `${change.kind}${moment}b`),
          ];
          const { id } = await repairOf(api, ids, change).then(async (job) => {
            await new BulkRecords(there).add(job);
            return job;
          });
          const death = new Death(moment);
          const window = goOn(new BulkRecords(there), id, death.server(api), () => death.comes());
          await Promise.race([window, death.came]);
          // A lock of this process would be kept for ever: what is written down is taken elsewhere.
          for (const end of ["json", "journal"])
            await cp(join(there, `${id}.${end}`), join(after, `${id}.${end}`)).catch(() => undefined);
          const job = await goOn(new BulkRecords(after), id, api);
          assert.deepEqual(
            states(job),
            { done: 1 },
            `dead at ${String(moment)}: ${JSON.stringify(job.items)}`,
          );
          assert.deepEqual(
            await outcomeOf(api, ids[0] ?? ""),
            { executions, runs: 2, next: [] },
            `dead at ${String(moment)}`,
          );
          return death.isOver;
        }),
      );
      assert.deepEqual(
        outcomes,
        [...Array<boolean>(moments).fill(true), false],
        "there are more moments to die at",
      );
    });
}
