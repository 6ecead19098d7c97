import assert from "node:assert/strict";
import type { AgentServer } from "../../src/api/agentServer/index.ts";
import { realClock } from "../../src/api/poll.ts";
import type { Clock } from "../../src/api/retry.ts";
import type { Platforms } from "../../src/editor/connections/platforms.ts";
import type { AgentServers } from "../../src/editor/threads/servers/agentServers.ts";
import type { ThreadHost } from "../../src/editor/threads/servers/threadHost.ts";
import { ThreadHosts } from "../../src/editor/threads/servers/threadHosts.ts";
import { watchSession } from "../../src/editor/threads/sessionWatch.ts";
import type { ThreadWatch } from "../../src/editor/threads/threadWatch.ts";
import type { RunSession } from "../../src/run/session/session.ts";
import { first, idle, liveSession, request } from "../support/liveSession.ts";
import { transcriptText } from "../support/recordings.ts";
import { until } from "../support/until.ts";
import { agentServerPeer, say } from "./agentServerPeer.ts";
import { runToEnd } from "../support/runToEnd.ts";

const target = { connectionId: "c", server: { kind: "agentServer", url: "http://server" } } as const;
/** Within this time a window shows what others do. */
const soonMs = 10_000;
/** Pauses pass twenty times as fast. */
const fastClock: Clock = { ...realClock, sleep: (ms, signal) => realClock.sleep(ms / 20, signal) };

describe("two windows on one thread of a real agent server", () => {
  let api: AgentServer;
  let reads: number;
  /** How often somebody looked whether something happened to the thread. */
  let looks: number;
  const open: { readonly session: RunSession; readonly watch: ThreadWatch }[] = [];

  before(async () => {
    ({ api } = await agentServerPeer());
  });

  afterEach(() => {
    for (const { session, watch } of open.splice(0)) {
      watch.dispose();
      session.dispose();
    }
  });

  /** A window that shows the thread. */
  async function opened(threadId: string, clock: Clock = realClock): Promise<RunSession> {
    const session: RunSession = liveSession(api, threadId, () => {
      if (session.state.kind !== "idle") watch.hurry();
    });
    const servers = { client: () => api } as unknown as AgentServers;
    const host = new ThreadHosts(servers, {} as unknown as Platforms).of(target);
    const version: ThreadHost["version"] = (...asked) => {
      looks += 1;
      return host.version(...asked);
    };
    const threadHosts = { of: () => ({ ...host, version }) };
    const attention = { slowestMs: () => soonMs };
    const watch: ThreadWatch = watchSession(target, session, { threadHosts, clock, attention });
    open.push({ session, watch });
    watch.start();
    watch.watch(true);
    [reads, looks] = [0, 0];
    await session.load();
    for (const read of ["load", "refresh"] as const) {
      const reading = session[read].bind(session);
      session[read] = () => {
        reads += 1;
        return reading();
      };
    }
    return session;
  }

  const shows = (session: RunSession, text: string) =>
    until(
      `a window shows "${text}"`,
      () => session.state.kind === "idle" && transcriptText(session.entries).includes(text),
      soonMs + 2000,
    );

  it("see each other's runs and one that a script starts, and agree in the end", async () => {
    const { thread_id: threadId } = await api.threads.create();
    const [left, right] = [await opened(threadId), await opened(threadId)];
    await left.start(request("chat", { text: "From the left" }));
    await shows(right, "From the left");
    await right.start(request("chat", { text: "From the right" }));
    await shows(left, "From the right");
    await runToEnd(api, threadId, { assistant_id: "chat", input: say("From a script") });
    await Promise.all([shows(left, "From a script"), shows(right, "From a script")]);
    const said = [left, right].map(({ entries }) =>
      entries.flatMap((entry) => (entry.kind === "message" ? [`${entry.role}: ${entry.text}`] : [])),
    );
    assert.equal(said[0]?.length, 6);
    assert.deepEqual(said[0], said[1]);
  });

  it("join a run that another one started while it goes on", async () => {
    const { thread_id: threadId } = await api.threads.create();
    const [left, right] = [await opened(threadId), await opened(threadId)];
    await left.start(request("slow", { json: { ...say("Talk"), seconds: 15 } }));
    await until("the other window streams it", () => right.state.kind === "streaming", soonMs + 2000);
    assert.equal(left.state.kind, "streaming");
    await left.stop();
    await Promise.all([idle(left), idle(right)]);
  });

  it("close a question that was answered in the other one", async () => {
    const { thread_id: threadId } = await api.threads.create();
    const left = await opened(threadId);
    await left.start(request("approval", { text: "Report" }));
    await idle(left);
    const right = await opened(threadId);
    assert.equal(first(right, "interrupt")?.state, "open");
    const decisions = [{ type: "approve" }, { type: "approve" }] as const;
    await left.answers.decide(first(left, "interrupt")?.id ?? "", decisions);
    await until("the question is closed", () => first(right, "interrupt")?.state !== "open", soonMs + 2000);
  });

  it("are not read again after a run of their own", async () => {
    const { thread_id: threadId } = await api.threads.create();
    const only = await opened(threadId, fastClock);
    await only.start(request("chat", { text: "Mine" }));
    await idle(only);
    looks = 0;
    await until("the thread was looked at three times", () => looks > 3);
    assert.equal(reads, 0);
  });
});
