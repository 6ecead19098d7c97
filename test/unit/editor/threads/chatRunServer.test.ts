import { strict as assert } from "node:assert";
import { AgentServer } from "../../../../src/api/agentServer/index.ts";
import { Http } from "../../../../src/api/http.ts";
import { ThreadProtocol } from "../../../../src/api/threadProtocol/index.ts";
import type { ChatMemory } from "../../../../src/editor/threads/servers/chatMemory.ts";
import { chatMemory } from "../../../support/chatMemory.ts";
import { ChatRunServer } from "../../../../src/editor/threads/servers/chatRunServer.ts";
import type { RunRequest } from "../../../../src/run/panel/messages.ts";
import { answering } from "../../../../src/run/session/answerSteps.ts";
import type { RunServer } from "../../../../src/run/session/server.ts";
import type { RunSession } from "../../../../src/run/session/session.ts";
import { LocalPlatform } from "../../../support/localPlatform.ts";
import { first, idle, liveSession, request, sessionUntil } from "../../../support/liveSession.ts";
import { transcriptText } from "../../../support/recordings.ts";

const agents = { echo: "Hello there", researcher: "tea", approval: "two things" };

describe("a session with a chat backend", () => {
  let platform: LocalPlatform;
  let memory: ChatMemory;
  const sessions: RunSession[] = [];

  before(async () => {
    platform = await LocalPlatform.start();
  });
  after(() => platform.remove());
  beforeEach(() => {
    memory = chatMemory();
  });
  afterEach(async () => {
    sessions.splice(0).forEach((session) => session.dispose());
    await platform.send("DELETE", `${platform.ready.localUrl}/faults`);
  });

  const http = (): Http => {
    const { deploymentUrl, apiKey } = platform.ready;
    return new Http({ baseUrl: deploymentUrl, headers: () => Promise.resolve({ "x-api-key": apiKey }) });
  };
  const client = (): ThreadProtocol => new ThreadProtocol(http());
  const chat = (): RunServer => quick(new ChatRunServer(() => Promise.resolve(client()), memory));
  const open = (server: RunServer, threadId?: string): RunSession => {
    const session = liveSession(server, threadId);
    sessions.push(session);
    return session;
  };
  const run = async (session: RunSession, agent: string, input: RunRequest["input"]): Promise<string> => {
    assert.deepEqual(await session.start(request(agent, input)), { accepted: true });
    await idle(session);
    return transcriptText(session.entries);
  };
  const fault = async (path: string, what: object): Promise<void> => {
    const body = { match: { method: "POST", path }, times: 1, ...what };
    const { status } = await platform.send("POST", `${platform.ready.localUrl}/faults`, body);
    assert.equal(Math.floor(status / 100), 2);
  };

  for (const [agent, text] of Object.entries(agents)) {
    it(`shows the ${agent} as a session with the agent server does`, async () => {
      const whole = await run(open(quick(new AgentServer(http()))), agent, { text });
      // What a subagent was told is in its history, which no chat backend has.
      const expected = whole.replace(/^ {2}human: .*\n/gm, "");
      assert.equal(await run(open(chat()), agent, { text }), expected);
    });
  }

  it("goes on in the same thread: nothing of the earlier run is repeated", async () => {
    const session = open(chat());
    await run(session, "echo", { text: "One" });
    const shown = await run(session, "echo", { text: "Two" });
    assert.equal(shown.match(/^run success/gm)?.length, 2, shown);
    assert.equal(shown.match(/^ai:/gm)?.length, 2, shown);
  });

  it("shows the conversation after a reload, and goes on with it", async () => {
    const session = open(chat());
    await run(session, "echo", { text: "One" });
    memory = chatMemory();
    const again = open(chat(), session.threadId);
    await again.load();
    assert.match(transcriptText(again.entries), /^human: One\nai: You said:/);
    const shown = await run(again, "echo", { text: "Two" });
    assert.equal(shown.match(/^ai:/gm)?.length, 2, shown);
    assert.equal(shown.match(/> One/g)?.length, 1, shown);
  });

  it("tells how long a run took that was started here", async () => {
    const session = open(chat());
    await run(session, "slow", { json: { messages: [{ role: "user", content: "Work" }], seconds: 0.3 } });
    const { startedAt, endedAt } = first(session, "run") ?? {};
    assert.ok(startedAt !== undefined && endedAt !== undefined);
    assert.ok(endedAt - startedAt >= 250 && endedAt <= Date.now(), `${String(endedAt - startedAt)} ms`);
  });

  it("joins a run that goes on after a reload", async () => {
    const session = open(chat());
    await session.start(
      request("slow", { json: { messages: [{ role: "user", content: "Work" }], seconds: 0.6 } }),
    );
    await sessionUntil(session, () => first(session, "custom") !== undefined);
    session.dispose();
    memory = chatMemory();
    const again = open(chat(), session.threadId);
    await again.load();
    assert.equal(again.state.kind, "streaming");
    await idle(again);
    const shown = transcriptText(again.entries);
    assert.match(shown, /run success/);
    assert.equal(shown.match(/^human: Work/gm)?.length, 1, shown);
  });

  it("loses and doubles nothing when the stream is cut", async () => {
    const whole = await run(open(chat()), "researcher", { text: "tea" });
    for (const after of [{ drop_after_events: 1 }, { drop_after_events: 30 }, { drop_after_bytes: 9001 }]) {
      await fault("/stream$", after);
      const shown = await run(open(chat()), "researcher", { text: "tea" });
      assert.equal(shown, whole, JSON.stringify(after));
    }
  });

  it("tells the runs of another window apart, each with its own messages and tokens", async () => {
    const work = (content: string) => ({
      json: { messages: [{ role: "user", content }], seconds: 0.8 },
    });
    const theirs = open(chat());
    await theirs.start(request("slow", work("First")));
    await sessionUntil(theirs, () => first(theirs, "custom") !== undefined);
    memory = chatMemory();
    const watching = open(chat(), theirs.threadId);
    await watching.load();
    await sessionUntil(watching, () => first(watching, "custom") !== undefined);
    await theirs.start(request("slow", work("Second")));
    await sessionUntil(theirs, () => theirs.entries.filter(({ kind }) => kind === "custom").length > 1);
    await idle(watching);
    await watching.load();
    assert.equal(watching.state.kind, "streaming");
    await idle(theirs);
    await idle(watching);
    const [shown, expected] = [watching, theirs].map(({ entries }) => transcriptText(entries).split("\n"));
    for (const isRun of [true, false]) {
      const of = (lines: readonly string[] = []) => lines.filter((line) => line.startsWith("run ") === isRun);
      assert.deepEqual(of(shown), of(expected), shown?.join("\n"));
    }
    await watching.load();
    assert.equal(watching.state.kind, "idle");
  });

  it("answers an interrupt with decisions, also after a reload", async () => {
    const session = open(chat());
    await run(session, "approval", { text: "two things" });
    memory = chatMemory();
    const again = open(chat(), session.threadId);
    await again.load();
    const asked = first(again, "interrupt");
    assert.equal(asked?.requests.length, 2);
    const decisions = [{ type: "approve" }, { type: "reject", message: "keep it" }] as const;
    assert.deepEqual(await again.answers.decide(asked.id, decisions), { accepted: true });
    await idle(again);
    const shown = transcriptText(again.entries);
    assert.match(shown, /interrupt answered/);
    assert.match(shown, /tool delete_file .* error: Rejected: keep it/);
  });

  it("passes an answer on by its question's id, and to no other question", async () => {
    const session = open(chat());
    await run(session, "approval", { text: "two things" });
    const server = chat();
    const { tasks } = await server.threads.state(session.threadId!);
    const id = tasks[0]!.interrupts[0]!.id!;
    const body = answering("approval", id, { decisions: [{ type: "approve" }, { type: "approve" }] });
    const { events } = await server.runs.stream(session.threadId!, body);
    for await (const batch of events) assert.ok(batch.length > 0);
    await assert.rejects(
      server.runs.stream(session.threadId!, body),
      /does not wait for that answer any more/,
    );
  });

  it("shows why a run failed", async () => {
    const shown = await run(open(chat()), "faulty", { text: "break" });
    assert.match(shown, /^run error[^]*\nerror: The model is overloaded: this agent always fails here\.\n$/);
  });

  it("learns by the first Stop that the backend has no way to stop a run", async () => {
    const session = open(chat());
    await session.start(
      request("slow", { json: { messages: [{ role: "user", content: "Work" }], seconds: 2 } }),
    );
    await sessionUntil(session, () => first(session, "custom") !== undefined);
    assert.equal(memory.unsupported.has("stop"), false);
    const outcome = await session.stop();
    assert(!outcome.accepted);
    assert.match(outcome.message, /no way to stop a run/);
    assert.equal(memory.unsupported.has("stop"), true);
    assert.equal(chatMemory().unsupported.has("stop"), false, "another window tries again");
  });

  it("finds no fault with a backend that was asked to stop a run that is over", async () => {
    const session = open(chat());
    await run(session, "echo", { text: "One" });
    await chat().runs.cancel(session.threadId ?? "", "a run that is over");
    assert.equal(memory.unsupported.has("stop"), false);
  });

  it("learns by the first answer that the backend takes none", async () => {
    const session = open(chat());
    await run(session, "approval", { text: "two things" });
    const asked = first(session, "interrupt");
    const body = { type: "error", id: 1, error: "unknown_command", message: "Unknown protocol command" };
    await fault("/commands$", { status: 200, body });
    const decisions = [{ type: "approve" }, { type: "approve" }] as const;
    const outcome = await session.answers.decide(asked?.id ?? "", decisions);
    assert(!outcome.accepted);
    assert.match(outcome.message, /takes no answers/);
    assert.deepEqual([...memory.unsupported.keys()], ["rename", "repair", "answer"]);
  });

  it("reports a refusal that came with the status 200", async () => {
    const outcome = await open(chat()).start(request("nobody", { text: "Hello" }));
    assert(!outcome.accepted);
    assert.match(outcome.message, /No assistant found for "nobody"/);
  });

  it("says that a restarted backend cleared the thread, whoever comes back to it", async () => {
    const session = open(chat());
    await run(session, "approval", { text: "two things" });
    const asked = first(session, "interrupt");
    await client().delete(session.threadId ?? "");
    const lost = /restarted and keeps threads in memory/;
    const decisions = [{ type: "approve" }, { type: "approve" }] as const;
    for (const outcome of [
      await session.start(request("echo", { text: "Two" })),
      await session.answers.decide(asked?.id ?? "", decisions),
    ]) {
      assert(!outcome.accepted);
      assert.match(outcome.message, lost);
    }
    memory = chatMemory();
    const again = open(chat(), session.threadId);
    await again.load();
    assert(again.state.kind === "failed");
    assert.match(again.state.message, lost);
  });

  it("goes on with a thread that was made anew, whose events are counted from the start again", async () => {
    const session = open(chat());
    await run(session, "echo", { text: "One" });
    const threadId = session.threadId ?? "";
    await client().delete(threadId);
    await client().bootstrap(threadId);
    const shown = await run(session, "echo", { text: "Two" });
    assert.match(shown, /human: Two\nai: You said:\s+> Two/);
    assert.equal(shown.match(/^run success/gm)?.length, 2, shown);
  });

  it("keeps what it has of a run whose thread is cleared in the middle of it", async () => {
    const session = open(chat());
    const input = { json: { messages: [{ role: "user", content: "Work" }], seconds: 20 } };
    await session.start(request("slow", input));
    await sessionUntil(session, () => first(session, "custom") !== undefined);
    await client().delete(session.threadId ?? "");
    await idle(session);
    const shown = transcriptText(session.entries);
    assert.match(shown, /run interrupted/);
    assert.match(shown, /This thread is not on the server any more/);
    assert.match(shown, /human: Work/);
  });
});

/** The server with agents that stream without delay. */
function quick({ soleAssistant, threads, runs }: RunServer): RunServer {
  const config = { configurable: { token_delay_ms: 0 } };
  return {
    soleAssistant,
    threads,
    runs: {
      stream: (threadId, body, options) => runs.stream(threadId, { ...body, config }, options),
      rejoin: (threadId, runId, options) => runs.rejoin(threadId, runId, options),
      get: (threadId, runId, options) => runs.get(threadId, runId, options),
      list: (threadId, options) => runs.list(threadId, options),
      cancel: (threadId, runId, options) => runs.cancel(threadId, runId, options),
    },
  };
}
