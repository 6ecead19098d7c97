import { deepEqual, equal } from "node:assert/strict";
import { ApiError } from "../../../../src/api/errors.ts";
import type { ThreadRef } from "../../../../src/editor/connections/connection.ts";
import type { ThreadHosts } from "../../../../src/editor/threads/servers/threadHosts.ts";
import type { ThreadChange } from "../../../../src/editor/threads/threads.ts";
import { until } from "../../../support/until.ts";
import "../fakeVscode.ts";

const { Threads } = await import("../../../../src/editor/threads/threads.ts");

describe("What is known of threads", () => {
  const failures = new Map<string, Error>();
  let done: string[];
  let atOnce: number[];
  let threads: InstanceType<typeof Threads>;
  let changes: ThreadChange[];
  let titled: string[];

  beforeEach(() => {
    [done, atOnce, changes, titled] = [[], [], [], []];
    failures.clear();
    let going = 0;
    const hosts = {
      of: () => ({
        rename: (threadId: string, title: string) => Promise.resolve(done.push(`${threadId} is ${title}`)),
        delete: async (threadId: string) => {
          atOnce.push((going += 1));
          await Promise.resolve();
          going -= 1;
          const failure = failures.get(threadId);
          if (failure !== undefined) throw failure;
          done.push(`${threadId} deleted`);
        },
      }),
    };
    threads = new Threads(hosts as unknown as ThreadHosts);
    threads.onDidChange((change) => changes.push(change));
    threads.onDidChangeTitle((thread) => titled.push(`${thread.threadId}: ${threads.titleOf(thread)}`));
  });

  afterEach(() => threads.dispose());

  it("is the end of an id until somebody read a title", () => {
    equal(threads.titleOf(thread("0123456789")), "Thread 456789");
    equal(threads.knownTitle(thread("0123456789")), undefined);
    threads.setTitle(thread("0123456789"), "Thread 456789");
    equal(threads.knownTitle(thread("0123456789")), undefined);
    threads.setTitle(thread("0123456789"), "Mail");
    equal(threads.titleOf(thread("0123456789")), "Mail");
  });

  it("is told of one server's thread, not of another's with the same id", () => {
    threads.setTitle(thread("one"), "Mail");
    equal(threads.titleOf(thread("one", "http://elsewhere")), "Thread one");
  });

  it("is told of runs that begin and end a moment later, each thread once", async () => {
    for (const id of ["one", "two", "one"]) threads.noteRun(thread(id));
    deepEqual(changes, []);
    await until("it is said", () => changes.length > 0);
    deepEqual(changes, [{ kind: "run", threads: [thread("one"), thread("two")] }]);
  });

  it("changes with what a server lists, which is said once", () => {
    threads.setTitle(thread("one"), "Mail");
    threads.setTitle(thread("one"), "Mail");
    threads.setTitle(thread("one"), "Post");
    deepEqual(titled, ["one: Mail", "one: Post"]);
    deepEqual(changes, []);
  });

  it("changes with a rename, when the server took it", async () => {
    await threads.rename(thread("one"), "Mail");
    deepEqual(done, ["one is Mail"]);
    deepEqual(titled, ["one: Mail"]);
    deepEqual(changes, [{ kind: "renamed", threads: [thread("one")] }]);
  });

  it("is the same of a copy, and both are listed anew", () => {
    threads.copied(thread("one"), thread("two"));
    equal(threads.knownTitle(thread("two")), undefined);
    threads.setTitle(thread("one"), "Mail");
    threads.copied(thread("one"), thread("two"));
    equal(threads.knownTitle(thread("two")), "Mail");
    deepEqual(changes.at(-1), { kind: "changed", threads: [thread("one"), thread("two")] });
  });

  it("keeps ten thousand titles, those that were read last", () => {
    for (let count = 0; count <= 10_000; count++) threads.setTitle(thread(`t${String(count)}`), "Mail");
    deepEqual([threads.knownTitle(thread("t0")), threads.knownTitle(thread("t1"))], [undefined, "Mail"]);
  });

  it("ends with each thread that is deleted, eight at a time, and says which could not be", async () => {
    const busy = new ApiError("conflict", { method: "DELETE", url: "http://server/threads/3", status: 409 });
    const gone = new ApiError("notFound", { method: "DELETE", url: "http://server/threads/4", status: 404 });
    failures.set("3", busy).set("4", gone);
    const all = Array.from({ length: 10 }, (_, index) => thread(String(index)));
    threads.setTitle(thread("1"), "Mail");
    threads.setTitle(thread("3"), "Busy");
    deepEqual(await threads.delete(all), [{ thread: thread("3"), error: busy }]);
    equal(Math.max(...atOnce), 8);
    deepEqual([threads.knownTitle(thread("1")), threads.knownTitle(thread("3"))], [undefined, "Busy"]);
    const deleted = changes.map(({ kind, threads: [...refs] }) => [
      kind,
      refs.map(({ threadId }) => threadId),
    ]);
    deepEqual(deleted, [
      ["deleted", ["0", "1", "2", "4", "5", "6", "7"]],
      ["deleted", ["8", "9"]],
    ]);
  });
});

function thread(threadId: string, url = "http://server"): ThreadRef {
  return { connectionId: "c", server: { kind: "agentServer", url }, threadId };
}
