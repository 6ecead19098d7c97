import { deepEqual, equal, notDeepEqual } from "node:assert/strict";
import { Http } from "../../../../src/api/http.ts";
import { ThreadProtocol } from "../../../../src/api/threadProtocol/index.ts";
import type { AgentServers } from "../../../../src/editor/threads/servers/agentServers.ts";
import { ChatMemory } from "../../../../src/editor/threads/servers/chatMemory.ts";
import { ChatThreadHost } from "../../../../src/editor/threads/servers/chatThreadHost.ts";
import { serve } from "../../../support/testServer.ts";

type Answer = { readonly status?: number; readonly body?: string };

const state = (checkpoint_id: string, text = "Hi", asked: readonly string[] = []): Answer => ({
  body: JSON.stringify({
    values: { messages: [{ type: "human", content: text }] },
    next: [],
    tasks: [{ id: "t", name: "ask", interrupts: asked.map((id) => ({ id, value: "?" })) }],
    created_at: "2026-11-22T12:00:00Z",
    checkpoint: { thread_id: "t", checkpoint_ns: "", checkpoint_id },
  }),
});

/** A host of a backend whose answers a test chooses, and what it was asked. */
async function hostOf(answers: { list?: Answer; state?: Answer }) {
  const server = await serve(({ url }) =>
    url.endsWith("/state") ? (answers.state ?? { status: 404 }) : (answers.list ?? { status: 405 }),
  );
  const http = new Http({ baseUrl: server.url });
  const memory = new ChatMemory({
    capabilities: http.capabilities,
    created: { list: [], lost: 0 } as never,
    onLost: () => undefined,
    now: () => 0,
  });
  const chats = { memory: () => memory, client: () => Promise.resolve(new ThreadProtocol(http)) };
  const target = { connectionId: "c", server: { kind: "chat", url: server.url } };
  return {
    // A host is made for each use: what it knows of the backend outlives it.
    version: () => new ChatThreadHost({ chats } as unknown as AgentServers, target as never).version("t", {}),
    states: () => server.asked.filter(({ url }) => url.endsWith("/state")).length,
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

describe("What tells that a chat backend's thread changed", () => {
  it("is its row in the list, and no state is asked for", async () => {
    const list = { body: JSON.stringify([{ id: "t", updatedAt: "2026-11-22T12:00:00Z" }]) };
    await using host = await hostOf({ list });
    deepEqual(await host.version(), { status: "", updatedAt: "2026-11-22T12:00:00Z" });
    equal(host.states(), 0);
  });

  it("is its state where there is no list: its checkpoint, and what it asks", async () => {
    const answers: { state?: Answer } = { state: state("1") };
    await using host = await hostOf(answers);
    const first = await host.version();
    deepEqual(await host.version(), first);
    for (const other of [state("2"), state("1", "Hi", ["q"]), state("1", "Hi", ["r"])]) {
      answers.state = other;
      notDeepEqual(await host.version(), first);
    }
    delete answers.state;
    deepEqual(await host.version(), { status: "gone", updatedAt: "" });
  });

  it("is nothing once its state was found to be large, which is then asked for no more", async () => {
    await using host = await hostOf({ state: state("1", "x".repeat(200_000)) });
    notDeepEqual(await host.version(), undefined);
    equal(await host.version(), undefined);
    equal(host.states(), 1);
  });
});
