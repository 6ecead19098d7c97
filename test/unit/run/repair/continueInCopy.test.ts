import { strict as assert } from "node:assert";
import type { Json, JsonObject, Run } from "../../../../src/api/agentServer/wire.ts";
import { copyStranded, planRescue } from "../../../../src/run/repair/continueInCopy.ts";
import { CourseRefusal } from "../../../../src/run/repair/threadPosition.ts";
import type { RunServer } from "../../../../src/run/session/server.ts";
import { stateAt } from "./threadAt.ts";

const { signal } = new AbortController();

/** A server on which a run stands still behind "plan". */
class StandingServer {
  run: Partial<Run> = {};
  next: readonly string[] = ["left"];
  interrupts: readonly { readonly id: string; readonly value: Json }[] = [];
  metadata: JsonObject = {};
  /** Of the thread, and of its copy. */
  configs: readonly [JsonObject, JsonObject] = [{}, {}];
  /** Where the copy stands. */
  copied: readonly string[] = ["left"];
  readonly calls: unknown[] = [];

  thread(lacking: "copy" | "patch" | "none" = "none") {
    const run = (): Run => ({
      ...{ run_id: "r", thread_id: "t", assistant_id: "chat", status: "running", metadata: {} },
      ...{ created_at: "2026-01-01", updated_at: "2026-01-01", kwargs: {} },
      ...this.run,
    });
    const task = () => ({ id: "task", name: this.next[0] ?? "", interrupts: this.interrupts });
    const server = {
      runs: { list: () => Promise.resolve([run()]) },
      threads: {
        state: (threadId: string) => {
          const next = threadId === "t" ? this.next : this.copied;
          return Promise.resolve(stateAt("head", { next, tasks: next.length === 0 ? [] : [task()] }));
        },
        row: (threadId: string) => {
          const config = this.configs[threadId === "t" ? 0 : 1];
          return Promise.resolve({ thread_id: "t", status: "busy", metadata: this.metadata, config });
        },
        update: () => Promise.reject(new Error("nothing is to be written")),
        ...(lacking !== "copy" && {
          copy: (threadId: string) => {
            this.calls.push(["copy", threadId]);
            return Promise.resolve({ thread_id: "copy" });
          },
        }),
        ...(lacking !== "patch" && {
          patch: (threadId: string, body: object) => {
            this.calls.push([threadId, body]);
            return Promise.resolve();
          },
        }),
      },
    } as unknown as RunServer;
    const clock = { now: () => 0, random: () => 0, sleep: () => Promise.resolve() };
    return { server, threadId: "t", signal, clock };
  }
}

const refusal = (words: RegExp) => (error: unknown) =>
  error instanceof CourseRefusal && words.test(`${error.message} ${error.remedy}`);

