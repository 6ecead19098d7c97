/** Repairing many failed threads: what failed for the same reason is shown together, one is tried, then the others. */

import * as vscode from "vscode";
import type { Json } from "../../../api/agentServer/wire.ts";
import { problemText, readJsonObject } from "../../../run/json/jsonText.ts";
import { effectsText } from "../../../run/repair/planText.ts";
import { agree } from "../../bulk/agreement.ts";
import type { Worker } from "../../bulk/bulkChanges.ts";
import type { AgentServerRef, ThreadRef } from "../../connections/connection.ts";
import { askChoice, askSeveral, askText, type Choice } from "../../kit/ask/questions.ts";
import { SECTION, SETTINGS } from "../../kit/ids.ts";
import { abortable, showWarning } from "../../kit/notice.ts";
import { NotPossibleError } from "../../kit/remedies.ts";
import { counted, firstLine, withoutIcons } from "../../kit/words.ts";
import type { Services } from "../../services.ts";
import {
  type FailedThread,
  type FailureGroup,
  failureGroups,
  readFailed,
} from "../../threads/bulk/failedThreads.ts";
import {
  planOf,
  positionFor,
  type RepairChange,
  type RepairItem,
  type RepairJob,
  type RepairServer,
  repairWork,
} from "../../threads/bulk/repairWork.ts";
import { askPace, askServers, goOnWith, readEach } from "./bulkQuestions.ts";

const title = "Repair Failed Threads";

/** Asks which of a server's failed threads are repaired and how, and does it; of all servers where none is given. */
export async function repairFailed(services: Services, server: AgentServerRef | undefined): Promise<void> {
  const servers =
    server === undefined ? await askServers(services, title, "On which servers did they fail?") : [server];
  const threads = await readAll(services, servers);
  const chosen = await askGroups(services, threads);
  const repaired = chosen.flatMap((group) => group.threads);
  const change = await askChange(chosen);
  const [first] = repaired;
  const note = first === undefined ? "" : await preview(services, first, change);
  const pace = await askPace(title, repaired.length);
  const items = repaired.map((thread) => itemOf(thread, change));
  const name = jobTitle(change, items.length);
  const verb = VERBS[change.kind];
  const agreed = await agree(services.connections, {
    ...{ title: name, verb, items, note, first: "One is repaired" },
  });
  const job = { ...{ title: name, doneWord: "repaired", change, pace, agreed, items }, isTried: false };
  await services.bulkChanges.begin<RepairJob>(job, workerOf(services));
}

/** Goes on with what another window or an earlier session left; it is agreed to anew. */
export function goOnWithRepair(services: Services, job: RepairJob): Promise<void> {
  const proposal = (count: number) => ({
    title: jobTitle(job.change, count),
    verb: VERBS[job.change.kind],
    first: "One is repaired",
  });
  return goOnWith(services, job, proposal, workerOf(services));
}

function readAll(services: Services, servers: readonly AgentServerRef[]): Promise<readonly FailedThread[]> {
  const [only, ...others] = servers;
  const nowhere =
    others.length === 0
      ? `“${only?.name ?? ""}” has no failed thread.`
      : "These servers have no failed thread.";
  return readEach(services, servers, {
    title: "Looking why threads failed",
    read: async (server, client, options) => {
      const { threads, isCut } = await readFailed(server, client.threads, options);
      if (isCut)
        void showWarning(
          `“${server.name}” has more failed threads: the newest ${counted(threads.length, "thread")} are shown.`,
        );
      return threads;
    },
    none: new NotPossibleError(
      nowhere,
      "A run that was stopped, or that waits for an answer, has not failed.",
    ),
  });
}

