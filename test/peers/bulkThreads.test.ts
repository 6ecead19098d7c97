/** Many runs of a real agent server are stopped, many threads deleted or repaired, by windows that die and while others use them. */

import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { AgentServer } from "../../src/api/agentServer/index.ts";
import { Http } from "../../src/api/http.ts";
import { realClock } from "../../src/api/poll.ts";
import type { BulkJob } from "../../src/editor/bulk/bulkJob.ts";
import { BulkRecords } from "../../src/editor/bulk/bulkRecords.ts";
import {
  readUnfinished,
  type StopItem,
  type StopJob,
  stopWork,
} from "../../src/editor/threads/bulk/runStops.ts";
import {
  type DeleteItem,
  type DeleteJob,
  deleteWork,
  measure,
  readByAge,
} from "../../src/editor/threads/bulk/threadDeletion.ts";
import { type RepairJob, repairWork } from "../../src/editor/threads/bulk/repairWork.ts";
import { Death } from "../support/dyingWindow.ts";
import { comesTo, failThreads, goOnWith, repairOf, untold } from "../support/repairedThreads.ts";
import { runToEnd } from "../support/runToEnd.ts";
import { rejection, say } from "./agentServerPeer.ts";
import { type AgentServerProcess, startAgentServer } from "./server.ts";

const { signal } = new AbortController();
const options = { signal, onRead: () => undefined };

