import { strict as assert } from "node:assert";
import { Http } from "../../src/api/http.ts";
import { ThreadProtocol } from "../../src/api/threadProtocol/index.ts";
import type { ChatMemory } from "../../src/editor/threads/servers/chatMemory.ts";
import { chatMemory } from "../support/chatMemory.ts";
import { ChatRunServer } from "../../src/editor/threads/servers/chatRunServer.ts";
import { ChatThreads } from "../../src/editor/threads/servers/chatThreads.ts";
import type { RunSession } from "../../src/run/session/session.ts";
import { first, idle, liveSession, request } from "../support/liveSession.ts";
import { transcriptText } from "../support/recordings.ts";
import { startChatBackend } from "./chatBackendServer.ts";
import { chatAdapter, openThread } from "./sdk/protocol.ts";
import type { PeerServer } from "./server.ts";

describe("a real chat backend, built on the embeddable server", () => {
  let backend: PeerServer;
  let client: ThreadProtocol;
  let memory: ChatMemory;
  const sessions: RunSession[] = [];

  before(async () => {
    backend = await startChatBackend();
    client = new ThreadProtocol(new Http({ baseUrl: backend.url }));
  });
  after(() => backend.stop());
  beforeEach(() => {
    memory = chatMemory();
  });
  afterEach(() => sessions.splice(0).forEach((session) => session.dispose()));

  const open = (threadId?: string): RunSession => {
    const session = liveSession(new ChatRunServer(() => Promise.resolve(client), memory), threadId);
    sessions.push(session);
    return session;
  };
  const run = async (session: RunSession, agent: string, text: string): Promise<string> => {
    assert.deepEqual(await session.start(request(agent, { text })), { accepted: true });
    await idle(session);
    return transcriptText(session.entries);
  };

  it("streams a conversation of two turns", async () => {
    const session = open();
    await run(session, "agent", "hi");
    const shown = await run(session, "agent", "again");
    assert.equal(
      shown.replace(/^run success.*/gm, "run success"),
      "run success\nhuman: hi\nai: You said **hi**. That makes 1 message — grüße & 你好.\n" +
        "run success\nhuman: again\nai: You said **again**. That makes 3 messages — grüße & 你好.\n",
    );
  });

  it("ends in the state that the platform's own client sees, whoever ran it", async () => {
    const session = open();
    await run(session, "agent", "hi");
    const threadId = session.threadId ?? "";
    const ours = await client.state(threadId);
    const adapter = await chatAdapter(backend.url, "none", threadId);
    assert.deepEqual(ours, await adapter.getState());

    const theirs = await client.bootstrap(crypto.randomUUID());
    assert.deepEqual(theirs.values, { messages: [] });
    const id = crypto.randomUUID();
    await client.bootstrap(id);
    const transport = await chatAdapter(backend.url, "none", id, "stream/events");
    const thread = await openThread(backend.url, "none", "agent", { threadId: id, transport });
    await thread.run.start({ input: { messages: [{ role: "user", content: "hi" }] } });
    await thread.output;
    await thread.close();
    const again = open(id);
    await again.load();
    assert.deepEqual(said(again), said(session));
  });

  it("stops for a person, and goes on with the decisions", async () => {
    const session = open();
    await run(session, "approval", "two things");
    const asked = first(session, "interrupt");
    assert(asked, transcriptText(session.entries));
    const decisions = asked.requests.map(() => ({ type: "approve" }) as const);
    assert.deepEqual(await session.answers.decide(asked.id, decisions), { accepted: true });
    await idle(session);
    assert.match(transcriptText(session.entries), /interrupt answered[^]*\nai: Outcome: /);
  });

  it("shows what a subagent asks within its task, and goes on with the answer", async () => {
    const session = open();
    const shown = await run(session, "letters", "hello");
    const asked = first(session, "interrupt");
    assert.deepEqual(
      asked?.requests.map(({ name, args }) => [name, args]),
      [["send_letter", { to: "team@example.com", text: "hello" }]],
      shown,
    );
    assert.doesNotMatch(shown, /actionRequests|tool task .* error/);
    assert.deepEqual(await session.answers.decide(asked.id, [{ type: "approve" }]), { accepted: true });
    await idle(session);
    const answered = transcriptText(session.entries);
    assert.match(answered, /The writer says: Sent to team@example.com: hello\n$/);
    assert.doesNotMatch(answered, /error/);
  });

  it("lists its threads, pages through their history, and deletes them", async () => {
    const session = open();
    await run(session, "agent", "hi");
    const threadId = session.threadId ?? "";
    const threads = new ChatThreads(client, memory);
    assert.equal((await threads.row(threadId)).thread_id, threadId);
    const [newest] = (await client.history(threadId, { limit: 1 })) ?? [];
    assert.deepEqual(newest, await client.state(threadId));
    const before = newest?.checkpoint?.checkpoint_id;
    const [earlier, ...others] = (await client.history(threadId, { limit: 1, before })) ?? [];
    assert.deepEqual(earlier?.checkpoint, newest?.parent_checkpoint);
    assert.deepEqual(others, []);
    assert.equal(await client.delete(threadId), true);
    await assert.rejects(threads.row(threadId), { kind: "notFound" });
    assert.equal(await client.state(threadId), undefined);
  });
});

/** What was said, by whom. */
function said(session: RunSession): readonly string[] {
  return session.entries.flatMap((entry) =>
    entry.kind === "message" ? [`${entry.role}: ${entry.text}`] : [],
  );
}