/** The groups that a person ticks; one that stands alone is shown all the same. */
async function askGroups(
  { connections }: Services,
  threads: readonly FailedThread[],
): Promise<readonly FailureGroup[]> {
  const readable = threads.filter(({ head }) => head !== undefined);
  const groups = failureGroups(readable);
  if (groups.length === 0)
    throw new NotPossibleError(threads[0]?.error ?? "No thread can be read.", "Look at the server's log.");
  const choices = groups.map((value, index) => {
    const names = new Set(
      value.threads.map(({ server }) => connections.get(server.connectionId)?.name ?? server.name),
    );
    const error = firstLine(value.error) || "No error message";
    return {
      label: withoutIcons(`${value.nodes.join(", ") || "No step"}: ${error}`),
      description: `${counted(value.threads.length, "thread")} on ${[...names].map(withoutIcons).join(", ")}`,
      detail: value.threads
        .slice(0, 3)
        .map(({ title: name }) => withoutIcons(name))
        .join(", "),
      picked: index === 0,
      value,
    };
  });
  const left = threads.length - readable.length;
  const unread = left === 0 ? "" : `; ${counted(left, "thread")} can't be read`;
  const heading = { title: `${counted(threads.length, "failed thread")}, by step and error` };
  const chosen = await askSeveral(heading, choices, { placeholder: `What is repaired?${unread}` });
  if (chosen.length === 0) throw new NotPossibleError("Nothing is ticked.", "Tick what is to be repaired.");
  return chosen;
}

async function askChange(groups: readonly FailureGroup[]): Promise<RepairChange> {
  const nodes = new Set(groups.flatMap((group) => group.nodes));
  const [only] = nodes;
  const node = nodes.size === 1 ? only : undefined;
  const steps = [...nodes].join(", ");
  const choices: readonly Choice<RepairChange["kind"]>[] = [
    {
      label: `$(debug-restart) Retry “${steps}”`,
      detail: "Each goes on from the step that failed",
      value: "retry",
    },
    ...(node === undefined
      ? []
      : [
          {
            label: `$(debug-step-over) Skip “${node}” with a result of your own…`,
            detail: "Each goes on after it, as if it had returned that",
            value: "skip" as const,
          },
        ]),
    {
      label: `$(edit) Write values into the state, and retry “${steps}”…`,
      detail: "The step that failed finds them there",
      value: "edit",
    },
  ];
  const kind = await askChoice({ title }, choices, { placeholder: "What is done to each thread?" });
  if (kind === "retry") return { kind };
  const prompt =
    kind === "skip"
      ? "What the step returns instead, as a JSON object: it is merged into each state. {} for nothing."
      : "What is merged into each state, as a JSON object.";
  const values = await askJson(prompt);
  return kind === "skip" ? { kind, node: node ?? "", values } : { kind, values };
}

async function askJson(prompt: string): Promise<Json> {
  const problem = (typed: string): string | undefined => {
    const reading = readJsonObject(typed);
    return "problem" in reading ? problemText(reading.problem) : undefined;
  };
  return JSON.parse(await askText({ title }, { prompt, value: "{}", problem })) as Json;
}

/** What the change does to one of them, as a single repair says it; throws what keeps it from being done at all. */
function preview(services: Services, thread: FailedThread, change: RepairChange): Promise<string> {
  const server = services.threadHosts.of(thread.ref).runs;
  return abortable("Looking at the first thread", async (signal) => {
    const course = { server, threadId: thread.ref.threadId, signal };
    const position = await positionFor(change, course);
    const plan = planOf(change, position);
    return `In “${thread.title}”:\n${effectsText(plan.effects)}`;
  });
}

function itemOf(
  { ref, title: name, nodes, head, updatedAt }: FailedThread,
  change: RepairChange,
): RepairItem {
  const words = `${VERBS[change.kind].toLowerCase()} ${nodes.join(", ")}`;
  return { ...ref, name, before: head ?? "", updatedAt, words, state: "waiting" };
}

/** "Retry 12 threads". */
function jobTitle(change: RepairChange, count: number): string {
  const many = counted(count, "failed thread");
  return change.kind === "skip" ? `Skip “${change.node}” in ${many}` : `${VERBS[change.kind]} ${many}`;
}

const VERBS: Readonly<Record<RepairChange["kind"], string>> = {
  retry: "Retry",
  skip: "Skip",
  edit: "Write and Retry",
};

function workerOf({ agentServers, clock, threads }: Services): Worker<RepairJob> {
  const deadlineMs = (): number =>
    60_000 * vscode.workspace.getConfiguration(SECTION).get(SETTINGS.watchDeadlineMinutes, 30);
  const serverOf = (thread: ThreadRef): RepairServer => agentServers.client(thread);
  return (job) => repairWork({ serverOf, clock, deadlineMs, threads }, job);
}
