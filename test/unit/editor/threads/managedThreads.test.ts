import { deepEqual, rejects } from "node:assert/strict";
import type { ManagedThreadUpdate } from "../../../../src/api/managedAgents/wire.ts";
import type { ThreadRef } from "../../../../src/editor/connections/connection.ts";
import { ManagedThreads } from "../../../../src/editor/threads/managedThreads.ts";
import type { ThreadChange } from "../../../../src/editor/threads/threads.ts";

const thread = (threadId: string, connectionId = "one"): ThreadRef => ({
  connectionId,
  server: { kind: "managedAgent", agentId: "a" },
  threadId,
});

describe("Threads of managed agents", () => {
  let asked: unknown[];
  let changes: ThreadChange[];
  let made: string | undefined;
  let threads: ManagedThreads;

  beforeEach(() => {
    [asked, changes, made] = [[], [], "new"];
    const api = (connectionId: string) => ({
      threads: {
        resolveInterrupt: (id: string) => Promise.resolve(asked.push(["dismiss", connectionId, id])),
        async *bulkModify(ids: readonly string[], data: ManagedThreadUpdate) {
          asked.push(["modify", connectionId, ids, data]);
          await Promise.resolve();
          for (const id of ids) {
            if (id === "broken") throw new Error("The platform is away.");
            yield { id, status: "success" };
          }
        },
      },
      runs: {
        create: (id: string, body: unknown) => Promise.resolve(asked.push(["run", connectionId, id, body])),
        createWithThread: (body: unknown) => {
          asked.push(["new", connectionId, body]);
          return Promise.resolve({ thread_id: made });
        },
      },
    });
    const needs = {
      platforms: { managedAgents: (connectionId: string) => Promise.resolve(api(connectionId)) },
      threads: { notify: (change: ThreadChange) => changes.push(change) },
    };
    threads = new ManagedThreads(needs as unknown as ConstructorParameters<typeof ManagedThreads>[0]);
  });

  it("go on when they are dismissed, or run in the background", async () => {
    await threads.dismiss(thread("t"));
    await threads.run(thread("t"), { agentId: "a", text: "Go on" });
    const input = { messages: [{ role: "user", content: "Go on" }] };
    deepEqual(asked, [
      ["dismiss", "one", "t"],
      ["run", "one", "t", { agent_id: "a", input }],
    ]);
    const continued = { kind: "continued", threads: [thread("t")] };
    deepEqual(changes, [continued, continued]);
  });

  it("are made with their first run, which is said where the platform names the thread", async () => {
    const said = { agentId: "a", text: "Hello" };
    deepEqual(await threads.runNew("one", said, true), thread("new"));
    deepEqual(changes, [{ kind: "continued", threads: [thread("new")] }]);
    made = undefined;
    deepEqual(await threads.runNew("one", said, false), undefined);
    deepEqual(changes.length, 1);
    deepEqual(
      asked.map((call) => (call as [string, string, { thread: unknown }])[2].thread),
      [{ options: { test_run: true } }, {}],
    );
  });

  it("are changed on one platform after the other, and said to be also when one is away", async () => {
    const all = [thread("a"), thread("b", "two"), thread("c")];
    const results = await threads.modify(all, { is_pinned: true });
    deepEqual(
      results.map(({ id }) => id),
      ["a", "c", "b"],
    );
    deepEqual(
      asked.map((call) => (call as unknown[]).slice(0, 3)),
      [
        ["modify", "one", ["a", "c"]],
        ["modify", "two", ["b"]],
      ],
    );
    const some = [thread("a"), thread("broken")];
    await rejects(threads.modify(some, { is_pinned: true }), /away/);
    deepEqual(changes, [
      { kind: "changed", threads: all },
      { kind: "changed", threads: some },
    ]);
  });
});