describe("a stranded run", () => {
  let standing: StandingServer;
  beforeEach(() => (standing = new StandingServer()));

  it("goes on in a copy, without an input, and both threads name each other", async () => {
    const rescue = await planRescue(standing.thread());
    assert.deepEqual(rescue.stranded, { kind: "stranded", runId: "r", next: ["left"], sign: "silence" });
    assert.deepEqual([rescue.next, rescue.why], [["left"], undefined]);
    const { threadId, run } = await copyStranded(standing.thread(), rescue);
    assert.equal(threadId, "copy");
    assert.deepEqual([run?.assistant_id, run?.input], ["chat", null]);
    assert.deepEqual(standing.calls, [
      ["copy", "t"],
      ["copy", { metadata: { continued_from: "t" } }],
      ["t", { metadata: { continued_in: "copy" } }],
    ]);
  });

  it("names a checkpoint in the copy only where the server copied one, and so repeats no other step", async () => {
    const stuck = { configurable: { checkpoint_id: "old" } };
    const configured = async (ofCopy: JsonObject): Promise<unknown> => {
      standing.configs = [stuck, ofCopy];
      standing.metadata = {};
      return (await copyStranded(standing.thread(), await planRescue(standing.thread()))).run?.config;
    };
    assert.equal(await configured({}), undefined);
    assert.deepEqual(await configured(stuck), { configurable: { checkpoint_id: null } });
  });

  it("is copied alone where nothing can go on, and says why", async () => {
    standing.interrupts = [{ id: "q", value: "Sure?" }];
    const rescue = await planRescue(standing.thread());
    assert.equal(rescue.plan, undefined);
    assert.match(rescue.why ?? "", /waits for an answer/);
    assert.equal((await copyStranded(standing.thread(), rescue)).run, undefined);
    assert.equal(standing.calls.length, 3);
  });

  it("is not planned for where none is, and what a server answers is no refusal", async () => {
    standing.run = { status: "success" };
    await assert.rejects(planRescue(standing.thread()), refusal(/No run is under way/));
    const thread = standing.thread();
    const broken = { ...thread.server, runs: { list: () => Promise.reject(new Error("away")) } };
    const asked = planRescue({ ...thread, server: broken as unknown as RunServer });
    await assert.rejects(asked, { name: "Error", message: "away" });
  });

  it("is left when it moves while it is planned for", async () => {
    const thread = standing.thread();
    let moves = 0;
    const clock = {
      ...thread.clock,
      sleep: () => Promise.resolve(void (standing.run = { updated_at: `${moves++}` })),
    };
    await assert.rejects(
      planRescue({ ...thread, clock }),
      refusal(/goes on: it sent an event.* Nothing was done/),
    );
  });

  it("is left when another run stands there, or it ended, before it is copied", async () => {
    const rescue = await planRescue(standing.thread());
    standing.run = { run_id: "another" };
    await assert.rejects(copyStranded(standing.thread(), rescue), refusal(/Nothing was done/));
    standing.run = { status: "success" };
    await assert.rejects(copyStranded(standing.thread(), rescue), refusal(/No run is under way/));
    assert.deepEqual(standing.calls, []);
  });

  it("is copied once: who comes second is led to the copy", async () => {
    const rescue = await planRescue(standing.thread());
    standing.metadata = { continued_in: "theirs" };
    await assert.rejects(copyStranded(standing.thread(), rescue), refusal(/Somebody else has continued/));
    assert.deepEqual(standing.calls, []);
  });

  for (const [when, calls] of [
    ["copy", 2],
    ["patch", 3],
  ] as const)
    it(`is not run where somebody else has continued it before the ${when} was answered`, async () => {
      const rescue = await planRescue(standing.thread());
      const thread = standing.thread();
      const { threads } = thread.server;
      const others = async <T>(id: string, answer: T): Promise<Awaited<T>> => {
        if (id === "t") standing.metadata = { continued_in: "theirs" };
        return await answer;
      };
      const overtaken = {
        copy: (id: string) => others(id, threads.copy?.(id)),
        patch: (id: string, body: { readonly metadata: JsonObject }) => others(id, threads.patch?.(id, body)),
      };
      const server = {
        ...thread.server,
        threads: { ...threads, [when]: overtaken[when] },
      } as unknown as RunServer;
      await assert.rejects(
        copyStranded({ ...thread, server }, rescue),
        refusal(/goes on in theirs\. The copy copy was made, and nothing was run in it\. Open the copy/),
      );
      assert.equal(standing.calls.length, calls);
    });

  it("is run by one of two who continue it at the same moment", async () => {
    const rescue = await planRescue(standing.thread());
    const thread = standing.thread();
    let copies = 0;
    const threads = {
      ...thread.server.threads,
      copy: () => Promise.resolve({ thread_id: `copy${(copies += 1)}` }),
      patch: (id: string, { metadata }: { metadata: JsonObject }) =>
        Promise.resolve(id === "t" ? void (standing.metadata = metadata) : undefined),
    };
    const both = { ...thread, server: { ...thread.server, threads } as unknown as RunServer };
    const ends = await Promise.allSettled([copyStranded(both, rescue), copyStranded(both, rescue)]);
    const [gone] = ends.flatMap((end) => (end.status === "fulfilled" ? [end.value.threadId] : []));
    assert.deepEqual(ends.map(({ status }) => status).toSorted(), ["fulfilled", "rejected"]);
    assert.deepEqual(standing.metadata, { continued_in: gone });
  });

  for (const copied of [["right"], [], ["left", "right"]])
    it(`is not run where the copy stands elsewhere: ${JSON.stringify(copied)}`, async () => {
      const rescue = await planRescue(standing.thread());
      standing.copied = copied;
      const copy = copyStranded(standing.thread(), rescue);
      await assert.rejects(copy, refusal(/The copy copy was made, and nothing was run in it/));
      assert.deepEqual(standing.calls, [["copy", "t"]]);
    });

  for (const [lacking, words] of [
    ["copy", /does not tell its earlier states/],
    ["patch", /can't copy threads/],
  ] as const)
    it(`is refused by a server without "${lacking}" and without a history`, async () => {
      const rescue = await planRescue(standing.thread());
      const copy = copyStranded(standing.thread(lacking), rescue);
      await assert.rejects(copy, refusal(words));
      assert.deepEqual(standing.calls, []);
    });

  it("is written step by step where its server can't copy, and not run where a step would run twice", async () => {
    const written = async (right: JsonObject | undefined, kept: JsonObject) => {
      const thread = standing.thread("copy");
      const tasks = [
        { id: "1", name: "left", interrupts: [] },
        { id: "2", name: "right", interrupts: [], ...(right !== undefined && { result: right }) },
      ];
      const head = (values: JsonObject, parent?: string) => ({
        ...stateAt("head", { next: ["left", "right"], tasks }, parent),
        values,
      });
      const begin = {
        ...stateAt("begin", {
          ...{ next: ["__start__"], source: "input" },
          tasks: [{ id: "0", name: "__start__", interrupts: [], result: { a: 1 } }],
        }),
        values: {},
      };
      const patched: unknown[] = [];
      const threads = {
        ...thread.server.threads,
        state: (id: string) => Promise.resolve(id === "t" ? head({ a: 1 }, "begin") : head(kept)),
        row: () =>
          Promise.resolve({ thread_id: "t", status: "busy", metadata: { graph_id: "chat", owner: "me" } }),
        history: (id: string) => Promise.resolve(id === "t" ? [begin] : []),
        create: () => Promise.resolve({ thread_id: "copy" }),
        patch: (id: string, { metadata }: { metadata: JsonObject }) =>
          Promise.resolve(void patched.push([id, metadata])),
      };
      standing.next = ["left", "right"];
      const server = { ...thread.server, threads } as unknown as RunServer;
      const { run, said } = await copyStranded(
        { ...thread, server },
        await planRescue({ ...thread, server }),
      );
      return { mayRun: run !== undefined, said, patched };
    };
    const whole = await written(undefined, { a: 1 });
    assert.deepEqual(whole, {
      mayRun: true,
      said: "The server can't copy threads: the copy was written step by step.",
      patched: [
        ["copy", { graph_id: "chat", owner: "me" }],
        ["copy", { continued_from: "t" }],
        ["t", { continued_in: "copy" }],
      ],
    });
    const twice = await written({ b: 2 }, { a: 1 });
    assert.equal(twice.mayRun, false);
    assert.match(twice.said, /right would run a second time\. Nothing was run in it/);
    const other = await written(undefined, { a: 2 });
    assert.equal(other.mayRun, false);
    assert.match(other.said, /not all as in the thread\./);
  });
});
