/** Threads whose turns are chosen by chance: what is said, answered, stopped and gone on with, on the graphs of the peer. */

import type { Json, StreamMode } from "../../src/api/agentServer/wire.ts";
import type { Decision } from "../../src/run/panel/transcript.ts";
import type { RunSession } from "../../src/run/session/session.ts";
import type { Random } from "../support/random.ts";
import type { Story, Turn } from "./stories.ts";

/** What one of these graphs may be given; its nodes, for breakpoints. */
export interface Subject {
  readonly graph: string;
  readonly nodes: readonly string[];
  /** A node calls a graph by itself: of its steps the server keeps no names (see the tests of steps). */
  readonly isNameless?: true;
  readonly given: (random: Random) => Json;
}

const words = ["Go", "today", "tomorrow,\nor the day after", "Go", "ever", "again"];
const say = (random: Random, rest: object = {}): Json => ({
  messages: [{ role: "user", content: random.pick(words) }],
  ...rest,
});
const job = (random: Random): string => `job ${random.below(1e9)}`;

export const subjects: readonly Subject[] = [
  { graph: "react", nodes: ["model_request", "tools"], given: say },
  { graph: "reviewer", nodes: ["migrate", "ask", "confirm", "close"], given: say },
  {
    graph: "drafts",
    nodes: [],
    given: (random) => ({ topic: random.pick(["Tides", "Moon"]), rounds: 1 + random.below(4) }),
  },
  { graph: "faulty", nodes: ["model", "check"], given: say },
  {
    graph: "progress",
    nodes: ["work", "tell"],
    given: (random) => say(random, { steps: 1 + random.below(9), pauseMs: random.below(40) }),
  },
  { graph: "deep", nodes: [], given: say },
  { graph: "par", nodes: ["finance", "legal", "join"], given: say },
  {
    graph: "fan",
    nodes: ["plan", "worker", "join"],
    given: (random) => ({
      jobs: Array.from({ length: 1 + random.below(4) }, (_, n) => ({
        name: `job ${n + 1}`,
        rounds: 1 + random.below(12),
        ...(random.chance(0.5) && { asks: `${random.pick(["Why", "Where"])}, ${n + 1}?` }),
      })),
    }),
  },
  {
    graph: "pipeline",
    nodes: ["collect", "check", "reserve", "charge", "write", "send", "close"],
    given: (random) =>
      say(random, {
        job: job(random),
        fail_at: random.pick(["none", "check", "send"]),
        fail_times: random.below(4),
      }),
  },
  {
    graph: "beside",
    nodes: ["begin", "left", "right", "join"],
    given: (random) => ({ job: job(random), fail_times: random.below(3) }),
  },
  { graph: "aside", nodes: ["ask", "look", "note", "go"], given: say },
  { graph: "researcher", nodes: ["plan", "tools", "write"], given: say, isNameless: true },
  { graph: "approval", nodes: ["plan", "act", "close"], given: say },
  { graph: "chat", nodes: ["model"], given: say },
  { graph: "slow", nodes: ["talk"], given: (random) => say(random, { seconds: random.pick([0.3, 0.7]) }) },
];
/** What is asked for, the usual more often than anything else. */
export const modes: readonly (readonly StreamMode[])[] = [
  [],
  [],
  ["values"],
  ["updates"],
  ["values", "messages-tuple"],
];

/** A story on one of the graphs; `taken` hears of each turn, and of who takes it. */
export function storyOf(
  random: Random,
  among: readonly Subject[],
  taken: (turn: Turn, session: RunSession) => void,
): Story {
  const { graph, nodes, given, isNameless = false } = random.pick(among);
  const turns = Array.from({ length: 2 + random.below(5) }, () => (session: RunSession) => {
    const turn = turnOf(random, { nodes, given }, session);
    taken(turn, session);
    return turn;
  });
  return { graph, turns, isNameless };
}

function turnOf(random: Random, { nodes, given }: Omit<Subject, "graph">, session: RunSession): Turn {
  const stop = random.chance(0.3) ? { stop: random.below(random.pick([100, 900])) } : {};
  const open = session.entries.find((entry) => entry.kind === "interrupt" && entry.state === "open");
  const isBegun = session.threadId !== undefined;
  if (open?.kind === "interrupt" && random.chance(0.6)) {
    if (open.next !== undefined) return { input: null, ...stop };
    if (open.requests.length > 0) return { decisions: open.requests.map(() => decision(random)), ...stop };
    return { answer: random.pick<Json>(["yes", "12", { who: "me" }, ["a", "b"]]), ...stop };
  }
  if (isBegun && random.chance(0.3)) return { input: null, ...stop };
  const breakpoint =
    nodes.length > 0 && random.chance(0.25)
      ? { [random.pick(["interruptBefore", "interruptAfter"])]: [random.pick(nodes)] }
      : {};
  return { input: given(random), ...breakpoint, ...stop };
}

function decision(random: Random): Decision {
  return random.chance(0.6) ? { type: "approve" } : { type: "reject", message: "Not now:\nlater" };
}
