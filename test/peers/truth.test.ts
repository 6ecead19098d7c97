/** A transcript tells the same facts live, reopened, in a second window, and after the server was killed. */

import assert from "node:assert/strict";
import { AgentServer } from "../../src/api/agentServer/index.ts";
import type { Json, StreamMode } from "../../src/api/agentServer/wire.ts";
import { Http } from "../../src/api/http.ts";
import type { RunSession } from "../../src/run/session/session.ts";
import type { RunRequest } from "../../src/run/panel/messages.ts";
import type { Decision, Entry } from "../../src/run/panel/transcript.ts";
import { idle, liveSession, scrolledThrough, sessionUntil } from "../support/liveSession.ts";
import { type AgentServerProcess, startAgentServer } from "./server.ts";
import { keptFacts, threadFacts } from "./threadFacts.ts";

/** One thread: what is said to which graph in turn, and how its questions are answered. */
interface Story {
  readonly graph: string;
  readonly turns: readonly Turn[];
  /** A node calls a graph by itself: of its steps the server keeps no names (see the tests of steps). */
  readonly isNameless?: true;
  /** The server computes for seconds: one way at a time is enough for it. */
  readonly isLarge?: true;
}

/** Breakpoints. */
type Stops = Pick<RunRequest, "interruptBefore" | "interruptAfter">;

/**
 * Without an input, the answer to the question that was asked first of those that wait; null goes on from where it stands.
 * A person may stop the run as soon as a subgraph works in it.
 */
type Turn =
  | (Stops & { readonly input: Json; readonly isStopped?: true })
  | { readonly answer: Json }
  | { readonly decisions: readonly Decision[] };

const say = (content: string, rest: object = {}) => ({ messages: [{ role: "user", content }], ...rest });
const input = (given: Json, stops: Stops = {}) => ({ input: given, ...stops });
const goOn = input(null);
const stopped = (turn: ReturnType<typeof input>): Turn => ({ ...turn, isStopped: true });
const answer = (given: Json): Turn => ({ answer: given });
const decide = (...decisions: readonly Decision[]): Turn => ({ decisions });
const reviewed = decide({ type: "approve" }, { type: "reject", message: "Not now:\nlater" });
const halfAnswered = answer({ decisions: [{ type: "approve" }] });
const edited = decide(
  { type: "edit", edited_action: { name: "run_sql", args: { sql: "SELECT 1;\n--", database: "staging" } } },
  { type: "approve" },
);
const jobs = (...given: readonly (readonly [name: string, rounds: number, asks?: string])[]) =>
  input({ jobs: given.map(([name, rounds, asks]) => ({ name, rounds, ...(asks && { asks }) })) });

