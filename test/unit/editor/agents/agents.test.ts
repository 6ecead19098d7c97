import { deepEqual, equal, rejects } from "node:assert/strict";
import { ApiError } from "../../../../src/api/errors.ts";
import type { ManagedAgents } from "../../../../src/api/managedAgents/index.ts";
import type { Agent, AgentQuery } from "../../../../src/api/managedAgents/wire.ts";
import type { AgentsChange } from "../../../../src/editor/agents/agents.ts";
import { plainListing } from "../../../../src/editor/agents/agentListing.ts";
import type { ThreadChange } from "../../../../src/editor/threads/threads.ts";
import { TestMemento } from "../../../support/testMemento.ts";
import "../fakeVscode.ts";

const { EventEmitter } = await import("vscode");
const { Agents } = await import("../../../../src/editor/agents/agents.ts");

type Needs = ConstructorParameters<typeof Agents>[0];

describe("What is known of managed agents", () => {
  const signal = new AbortController().signal;
  const workspaceState = new TestMemento() as unknown as Needs["context"]["workspaceState"];
  let platform: FakePlatform;
  let agents: InstanceType<typeof Agents>;
  let changes: AgentsChange[];
  let titles: (readonly [threadId: string, title: string])[];
  let waiting: (readonly [connectionId: string, count: number, threads: number])[];
  const moved = new EventEmitter<ThreadChange>();

  beforeEach(() => {
    platform = new FakePlatform();
    waiting = [];
    changes = [];
    titles = [];
    agents = new Agents({
      waitingThreads: {
        set: ({ connectionId }, count, threads) => waiting.push([connectionId, count, threads.length]),
      },
      context: { workspaceState },
      platforms: {
        list: () => [{ id: "p", name: "Platform", kind: "platform" }],
        managedAgents: () => Promise.resolve(platform as unknown as ManagedAgents),
      },
      threads: {
        onDidChange: moved.event,
        setTitle: ({ threadId }, title) => titles.push([threadId, title]),
      },
    });
    agents.onDidChange((change) => changes.push(change));
  });

  afterEach(() => agents.dispose());

  it("grows by a page when that is wanted, and keeps what is known of an agent that is listed again", async () => {
    platform.make("one", "two", "three");
    const [one] = await agents.load("p", signal);
    deepEqual(names(), ["one", "two"]);
    equal(agents.hasMore("p"), true);
    await one!.checkHealth(signal);
    agents.loadMore("p");
    deepEqual(changes.at(-1), { kind: "agents", connectionId: "p" });
    await agents.load("p", signal);
    deepEqual(names(), ["one", "two", "three"]);
    equal(agents.get({ connectionId: "p", agentId: "one" })?.health.kind, "checked");
    deepEqual(agents.models("p"), ["model of one", "model of two", "model of three"]);
    await platform.agents.delete("one");
    await agents.load("p", signal);
    equal(agents.get({ connectionId: "p", agentId: "one" }), undefined);
  });

  it("drops the answer to a listing that nobody wants any more", async () => {
    platform.make("one", "two");
    const late = Promise.withResolvers<undefined>();
    platform.before = () => late.promise;
    const earlier = agents.load("p", signal);
    await agents.setListing({ ...plainListing, name: "two" });
    deepEqual(changes.at(-1), { kind: "listing" });
    platform.before = () => Promise.resolve(undefined);
    await agents.load("p", signal);
    late.resolve(undefined);
    await earlier;
    deepEqual(names(), ["two"]);
    equal(workspaceState.get<{ name?: string }>("agents.listing")?.name, "two");
    await agents.setListing(plainListing);
  });

  it("counts who waits, and says so only when that is another number", async () => {
    platform.waiting = 2;
    equal(await agents.countWaiting("p", signal), true);
    equal(await agents.countWaiting("p", signal), false);
    deepEqual(changes, [{ kind: "facts" }]);
    deepEqual(waiting.at(-1), ["p", 2, 0]);
  });

  it("lists agents although nobody may count their threads", async () => {
    platform.make("one");
    platform.waiting = undefined;
    await agents.load("p", signal);
    deepEqual(names(), ["one"]);
  });

  it("lists threads by the filter, and keeps what they are called", async () => {
    platform.make("one");
    const [one] = await agents.load("p", signal);
    await one!.loadThreads(signal);
    deepEqual(titles, [["t", "A thread"]]);
    await agents.setThreadFilter({ show: "pinned" });
    deepEqual(changes.at(-1), { kind: "threadFilter" });
    deepEqual(one!.threads, []);
    await one!.loadThreads(signal);
    deepEqual(platform.threadQueries.at(-1)?.["is_pinned"], true);
    await agents.setThreadFilter({});
  });

  it("says what was done to it", async () => {
    const made = await agents.create("p", { name: "new" });
    deepEqual(changes.splice(0), [{ kind: "agents", connectionId: "p" }]);
    const agent = { connectionId: "p", agentId: made.id };
    await agents.update(agent, { name: "newer" });
    deepEqual(changes.splice(0), [{ kind: "agent", agent }]);
    await agents.clone(agent, "copy");
    await agents.delete(agent);
    await agents.delete(agent);
    deepEqual(changes.splice(0), Array(3).fill({ kind: "agents", connectionId: "p" }));
    const threads = [
      { connectionId: "p", server: { kind: "managedAgent", agentId: "x" }, threadId: "1" },
      { connectionId: "p", server: { kind: "managedAgent", agentId: "x" }, threadId: "2" },
      { connectionId: "p", server: { kind: "deployment", deploymentId: "d" }, threadId: "3" },
    ] as const;
    moved.fire({ kind: "deleted", threads });
    deepEqual(changes.splice(0), [{ kind: "threads", agent: { connectionId: "p", agentId: "x" } }]);
  });

  it("is not changed by what the platform refuses", async () => {
    await rejects(agents.update({ connectionId: "p", agentId: "gone" }, { name: "x" }));
    await rejects(agents.checkHealth({ connectionId: "p", agentId: "gone" }));
    deepEqual(changes, []);
  });

  it("keeps a health check that failed as the agent's health", async () => {
    platform.make("one");
    await agents.load("p", signal);
    changes.length = 0;
    await platform.agents.delete("one");
    const ref = { connectionId: "p", agentId: "one" };
    await rejects(agents.checkHealth(ref));
    equal(agents.get(ref)?.health.kind, "failed");
    deepEqual(changes, [{ kind: "facts" }, { kind: "facts" }]);
  });

  it("is read anew when its settings or tools were saved as files, and for no other file", async () => {
    platform.make("one");
    const agent = { connectionId: "p", agentId: "one" };
    await agents.store.fetch(agent);
    await agents.store.change(agent, () => ({ files: { "AGENTS.md": { type: "file", content: "Sort." } } }));
    deepEqual(changes, []);
    await agents.store.change(agent, () => ({ name: "renamed" }));
    deepEqual(changes, [{ kind: "agent", agent }]);
  });

  function names(): readonly string[] {
    return agents.listed("p").map(({ summary }) => summary.name);
  }
});

