/** Threads that are told turn by turn on a real agent server, and read again by who comes later. */

import assert from "node:assert/strict";
import type { AgentServer } from "../../src/api/agentServer/index.ts";
import type { Json, StreamMode } from "../../src/api/agentServer/wire.ts";
import type { RunRequest } from "../../src/run/panel/messages.ts";
import type { Decision, Entry } from "../../src/run/panel/transcript.ts";
import type { RunSession } from "../../src/run/session/session.ts";
import { idle, liveSession, scrolledThrough, sessionUntil } from "../support/liveSession.ts";
import { threadFacts } from "./threadFacts.ts";

/** Breakpoints, and what happens to a run that goes on. */
type Options = Pick<RunRequest, "interruptBefore" | "interruptAfter" | "strategy">;

/**
 * Without an input, the answer to the question that was asked first of those that wait; null goes on from where it stands.
 * A person may stop the run as soon as a subgraph works in it, or after some milliseconds.
 */
export type Turn =
  | (Options & { readonly input: Json; readonly stop?: "in a subgraph" | number })
  | { readonly answer: Json; readonly stop?: number }
  | { readonly decisions: readonly Decision[]; readonly stop?: number };

/** One thread: what is said to which graph in turn, some of it as the thread stands then. */
export interface Story {
  readonly graph: string;
  readonly turns: readonly (Turn | ((session: RunSession) => Turn))[];
  /** A node calls a graph by itself: of its steps a server keeps no names (see the tests of steps). */
  readonly isNameless?: boolean;
}

/** What who watched it saw, and where who came later read something else; empty for nowhere. */
export interface Told {
  readonly threadId: string;
  readonly entries: readonly Entry[];
  readonly difference: string;
}

/** Takes the story's turns, and compares who watched with who came during the last of them, and afterwards. */
export async function tell(
  api: AgentServer,
  { graph, turns }: Story,
  streamModes: readonly StreamMode[],
): Promise<Told> {
  using ends = new DisposableStack();
  const session = opened(ends, api);
  const last = turns.at(-1) ?? assert.fail();
  for (const turn of turns.slice(0, -1)) {
    await take(session, graph, turn, streamModes);
    await idle(session);
  }
  await take(session, graph, last, streamModes);
  const threadId = session.threadId ?? "";
  const second = opened(ends, api, threadId);
  await second.load();
  await idle(session);
  const facts = threadFacts(session.entries);
  const again = difference(facts, threadFacts(await reopened(api, threadId)));
  await idle(second);
  await scrolledThrough(second);
  const beside = difference(facts, threadFacts(second.entries));
  const differences = [again && `reopened${again}`, beside && `in a second window${beside}`];
  return {
    threadId,
    entries: session.entries,
    difference: differences.filter((one) => one !== "").join("\n"),
  };
}

/** What who opens a thread and scrolls through it reads. */
export async function reopened(api: AgentServer, threadId: string): Promise<readonly Entry[]> {
  using ends = new DisposableStack();
  const session = opened(ends, api, threadId);
  await session.load();
  await idle(session);
  await scrolledThrough(session);
  return session.entries;
}

/** Where two lists of facts part first, with what stands around that; empty when they are the same. */
export function difference(live: readonly string[], now: readonly string[]): string {
  const at = Math.max(live.length, now.length);
  const first = Array.from({ length: at }, (_, n) => n).find((n) => live[n] !== now[n]);
  if (first === undefined) return "";
  const around = (facts: readonly string[]): string =>
    facts
      .slice(Math.max(0, first - 3), first + 3)
      .map((fact) => `    ${fact}\n`)
      .join("");
  return `\nfact ${first}\n  live:\n${around(live)}  now:\n${around(now)}`;
}

function opened(ends: DisposableStack, api: AgentServer, threadId?: string): RunSession {
  return ends.adopt(liveSession(api, threadId), (session) => session.dispose());
}

async function take(
  session: RunSession,
  graph: string,
  next: Story["turns"][number],
  streamModes: readonly StreamMode[],
): Promise<void> {
  const turn = typeof next === "function" ? next(session) : next;
  const { stop } = turn;
  const lanes = lanesOf(session);
  if ("input" in turn) {
    const { input: json, stop: _, ...options } = turn;
    const outcome = await session.start({ assistantId: graph, input: { json }, streamModes, ...options });
    assert.deepEqual(outcome, { accepted: true });
  } else {
    const asked = session.entries.filter((entry) => entry.kind === "interrupt");
    const open = asked.find(({ state }) => state === "open") ?? assert.fail("nothing is asked");
    const { answers } = session;
    const outcome =
      "decisions" in turn ? answers.decide(open.id, turn.decisions) : answers.resume(open.id, turn.answer);
    assert.deepEqual(await outcome, { accepted: true });
  }
  if (stop === undefined) return;
  if (stop === "in a subgraph") await sessionUntil(session, () => lanesOf(session) > lanes);
  else await new Promise((passed) => setTimeout(passed, stop));
  await session.stop();
}

function lanesOf(session: RunSession): number {
  return session.entries.filter(({ kind }) => kind === "lane").length;
}