const stories: readonly Story[] = [
  {
    graph: "react",
    turns: [input(say("today")), input(say("tomorrow,\nor the day after")), input(say("ever"))],
  },
  {
    graph: "reviewer",
    turns: [
      // A run that answers nothing comes to the question again.
      ...[input(say("plans")), goOn, reviewed, answer("both"), answer("yes")],
      // A second review, in which the person leaves a question without an answer and begins anew.
      ...[input(say("other plans")), edited, input(say("no plans")), reviewed, answer(["prod"])],
      // The agent fails on an answer that leaves one of its actions open.
      ...[input(say("half plans")), halfAnswered, input(say("last plans")), halfAnswered],
    ],
  },
  {
    graph: "drafts",
    turns: [
      input({ topic: "Tides", rounds: 3, tags: ["sea"] }),
      input({ topic: "Moon", audience: "children", tone: { formal: true } }),
      input({ topic: "Sun", rounds: 5, tags: [] }),
    ],
  },
  {
    graph: "thrower",
    turns: [input({ path: "/etc/hosts" }), input({ path: "/etc/passwd", lines: ["a", "b"] })],
  },
  { graph: "faulty", turns: [input(say("Go")), input(say("And again"))] },
  {
    graph: "progress",
    turns: [input(say("work", { pauseMs: 20 })), input(say("more", { steps: 7, pauseMs: 5 }))],
  },
  // Its specialists call a tool by the same id in every run.
  { graph: "deep", turns: ["tea", "coffee", "milk", "tea"].map((topic) => input(say(topic))) },
  {
    graph: "letters",
    isNameless: true,
    turns: [input(say("A letter")), decide({ type: "approve" }), input(say("Bye"))],
  },
  {
    graph: "par",
    turns: [input(say("ask")), answer("12"), answer("no"), input(say("again")), answer({ sum: 3 })],
  },
  {
    graph: "fan",
    turns: [
      jobs(["short", 1], ["long and longer", 5], ["asks", 2, "Is **that** enough?"], ["more", 3]),
      answer("Yes,\nit is"),
      jobs(["one", 1, "Who?"], ["two", 4], ["three", 2, "Where?"]),
      answer({ who: "me" }),
      jobs(["alone", 2]),
      // Two that ask at the same time: the thread's row lists only one of them.
      jobs(["left", 3, "Left?"], ["right", 3, "Right?"]),
      ...[answer("one"), answer("two")],
      jobs(["early", 3, "Now?"], ["late", 3, "Later?"]),
      answer("now"),
      // The run that goes on asks what the one that was stopped did not come to.
      ...[stopped(jobs(["much", 20], ["asks at its end", 18, "Then?"])), goOn, answer("then")],
    ],
  },
  {
    graph: "pipeline",
    turns: [
      ...[input(say("1", { job: crypto.randomUUID() }), { interruptBefore: ["charge"] }), goOn],
      ...[input(say("2", { job: crypto.randomUUID() }), { interruptAfter: ["collect", "close"] }), goOn],
      // The server keeps only what a step failed with last.
      ...[input(say("3", { job: crypto.randomUUID(), fail_at: "send", fail_times: 3 })), goOn, goOn],
    ],
  },
  {
    graph: "beside",
    turns: [
      // What one node wrote before the other failed is not kept when the thread goes on otherwise.
      ...[input({ job: crypto.randomUUID(), fail_times: 1 }), input({ job: crypto.randomUUID() })],
      ...[input({ job: crypto.randomUUID(), fail_times: 2 }), goOn, goOn],
    ],
  },
  {
    graph: "aside",
    turns: [
      // A node that says something without an id is done beside one that asks.
      ...[input(say("Go")), answer("left"), input(say("Go")), input(say("Go")), answer("right")],
      ...[input(say("Stop"), { interruptBefore: ["ask"] }), goOn, answer("back")],
    ],
  },
  { graph: "big", turns: [input(say("load", { megabytes: 5 }))] },
  { graph: "long", isLarge: true, turns: [input(say("fill")), input(say("and more"))] },
];
const askedFor: readonly (readonly StreamMode[])[] = [[], ["values"], ["updates"]];