/** The part of a platform that the model asks, two agents to a page. */
class FakePlatform {
  readonly #byId = new Map<string, Agent>();
  waiting: number | undefined = 0;
  before: () => Promise<undefined> = () => Promise.resolve(undefined);
  readonly threadQueries: Readonly<Record<string, unknown>>[] = [];

  make(...ids: readonly string[]): void {
    for (const id of ids)
      this.#byId.set(id, { id, name: id, runtime: { model: { model_id: `model of ${id}` } }, files: {} });
  }

  readonly agents = {
    page: async ({ cursor, name = "" }: AgentQuery) => {
      await this.before();
      const all = [...this.#byId.values()].filter((agent) => agent.name.includes(name));
      const from = Number(cursor ?? 0);
      return {
        items: all.slice(from, from + 2),
        next_cursor: from + 2 < all.length ? String(from + 2) : null,
      };
    },
    get: (id: string) => Promise.resolve(this.#get(id)),
    create: ({ name }: { readonly name: string }) => {
      this.make(name);
      return Promise.resolve(this.#get(name));
    },
    update: (id: string, { name, files }: Partial<Pick<Agent, "name" | "files">>) => {
      const agent = this.#get(id);
      const changed = { ...agent, ...(name !== undefined && { name }), files: { ...agent.files, ...files } };
      this.#byId.set(id, changed);
      return Promise.resolve(changed);
    },
    clone: (_id: string, { name }: { readonly name: string }) => this.agents.create({ name }),
    delete: async (id: string) => {
      await Promise.resolve();
      this.#get(id);
      this.#byId.delete(id);
    },
    health: async (id: string) => {
      await Promise.resolve();
      this.#get(id);
      return {};
    },
  };

  readonly threads = {
    attentionCount: async () => {
      await Promise.resolve();
      if (this.waiting === undefined)
        throw new ApiError("forbidden", { method: "GET", url: "https://platform" });
      return this.waiting;
    },
    page: (query: Readonly<Record<string, unknown>>) => {
      this.threadQueries.push(query);
      return Promise.resolve({ items: [{ id: "t", title: "A thread" }], next_cursor: null });
    },
  };

  #get(id: string): Agent {
    const agent = this.#byId.get(id);
    if (agent === undefined) throw new ApiError("notFound", { method: "GET", url: "https://platform" });
    return agent;
  }
}
