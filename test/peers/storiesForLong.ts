/**
 * `npm run stories`: threads with random turns on a real agent server, each told live, read again by others, and once
 * more after the server was killed. `--count N` stories (100 unless given), `--seed S` for those of an earlier run, `--only
 * GRAPH` for those of one graph, and `--keep FOLDER` for what the server keeps of those that differ.
 */

import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { AgentServer } from "../../src/api/agentServer/index.ts";
import { Http } from "../../src/api/http.ts";
import type { RunSession } from "../../src/run/session/session.ts";
import { Random } from "../support/random.ts";
import { installPeer } from "./install.ts";
import { modes, storyOf, subjects } from "./randomStories.ts";
import { startAgentServer } from "./server.ts";
import { difference, reopened, tell, type Turn } from "./stories.ts";
import { keptFacts } from "./threadFacts.ts";

/** A story that was told, and what of it a server has that was killed since. */
interface Ended {
  readonly seed: number;
  readonly name: string;
  readonly threadId: string;
  readonly facts: readonly string[];
}

const text = { type: "string" } as const;
const { values } = parseArgs({ options: { count: text, seed: text, only: text, keep: text } });
const among = subjects.filter(({ graph }) => values.only === undefined || graph === values.only);
const first = Number(values.seed ?? Math.floor(Math.random() * 1e9));
const count = Number(values.count ?? 100);
/** How many are told before the server is killed, and how many at once. */
const [batch, atOnce] = [50, 6];
const differing = new Set<number>();

await installPeer();
const server = await startAgentServer();
const api = new AgentServer(new Http({ baseUrl: server.url }));
try {
  for (let from = 0; from < count; from += batch) {
    const seeds = Array.from({ length: Math.min(batch, count - from) }, (_, n) => first + from + n);
    const ended: Ended[] = [];
    await each(seeds, async (seed) => void ended.push(...(await toldBy(seed))));
    await server.killAndRestart();
    await each(ended, async ({ seed, name, threadId, facts }) => {
      const differs = difference(facts, keptFacts(await reopened(api, threadId)));
      if (differs !== "") await differ(seed, `${name}\nafter kill -9${differs}`, threadId);
    });
    console.log(`${from + seeds.length} stories from seed ${first} on, ${differing.size} differ`);
  }
} finally {
  await server.stop();
}
process.exit(differing.size === 0 ? 0 : 1);

/** Tells the story of a seed; nothing when that failed. */
async function toldBy(seed: number): Promise<readonly Ended[]> {
  const random = new Random(seed);
  const streamModes = random.pick(modes);
  const turns: Turn[] = [];
  let session: RunSession | undefined;
  const story = storyOf(random, among, (turn, by) => {
    turns.push(turn);
    session = by;
  });
  const nameNow = (): string =>
    `${story.graph}, asked for ${streamModes.join(", ") || "the usual"}: ${turns.map((turn) => JSON.stringify(turn)).join(" ")}`;
  try {
    const { threadId, entries, difference: differs } = await tell(api, story, streamModes);
    const name = nameNow();
    if (differs !== "") await differ(seed, `${name}\n${differs}`, threadId);
    return story.isNameless === true ? [] : [{ seed, name, threadId, facts: keptFacts(entries) }];
  } catch (error) {
    const why = error instanceof Error ? error.stack : String(error);
    await differ(seed, `${nameNow()}\n${why}`, session?.threadId);
    return [];
  }
}

async function differ(seed: number, what: string, threadId: string | undefined): Promise<void> {
  differing.add(seed);
  console.log(`seed ${seed}: ${what}`);
  if (values.keep === undefined || threadId === undefined) return;
  const { threads, runs } = api;
  const history = await threads.history(threadId, { limit: 200 });
  const lanes = history.flatMap(({ tasks }) => tasks.map(({ name, id }) => `${name}:${id}`));
  const kept = {
    row: await threads.get(threadId),
    runs: await runs.list(threadId, { limit: 100 }),
    state: await threads.state(threadId),
    history,
    lanes: await Promise.all(
      lanes.map((lane) => threads.history(threadId, { limit: 100, checkpoint: { checkpoint_ns: lane } })),
    ),
  };
  await writeFile(join(values.keep, `${seed}.json`), JSON.stringify(kept, null, 1));
}

/** Works through the items, some at once. */
async function each<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const waiting = [...items];
  const go = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) await work(next);
  };
  await Promise.all(Array.from({ length: atOnce }, go));
}
