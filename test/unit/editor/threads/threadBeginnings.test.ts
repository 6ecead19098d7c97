import { deepEqual } from "node:assert/strict";
import { ApiError } from "../../../../src/api/errors.ts";
import type { ThreadHosts } from "../../../../src/editor/threads/servers/threadHosts.ts";
import { ThreadBeginnings } from "../../../../src/editor/threads/threadBeginnings.ts";

const server = { connectionId: "c", server: { kind: "agentServer", url: "http://one" } } as const;

describe("Titles of threads that nobody named", () => {
  let asked: string[];
  let found: string[];
  let failure: Error | undefined;
  let now: number;
  let began: ((id: string) => Promise<string | undefined>) | undefined;
  let beginnings: ThreadBeginnings;
  const { signal } = new AbortController();

  beforeEach(() => {
    [asked, found, failure, now] = [[], [], undefined, 0];
    began = async (id) => {
      asked.push(id);
      if (failure !== undefined) throw failure;
      return Promise.resolve(id.startsWith("mute") ? undefined : `Talk of ${id}`);
    };
    const hosts = { of: () => ({ began }) } as unknown as ThreadHosts;
    beginnings = new ThreadBeginnings(
      hosts,
      ({ threadId }, title) => found.push(`${threadId}: ${title}`),
      () => now,
    );
  });

  it("are asked for once per change, and not where there is a title", async () => {
    const named = { ...untitled("named", 1), title: "Mail" };
    const titles = await beginnings.ask(server, [untitled("first", 1), named, untitled("mute-1", 1)], signal);
    deepEqual([...titles], [["first", "Talk of first"]]);
    deepEqual([asked, found], [["first", "mute-1"], ["first: Talk of first"]]);
    await beginnings.ask(server, [untitled("first", 1), untitled("mute-1", 1)], signal);
    deepEqual(asked, ["first", "mute-1"]);
    await beginnings.ask(server, [untitled("mute-1", 2)], signal);
    deepEqual(asked, ["first", "mute-1", "mute-1"]);
    const other = { ...server, server: { kind: "agentServer", url: "http://two" } } as const;
    await beginnings.ask(other, [untitled("first", 1)], signal);
    deepEqual(asked.at(-1), "first");
  });

  it("are asked for again half a minute after a failure that may be over, and never after another", async () => {
    failure = new ApiError("server", { method: "GET", url: "http://one", status: 503 });
    const threads = [untitled("first", 1)];
    await beginnings.ask(server, threads, signal);
    await beginnings.ask(server, threads, signal);
    now = 30_000;
    failure = new ApiError("notFound", { method: "GET", url: "http://one", status: 404 });
    await beginnings.ask(server, threads, signal);
    now = 90_000;
    await beginnings.ask(server, threads, signal);
    deepEqual([asked, found], [["first", "first"], []]);
  });

  it("are asked for again when nobody waited for the answer", async () => {
    const left = new AbortController();
    failure = new ApiError("aborted", { method: "GET", url: "http://one" });
    const asking = beginnings.ask(server, [untitled("first", 1)], left.signal);
    left.abort();
    await asking;
    failure = undefined;
    await beginnings.ask(server, [untitled("first", 1)], signal);
    deepEqual(found, ["first: Talk of first"]);
  });

  it("are not asked of servers whose lists have them", async () => {
    began = undefined;
    deepEqual(await beginnings.ask(server, [untitled("first", 1)], signal), new Map());
  });
});

function untitled(id: string, second: number) {
  return {
    id,
    title: `Thread ${id.slice(-6)}`,
    updatedAt: new Date(second * 1000).toISOString(),
    metadata: {},
  };
}