describe("many threads and runs of a real agent server", () => {
  let server: AgentServerProcess;
  let api: AgentServer;
  let folder: string;
  const deleted: string[] = [];
  const place = {
    connectionId: "c",
    server: { kind: "agentServer", url: "" },
    name: "Agents",
    url: "",
  } as const;

  before(async () => {
    server = await startAgentServer();
    api = new AgentServer(new Http({ baseUrl: server.url }));
    folder = await mkdtemp(join(tmpdir(), "agent-operations-bulk-"));
  });
  after(async () => {
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  });

  const stopping = (to: AgentServer) => stopWork({ serverOf: () => to, clock: realClock, threads: untold });
  const deleting = (to: AgentServer) =>
    deleteWork({
      serverOf: () => to,
      threads: { notify: ({ threads }) => deleted.push(...threads.map(({ threadId }) => threadId)) },
    });

  const slow = async (threadId: string, seconds = 60, more: object = {}) =>
    api.runs.create(threadId, { assistant_id: "slow", input: { ...say("wait"), seconds }, ...more });
  const going = async (): Promise<string> => {
    const { thread_id: id } = await api.threads.create();
    await slow(id);
    return id;
  };
  const spoken = async (): Promise<string> => {
    const { thread_id: id } = await api.threads.create();
    await runToEnd(api, id, { assistant_id: "chat", input: say("Hello") });
    await comesTo(api, id, "idle");
    return id;
  };
  const asking = async (): Promise<string> => {
    const { thread_id: id } = await api.threads.create();
    await runToEnd(api, id, { assistant_id: "approval", input: say("Tell them") });
    await comesTo(api, id, "interrupted");
    return id;
  };

  async function stopOf(ids: readonly string[]): Promise<StopJob> {
    const runs = await readUnfinished(place, api, options);
    const items = runs
      .filter(({ ref }) => ids.includes(ref.threadId))
      .map(({ ref, title, run }): StopItem => ({
        ...{ ...ref, name: title, before: run.run_id, words: "", state: "waiting" },
      }));
    return { ...base(), change: { kind: "stop" }, items };
  }
  async function deletionOf(ids: readonly string[]): Promise<DeleteJob> {
    const { threads } = await readByAge(place, api.threads, options);
    const items = threads
      .filter(({ ref }) => ids.includes(ref.threadId))
      .map(({ ref, title, status, updatedAt }): DeleteItem => ({
        ...{ ...ref, name: title, before: updatedAt, status, words: "", state: "waiting" },
      }));
    return { ...base(), change: { kind: "delete" }, items };
  }
  const base = () => ({
    ...{ id: randomUUID(), startedAt: Date.now(), title: "Job", doneWord: "done", isTried: true, agreed: [] },
    pace: { atOnce: 4, everyMs: 0, mostFailures: 5 },
  });
  const records = () => new BulkRecords(folder);
  const outcomes = (job: BulkJob<StopItem | DeleteItem>): Record<string, string> =>
    Object.fromEntries(
      job.items.map(({ threadId, state, said = "" }) => [threadId, `${state} ${said}`.trim()]),
    );
  const isThere = (id: string): Promise<boolean> =>
    api.threads.row(id).then(
      () => true,
      () => false,
    );

  it("are stopped, those that wait for their turn, too; one that ended meanwhile is left", async () => {
    const ids = [await going(), await going()];
    const [first = "", second = ""] = ids;
    await slow(first, 60, { multitask_strategy: "enqueue" });
    const job = await stopOf(ids);
    assert.equal(job.items.length, 3);
    const ended = job.items.find(({ threadId }) => threadId === second)?.before ?? "";
    await api.runs.cancel(second, ended, { wait: true });
    await records().add(job);
    const after = await goOnWith<StopJob>(records(), job.id, () => stopping(api));
    assert.deepEqual(after.items.map(({ threadId, state }) => [threadId === first, state]).toSorted(), [
      [false, "left"],
      [true, "done"],
      [true, "done"],
    ]);
    assert.match(outcomes(after)[second] ?? "", /^left It ended by itself with “/);
    assert.deepEqual(await readUnfinished(place, api, options), []);
  });

  it("a run that its server lost is told, not waited for without end", async () => {
    const id = await going();
    const job = await stopOf([id]);
    await server.killAndRestart();
    await records().add(job);
    let now = 0;
    const clock = {
      now: () => now,
      random: () => 0.5,
      sleep: (ms: number) => {
        now += ms;
        return Promise.resolve();
      },
    };
    const work = stopWork({ serverOf: () => api, clock, threads: untold });
    const after = await goOnWith<StopJob>(records(), job.id, () => work);
    assert.match(outcomes(after)[id] ?? "", /^failed It was asked to stop and goes on\..*in a copy\.$/);
    // Nothing is deleted to free it.
    assert.ok(await isThere(id));
  });

  it("are deleted by their age: what runs, waits or was used since is left", async () => {
    const [old, failing, waits, used, busy, gone] = await Promise.all([
      ...[spoken(), spoken(), asking(), spoken(), spoken(), spoken()],
    ]);
    const untouched = await spoken();
    const ids = [old, failing, waits, used, busy, gone].map((id) => id ?? "");
    const job = await deletionOf(ids);
    const byAge = await readByAge(place, api.threads, options);
    assert.deepEqual(
      byAge.threads.map(({ updatedAt }) => updatedAt),
      byAge.threads.map(({ updatedAt }) => updatedAt).toSorted(),
    );
    assert.equal((await readByAge(place, api.threads, { ...options, most: 2 })).isCut, true);
    const { bytes, read } = await measure(byAge.threads, () => api.threads, signal);
    assert.ok(bytes > 0 && read === byAge.threads.length, `${String(bytes)} by ${String(read)}`);
    await runToEnd(api, used ?? "", { assistant_id: "chat", input: say("More") });
    await slow(busy ?? "");
    await api.threads.delete(gone ?? "");
    // Somebody's question is answered between the preview and the deletion.
    const answer = { resume: [{ type: "reject", message: "no" }] };
    await runToEnd(api, waits ?? "", { assistant_id: "approval", command: answer });
    await records().add(job);
    const after = outcomes(await goOnWith<DeleteJob>(records(), job.id, () => deleting(api)));
    assert.equal(after[old ?? ""], "done");
    assert.match(after[used ?? ""] ?? "", /^left It was used or changed since/);
    assert.match(after[waits ?? ""] ?? "", /^left It was used or changed since/);
    assert.match(after[busy ?? ""] ?? "", /^left A run goes on in it/);
    assert.match(after[gone ?? ""] ?? "", /^left It was deleted elsewhere/);
    assert.deepEqual(
      await Promise.all([old, failing, waits, used, busy, untouched].map((id) => isThere(id ?? ""))),
      [false, false, true, true, true, true],
    );
    assert.deepEqual(deleted.toSorted(), [old, failing].toSorted());
    assert.equal((await rejection(api.threads.get(old ?? ""))).kind, "notFound");
  });

  for (const what of ["stop", "delete"] as const)
    it(`${what} each once, at whatever moment the window dies`, async () => {
      // Written down before and after, a request in between; a stop is followed, and written down thrice.
      const moments = what === "stop" ? 5 : 4;
      const died = await Promise.all(
        Array.from({ length: moments + 1 }, async (_, index) => {
          const death = new Death(index + 1);
          const id = what === "stop" ? await going() : await spoken();
          const job: BulkJob = what === "stop" ? await stopOf([id]) : await deletionOf([id]);
          const work = (to: AgentServer) => () => (what === "stop" ? stopping(to) : deleting(to)) as never;
          const [there, after] = [join(folder, `${what}${index}`), join(folder, `${what}${index}b`)];
          await new BulkRecords(there).add(job);
          const window = goOnWith(new BulkRecords(there), job.id, work(death.server(api)), () =>
            death.comes(),
          );
          await Promise.race([window, death.came]);
          // A lock of this process would be kept for ever: what is written down is taken elsewhere.
          for (const end of ["json", "journal"])
            await cp(join(there, `${job.id}.${end}`), join(after, `${job.id}.${end}`)).catch(() => undefined);
          const { items } = await goOnWith(new BulkRecords(after), job.id, work(api));
          assert.equal(items[0]?.state, "done", `dead at ${String(index + 1)}: ${items[0]?.said ?? ""}`);
          if (what === "stop") assert.notEqual((await api.threads.row(id)).status, "busy");
          else assert.equal(await isThere(id), false);
          return death.isOver;
        }),
      );
      assert.deepEqual(
        died,
        [...Array<boolean>(moments).fill(true), false],
        "there are more moments to die at",
      );
    });

  it("are left by their repair once the graph has lost the step, with the steps that it has now", async () => {
    const ids = await failThreads(api, 4);
    const repair = await repairOf(api, ids, { kind: "retry" }, 1);
    await records().add(repair);
    const work = repairWork(
      { serverOf: () => api, clock: realClock, deadlineMs: () => 60_000, threads: untold },
      repair,
    );
    const after = await goOnWith<RepairJob>(
      records(),
      repair.id,
      () => work,
      async ({ items }) => {
        const [first, second] = items;
        if (first?.state !== "done" || second?.state !== "waiting") return;
        await server.killAndRestart(async (graphs) => {
          const file = join(graphs, "pipeline.mts");
          await writeFile(file, (await readFile(file, "utf8")).replaceAll('"write"', '"store"'));
        });
      },
    );
    assert.deepEqual(
      after.items.map(({ state }) => state),
      ["done", "left", "left", "left"],
    );
    for (const { said = "" } of after.items.slice(1))
      assert.match(
        said,
        /graph was changed since.* Its steps are now collect, check, reserve, charge, store, send/,
      );
  });
});
