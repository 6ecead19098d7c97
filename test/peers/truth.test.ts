/** A transcript tells the same facts live, reopened, in a second window, and after the server was killed. */

import assert from "node:assert/strict";
import { AgentServer } from "../../src/api/agentServer/index.ts";
import type { Json, StreamMode } from "../../src/api/agentServer/wire.ts";
import { Http } from "../../src/api/http.ts";
import type { RunSession } from "../../src/run/session/session.ts";
import type { InterruptEntry } from "../../src/run/panel/transcript.ts";
import { idle, liveSession, scrolledThrough } from "../support/liveSession.ts";
import { type AgentServerProcess, startAgentServer } from "./server.ts";
import { threadFacts } from "./threadFacts.ts";

/** One thread: what is said to which graph, and how its questions are answered in turn. */
interface Story {
  readonly graph: string;
  readonly input: Json;
  readonly answers?: readonly Json[];
  /** What is said when all that is over. */
  readonly then?: Json;
}

const say = (content: string, rest: object = {}) => ({ messages: [{ role: "user", content }], ...rest });
const decided = {
  decisions: [{ type: "approve" }, { type: "reject", message: "Not now" }],
};

const stories: readonly Story[] = [
  { graph: "react", input: say("today"), then: say("tomorrow") },
  { graph: "reviewer", input: say("plans"), answers: [decided, "both", "yes"] },
  { graph: "drafts", input: { topic: "Tides", rounds: 3, tags: ["sea"] }, then: { topic: "Moon" } },
  { graph: "thrower", input: { path: "/etc/hosts" } },
  { graph: "faulty", input: say("Go") },
  { graph: "progress", input: say("work", { pauseMs: 20 }) },
  { graph: "deep", input: say("tea"), then: say("coffee") },
  { graph: "par", input: say("ask"), answers: ["12", "no"] },
  { graph: "big", input: say("load", { megabytes: 5 }) },
  { graph: "long", input: say("fill"), then: say("and more") },
];
const askedFor: readonly (readonly StreamMode[])[] = [[], ["values"], ["updates"]];

describe("the facts of a thread on a real agent server", function () {
  // The server takes a second to read a checkpoint of 5,000 messages, and longer when the machine is busy.
  this.timeout(120_000);
  const live = new Map<string, { readonly name: string; readonly facts: readonly string[] }>();
  const sessions: RunSession[] = [];
  let server: AgentServerProcess;
  let api: AgentServer;

  before(async () => {
    server = await startAgentServer();
    api = new AgentServer(new Http({ baseUrl: server.url }));
  });
  after(async () => server.stop());
  afterEach(() => sessions.splice(0).forEach((session) => session.dispose()));

  function opened(threadId?: string): RunSession {
    const session = liveSession(api, threadId);
    sessions.push(session);
    return session;
  }

  async function reopened(threadId: string): Promise<readonly string[]> {
    const session = opened(threadId);
    await session.load();
    await idle(session);
    await scrolledThrough(session);
    return threadFacts(session.entries);
  }

  for (const { graph, input, answers = [], then } of stories) {
    for (const streamModes of askedFor) {
      const name = `${graph}, asked for ${streamModes.join(", ") || "the usual"}`;
      it(`are the same live, reopened and in a second window: ${name}`, async () => {
        const session = opened();
        let second: RunSession | undefined;
        const start = async (json: Json) => {
          const outcome = await session.start({ assistantId: graph, input: { json }, streamModes });
          assert.deepEqual(outcome, { accepted: true });
        };
        const look = async () => {
          second = opened(session.threadId);
          await second.load();
        };
        await start(input);
        if (answers.length === 0 && then === undefined) await look();
        await idle(session);
        for (const [turn, answer] of answers.entries()) {
          const [question] = openQuestions(session);
          assert.ok(question !== undefined, `nothing is asked before answer ${turn}`);
          assert.deepEqual(await session.answers.resume(question.id, answer), { accepted: true });
          if (turn === answers.length - 1 && then === undefined) await look();
          await idle(session);
        }
        if (then !== undefined) {
          await start(then);
          await look();
          await idle(session);
        }
        const facts = threadFacts(session.entries);
        live.set(session.threadId ?? "", { name, facts });
        assert.equal(difference(facts, await reopened(session.threadId ?? "")), "", "reopened");
        assert.ok(second !== undefined);
        await idle(second);
        await scrolledThrough(second);
        assert.equal(difference(facts, threadFacts(second.entries)), "", "in a second window");
      });
    }
  }

  it("are the same after the server was killed and started again", async function () {
    this.timeout(180_000);
    await server.killAndRestart();
    const differing: string[] = [];
    for (const [threadId, { name, facts }] of live) {
      const differs = difference(facts, await reopened(threadId));
      if (differs !== "") differing.push(`${name}${differs}`);
    }
    assert.equal(differing.join("\n"), "");
  });
});

function openQuestions({ entries }: RunSession): readonly InterruptEntry[] {
  return entries.filter((entry) => entry.kind === "interrupt").filter(({ state }) => state === "open");
}

/** Where two lists of facts part first; empty when they are the same. */
function difference(live: readonly string[], now: readonly string[]): string {
  const at = Math.max(live.length, now.length);
  const first = Array.from({ length: at }, (_, n) => n).find((n) => live[n] !== now[n]);
  return first === undefined ? "" : `\nfact ${first}\n  live: ${live[first]}\n  now:  ${now[first]}`;
}
