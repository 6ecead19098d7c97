/** Stopping many runs of a server: those that go on are shown by age and graph, and each is asked to stop once. */

import { agree } from "../../bulk/agreement.ts";
import type { Worker } from "../../bulk/bulkChanges.ts";
import type { AgentServerRef } from "../../connections/connection.ts";
import { askChoice, askSeveral } from "../../kit/ask/questions.ts";
import { NotPossibleError } from "../../kit/remedies.ts";
import { counted, durationText, withoutIcons } from "../../kit/words.ts";
import type { Services } from "../../services.ts";
import {
  type UnfinishedRun,
  readUnfinished,
  type StopItem,
  type StopJob,
  stopWork,
} from "../../threads/bulk/runStops.ts";
import { askServers, goOnWith, readEach } from "./bulkQuestions.ts";

const title = "Stop Runs of Threads";
const pace = { atOnce: 4, everyMs: 0, mostFailures: 5 };
const ages = [
  { words: "All of them", ms: 0 },
  { words: "Begun more than a minute ago", ms: 60_000 },
  { words: "Begun more than 10 minutes ago", ms: 600_000 },
  { words: "Begun more than an hour ago", ms: 3_600_000 },
  { words: "Begun more than a day ago", ms: 86_400_000 },
] as const;

/** For how many milliseconds a run goes on, by its server's clock. */
type AgeOf = (run: UnfinishedRun) => number;

/** Asks which runs of a server are stopped, and does it; of servers that are asked for where none is given. */
export async function stopRuns(services: Services, server: AgentServerRef | undefined): Promise<void> {
  const servers = server === undefined ? await askServers(services, title, "On which servers?") : [server];
  const runs = await readAll(services, servers);
  const age: AgeOf = ({ ref, run }) => services.agentServers.now(ref) - Date.parse(run.created_at);
  const chosen = await askGraphs(await askAge(runs, age));
  const items = chosen.map((one) => itemOf(one, age(one)));
  const name = jobTitle(items.length);
  const agreed = await agree(services.connections, {
    ...{ title: name, verb: "Stop", items, first: "One is stopped" },
    note: "What they did so far stays in their threads, which can go on later.",
  });
  const job = { ...{ title: name, doneWord: "stopped", pace, agreed, items, isTried: false } };
  await services.bulkChanges.begin<StopJob>({ ...job, change: { kind: "stop" } }, workerOf(services));
}

/** Goes on with what another window or an earlier session left; it is agreed to anew. */
export function goOnWithStops(services: Services, job: StopJob): Promise<void> {
  const proposal = (count: number) => ({ title: jobTitle(count), verb: "Stop", first: "One is stopped" });
  return goOnWith(services, job, proposal, workerOf(services));
}

function readAll(services: Services, servers: readonly AgentServerRef[]): Promise<readonly UnfinishedRun[]> {
  return readEach(services, servers, {
    title: "Looking which runs go on",
    read: readUnfinished,
    none: new NotPossibleError("No run goes on there.", "A thread that waits for an answer has no run."),
  });
}

async function askAge(runs: readonly UnfinishedRun[], age: AgeOf): Promise<readonly UnfinishedRun[]> {
  const choices = ages
    .map(({ words, ms }) => ({ words, value: runs.filter((run) => age(run) >= ms) }))
    .filter(({ value }, index, all) => value.length > 0 && value.length !== all[index - 1]?.value.length)
    .map(({ words, value }) => ({ label: words, description: counted(value.length, "run"), value }));
  const [only] = choices;
  if (choices.length === 1 && only !== undefined) return only.value;
  return askChoice({ title }, choices, { placeholder: "Which runs are stopped?" });
}

async function askGraphs(runs: readonly UnfinishedRun[]): Promise<readonly UnfinishedRun[]> {
  const groups = [...Map.groupBy(runs, ({ graph }) => graph)];
  if (groups.length === 1) return runs;
  const choices = groups.map(([graph, value]) => ({
    label: withoutIcons(graph),
    description: counted(value.length, "run"),
    picked: true,
    value,
  }));
  const chosen = await askSeveral({ title }, choices, { placeholder: "Of which graphs?" });
  if (chosen.length === 0) throw new NotPossibleError("Nothing is ticked.", "Tick what is to be stopped.");
  return chosen.flat();
}

function itemOf({ ref, title: name, graph, run }: UnfinishedRun, ms: number): StopItem {
  const since = durationText(ms);
  const words =
    run.status === "pending" ? `${graph}, waiting for ${since}` : `${graph}, running for ${since}`;
  return { ...ref, name, before: run.run_id, words, state: "waiting" };
}

function jobTitle(count: number): string {
  return `Stop ${counted(count, "run")}`;
}

function workerOf({ agentServers, clock, threads }: Services): Worker<StopJob> {
  return () => stopWork({ serverOf: (thread) => agentServers.client(thread), clock, threads });
}