describe("the facts of a thread on a real agent server", function () {
  // The server takes a second to read a checkpoint of 5,000 messages, and longer when the machine is busy.
  this.timeout(120_000);
  const live = new Map<string, { readonly name: string; readonly entries: readonly Entry[] }>();
  let server: AgentServerProcess;
  let api: AgentServer;

  before(async () => {
    server = await startAgentServer();
    api = new AgentServer(new Http({ baseUrl: server.url }));
  });
  after(async () => server.stop());

  /** What who opens a thread and scrolls through it reads. */
  async function reopened(threadId: string): Promise<readonly Entry[]> {
    using ends = new DisposableStack();
    const session = opened(ends, threadId);
    await session.load();
    await idle(session);
    await scrolledThrough(session);
    return session.entries;
  }

  function opened(ends: DisposableStack, threadId?: string): RunSession {
    return ends.adopt(liveSession(api, threadId), (session) => session.dispose());
  }

  /** Takes the story's turns, and compares who watched with who came later. */
  async function told(story: Story, streamModes: readonly StreamMode[]): Promise<void> {
    const { graph, turns, isNameless } = story;
    using ends = new DisposableStack();
    const session = opened(ends);
    for (const turn of turns.slice(0, -1)) {
      await take(session, graph, turn, streamModes);
      await idle(session);
    }
    await take(session, graph, turns.at(-1) ?? assert.fail(), streamModes);
    const threadId = session.threadId ?? "";
    const second = opened(ends, threadId);
    await second.load();
    await idle(session);
    const facts = threadFacts(session.entries);
    if (!isNameless) live.set(threadId, { name: nameOf(story, streamModes), entries: session.entries });
    assert.equal(difference(facts, threadFacts(await reopened(threadId))), "", "reopened");
    await idle(second);
    await scrolledThrough(second);
    assert.equal(difference(facts, threadFacts(second.entries)), "", "in a second window");
  }

  for (const story of stories) {
    // The server waits half a second before it ends a stream: a story is told in all its ways at once.
    const begun = new Map<readonly StreamMode[], Promise<void>>();
    const begin = (streamModes: readonly StreamMode[]): void => {
      if (begun.has(streamModes)) return;
      const telling = told(story, streamModes);
      telling.catch(() => undefined); // The test of it throws.
      begun.set(streamModes, telling);
    };
    for (const streamModes of askedFor) {
      it(`are the same live, reopened and in a second window: ${nameOf(story, streamModes)}`, async () => {
        if (streamModes === askedFor[0] && !story.isLarge) askedFor.forEach(begin);
        else begin(streamModes);
        const telling = begun.get(streamModes);
        begun.delete(streamModes);
        await telling;
      });
    }
  }

  it("are the same after the server was killed and started again, which has no events of its runs any more", async function () {
    this.timeout(180_000);
    await server.killAndRestart();
    const waiting = [...live];
    const differing: string[] = [];
    const compare = async (): Promise<void> => {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
        const [threadId, { name, entries: before }] = next;
        const entries = await reopened(threadId);
        const differs = difference(keptFacts(before), keptFacts(entries));
        if (differs !== "") differing.push(`${name}${differs}`);
        const told = entries.filter((entry) => entry.kind === "run" && entry.eventsLost !== true);
        if (told.length > 0) differing.push(`${name}: it is not said of all runs that their events are lost`);
      }
    };
    await Promise.all([compare(), compare(), compare(), compare()]);
    assert.equal(differing.join("\n"), "");
  });
});

function nameOf({ graph }: Story, streamModes: readonly StreamMode[]): string {
  return `${graph}, asked for ${streamModes.join(", ") || "the usual"}`;
}

async function take(
  session: RunSession,
  graph: string,
  turn: Turn,
  streamModes: readonly StreamMode[],
): Promise<void> {
  if ("input" in turn) {
    const { input: json, isStopped = false, ...stops } = turn;
    const outcome = await session.start({ assistantId: graph, input: { json }, streamModes, ...stops });
    assert.deepEqual(outcome, { accepted: true });
    if (!isStopped) return;
    const lanes = session.entries.filter(({ kind }) => kind === "lane").length;
    await sessionUntil(session, () => session.entries.filter(({ kind }) => kind === "lane").length > lanes);
    await session.stop();
    return;
  }
  const asked = session.entries.filter((entry) => entry.kind === "interrupt");
  const open = asked.find(({ state }) => state === "open") ?? assert.fail("nothing is asked");
  const { answers } = session;
  const outcome =
    "decisions" in turn ? answers.decide(open.id, turn.decisions) : answers.resume(open.id, turn.answer);
  assert.deepEqual(await outcome, { accepted: true });
}

/** Where two lists of facts part first; empty when they are the same. */
function difference(live: readonly string[], now: readonly string[]): string {
  const at = Math.max(live.length, now.length);
  const first = Array.from({ length: at }, (_, n) => n).find((n) => live[n] !== now[n]);
  return first === undefined ? "" : `\nfact ${first}\n  live: ${live[first]}\n  now:  ${now[first]}`;
}
