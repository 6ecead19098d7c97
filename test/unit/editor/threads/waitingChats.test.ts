import { strict as assert } from "node:assert";
import { Http } from "../../../../src/api/http.ts";
import { ThreadProtocol } from "../../../../src/api/threadProtocol/index.ts";
import { chatMemory } from "../../../support/chatMemory.ts";
import { WaitingChats } from "../../../../src/editor/threads/servers/waitingChats.ts";
import type { WaitingChatsQuery } from "../../../../src/editor/threads/servers/waitingChats.ts";
import { serve } from "../../../support/testServer.ts";
import type { TestServer } from "../../../support/testServer.ts";

const earlier = "2026-05-04T09:30:00Z";
const later = "2026-05-04T09:31:00Z";
const over = { values: {}, next: [], tasks: [] };
const going = { values: {}, next: ["work"], tasks: [] };
const asks = (value: string): object => ({
  ...going,
  tasks: [{ id: "t", name: "work", interrupts: [{ id: "i", value }] }],
});

/** A backend whose list and states a test changes between looks, and what is looked at it with. */
class Backend {
  list: readonly object[] | undefined = [];
  readonly states: Record<string, object | number> = {};
  now = 0;
  readonly memory = chatMemory({ now: () => this.now });
  readonly #server: TestServer;
  readonly #chats: WaitingChats;

  constructor(server: TestServer) {
    this.#server = server;
    this.#chats = new WaitingChats(new ThreadProtocol(new Http({ baseUrl: server.url })), this.memory);
  }

  /** Works with a backend, and ends it. */
  static async with(work: (backend: Backend) => Promise<void>): Promise<void> {
    await using server = await serve(({ url }) => {
      if (url === "/api/threads")
        return backend.list === undefined ? { status: 405 } : { body: JSON.stringify(backend.list) };
      const state = backend.states[url.split("/").at(-2) ?? ""] ?? 404;
      return typeof state === "number" ? { status: state } : { body: JSON.stringify(state) };
    });
    const backend = new Backend(server);
    await work(backend);
  }

  /** What waits, with what it asks; and the states that were asked for meanwhile. */
  async look(
    look: Partial<WaitingChatsQuery> = {},
  ): Promise<{ waits: string; asked: string; error: unknown }> {
    const before = this.#server.asked.length;
    const { threads, error } = await this.#chats.poll({ most: 500, force: false, ...look });
    const asked = this.#server.asked.slice(before).filter(({ url }) => url.endsWith("/state"));
    return {
      waits: threads
        .map(({ thread, interrupts }) => `${thread.thread_id}:${JSON.stringify(interrupts[0]?.value)}`)
        .join(),
      asked: asked
        .map(({ url }) => url.split("/").at(-2))
        .toSorted()
        .join(),
      error,
    };
  }
}

describe("The threads of a chat backend that wait for a person", () => {
  it("are found by their states, and one that is over is asked for again when it changed", () =>
    Backend.with(async (backend) => {
      const { states } = backend;
      backend.list = [
        { id: "a", updatedAt: earlier },
        { id: "b", updatedAt: earlier },
      ];
      Object.assign(states, { a: over, b: asks("Send?") });
      assert.deepEqual(await backend.look(), { waits: 'b:"Send?"', asked: "a,b", error: undefined });
      backend.now += 3_600_000;
      assert.equal((await backend.look({ force: true })).asked, "b");
      states["a"] = asks("Really?");
      backend.list = [
        { id: "a", updatedAt: later },
        { id: "b", updatedAt: earlier },
      ];
      assert.deepEqual(await backend.look(), {
        waits: 'a:"Really?",b:"Send?"',
        asked: "a,b",
        error: undefined,
      });
    }));

  it("may ask anew, or be answered, without a change in the list", () =>
    Backend.with(async (backend) => {
      backend.list = [{ id: "a", updatedAt: earlier }];
      backend.states["a"] = asks("First?");
      assert.equal((await backend.look()).waits, 'a:"First?"');
      backend.states["a"] = asks("Second?");
      assert.equal((await backend.look()).waits, 'a:"Second?"');
      backend.states["a"] = going;
      assert.equal((await backend.look()).waits, "");
    }));

  it("are asked for ever more rarely while they work, unless a person asks", () =>
    Backend.with(async (backend) => {
      backend.list = [{ id: "a", updatedAt: earlier }];
      backend.states["a"] = going;
      const asked: number[] = [];
      for (; backend.now <= 130_000; backend.now += 1_000)
        if ((await backend.look()).asked !== "") asked.push(backend.now / 1000);
      assert.deepEqual(asked, [0, 2, 6, 14, 30, 62, 122]);
      backend.states["a"] = asks("Send?");
      assert.equal((await backend.look()).waits, "");
      assert.equal((await backend.look({ force: true })).waits, 'a:"Send?"');
    }));

  it("are polled again and again where no list says when they changed", () =>
    Backend.with(async (backend) => {
      backend.list = undefined;
      backend.memory.add("a");
      backend.states["a"] = over;
      assert.equal((await backend.look()).asked, "a");
      backend.states["a"] = asks("Send?");
      backend.now += 2_000;
      assert.equal((await backend.look()).waits, 'a:"Send?"');
    }));

  it("are not asked for while their run is followed here, and at once when it is over", () =>
    Backend.with(async (backend) => {
      backend.list = [{ id: "a", updatedAt: earlier }];
      backend.states["a"] = asks("Send?");
      await backend.look();
      const run = backend.memory.thread("a").begin("r");
      assert.deepEqual(await backend.look(), { waits: "", asked: "", error: undefined });
      run.status = "success";
      backend.states["a"] = over;
      backend.memory.thread("a").lastSeq = 7;
      assert.equal((await backend.look()).asked, "a");
    }));

  it("stay where one of them can't be read, which is shown as long as it is so and tried rarely", () =>
    Backend.with(async (backend) => {
      backend.list = ["a", "b"].map((id) => ({ id, updatedAt: earlier }));
      Object.assign(backend.states, { a: asks("Send?"), b: 403 });
      assert.match(String((await backend.look()).error), /403/);
      const { waits, asked, error } = await backend.look();
      assert.deepEqual([waits, asked], ['a:"Send?"', "a"]);
      assert.match(String(error), /403/);
      backend.now += 2_000;
      backend.states["b"] = over;
      assert.deepEqual(await backend.look(), { waits: 'a:"Send?"', asked: "a,b", error: undefined });
    }));

  it("are asked for a hundred to a poll, those first that nobody asked for", () =>
    Backend.with(async (backend) => {
      const ids = Array.from({ length: 250 }, (_, index) => `t${String(index)}`);
      backend.list = ids.map((id) => ({ id, updatedAt: earlier }));
      for (const id of ids) backend.states[id] = asks(id);
      const counts: number[] = [];
      for (let look = 0; look < 3; look++) {
        backend.now += 1;
        counts.push((await backend.look()).waits.split(",").length);
      }
      assert.deepEqual(counts, [100, 200, 250]);
      assert.equal((await backend.look({ most: 10 })).waits.split(",").length, 10);
    }));
});
