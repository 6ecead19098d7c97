/** A transcript tells the same facts live, reopened, in a second window, and after the server was killed. */

import assert from "node:assert/strict";
import { AgentServer } from "../../src/api/agentServer/index.ts";
import type { Json, StreamMode } from "../../src/api/agentServer/wire.ts";
import { Http } from "../../src/api/http.ts";
import type { RunRequest } from "../../src/run/panel/messages.ts";
import type { Decision, Entry } from "../../src/run/panel/transcript.ts";
import { type AgentServerProcess, startAgentServer } from "./server.ts";
import { difference, reopened, type Story, tell, type Turn } from "./stories.ts";
import { keptFacts } from "./threadFacts.ts";

interface TruthStory extends Story {
  /** The server computes for seconds: one way at a time is enough for it. */
  readonly isLarge?: true;
}

/** Breakpoints. */
type Stops = Pick<RunRequest, "interruptBefore" | "interruptAfter">;

const say = (content: string, rest: object = {}) => ({ messages: [{ role: "user", content }], ...rest });
const input = (given: Json, stops: Stops = {}) => ({ input: given, ...stops });
const goOn = input(null);
const stopped = (turn: ReturnType<typeof input>): Turn => ({ ...turn, stop: "in a subgraph" });
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

const stories: readonly TruthStory[] = [
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

describe("the facts of a thread on a real agent server", () => {
  const live = new Map<string, { readonly name: string; readonly entries: readonly Entry[] }>();
  let server: AgentServerProcess;
  let api: AgentServer;

  before(async () => {
    server = await startAgentServer();
    api = new AgentServer(new Http({ baseUrl: server.url }));
  });
  after(async () => server.stop());

  /** Tells the story, and compares who watched with who came later. */
  async function told(story: TruthStory, streamModes: readonly StreamMode[]): Promise<void> {
    const { threadId, entries, difference: differs } = await tell(api, story, streamModes);
    if (story.isNameless !== true) live.set(threadId, { name: nameOf(story, streamModes), entries });
    assert.equal(differs, "");
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

  it("are the same after the server was killed and started again, which has no events of its runs any more", async () => {
    await server.killAndRestart();
    const waiting = [...live];
    const differing: string[] = [];
    const compare = async (): Promise<void> => {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
        const [threadId, { name, entries: before }] = next;
        const entries = await reopened(api, threadId);
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
