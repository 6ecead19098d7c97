import { strict as assert } from "node:assert";
import type { ThreadState } from "../../../../src/api/agentServer/wire.ts";
import { writeClone } from "../../../../src/run/repair/clone.ts";
import type { RunServer } from "../../../../src/run/session/server.ts";
import { Refusal } from "../session/scriptedServer.ts";
import { asked, ended, keeping, plan, planned, signal, whole } from "./clonedThread.ts";

describe("a clone", () => {
  /** Notes what is created and written; `refused` is the status with which steps are refused, `refusedState` that of one state. */
  function target(states: readonly ThreadState[], refused?: Error, refusedState?: Error) {
    const calls: unknown[] = [];
    const { threads, ...rest } = keeping({ states });
    const server = {
      ...rest,
      threads: {
        ...threads,
        create: (body: { supersteps?: unknown }) => {
          calls.push(body);
          return body.supersteps !== undefined && refused !== undefined
            ? Promise.reject(refused)
            : Promise.resolve({ thread_id: "clone" });
        },
        update: (_: string, body: object) => {
          calls.push(body);
          return refusedState === undefined
            ? Promise.resolve({ checkpoint: { checkpoint_id: "new" } })
            : Promise.reject(refusedState);
        },
        delete: (id: string) => {
          calls.push(`delete ${id}`);
          return Promise.reject(new Refusal(404, "nothing there"));
        },
      },
    } as unknown as RunServer;
    return { calls: () => calls.map(withoutId), server };
  }
  /** The id that it is given is another one each time. */
  const withoutId = (call: unknown): unknown => {
    const text = JSON.stringify(call).replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, "ours");
    return JSON.parse(text) as unknown;
  };
  const made = { graphId: "chat", title: "Tides", length: 1, leftOut: [] };
  const planOf = async () => ({ ...(await plan()), ...made });

  it("is written at once with its graph and title, and is the same state by state", async () => {
    const { calls, server } = target(
      whole.slice(1).map((one, at) => (at === 0 ? { ...one, parent_checkpoint: null } : one)),
    );
    const wanted = await planOf();
    const cloned = await writeClone({ server, signal }, wanted, "other");
    assert.deepEqual(cloned, { threadId: "clone", onlyNewest: false, different: 0 });
    assert.deepEqual(calls(), [
      { thread_id: "ours", metadata: { graph_id: "other", title: "Tides" }, supersteps: wanted.supersteps },
    ]);
  });

  it("has no title that its original has not", async () => {
    const { calls, server } = target(whole);
    await writeClone({ server, signal }, { ...(await planOf()), title: undefined }, "other");
    assert.deepEqual((calls()[0] as { metadata: object }).metadata, { graph_id: "other" });
  });

  it("counts the states that are others, in values or in what comes next, or are not there", async () => {
    const first = { ...asked, parent_checkpoint: null };
    const elsewhere = { ...planned, next: ["left"] };
    const changed = { ...ended, values: { ...ended.values, a: 2 } };
    for (const [states, different] of [
      [[first, planned, ended], 0],
      [[first, elsewhere, ended], 1],
      [[first, elsewhere, changed], 2],
      [[first], 2],
    ] as const) {
      const { server } = target(states);
      assert.equal((await writeClone({ server, signal }, await planOf(), "chat")).different, different);
    }
  });

  for (const status of [400, 404, 422, 500, 501])
    it(`has the newest state where steps are refused with ${String(status)}`, async () => {
      const { calls, server } = target([ended], new Refusal(status, "refused"));
      const cloned = await writeClone({ server, signal }, await planOf(), "chat");
      assert.deepEqual(cloned, { threadId: "clone", onlyNewest: true, different: 0 });
      assert.deepEqual(calls().slice(1), [
        "delete ours",
        {
          ...{ thread_id: "ours", if_exists: "do_nothing" },
          metadata: { graph_id: "chat", title: "Tides" },
        },
        { values: ended.values, as_node: "left" },
      ]);
    });

  it("leaves nothing behind where not even the newest state is taken", async () => {
    const [steps, state] = [new Refusal(500, "no such graph"), new Refusal(404, "no such graph")];
    const { calls, server } = target([], steps, state);
    await assert.rejects(writeClone({ server, signal }, await planOf(), "chat"), state);
    assert.deepEqual(calls().at(-1), "delete clone");
  });

  it("says that its newest state is another", async () => {
    const { server } = target([planned], new Refusal(404, "refused"));
    assert.equal((await writeClone({ server, signal }, await planOf(), "chat")).different, 1);
  });

  for (const [what, refused] of [
    ["403", new Refusal(403, "refused")],
    ["502", new Refusal(502, "refused")],
    ["no answer", new Error("no answer")],
  ] as const)
    it(`is not written after ${what}`, async () => {
      const { calls, server } = target(whole, refused);
      await assert.rejects(writeClone({ server, signal }, await planOf(), "chat"), refused);
      assert.equal(calls().length, 1);
    });
});
