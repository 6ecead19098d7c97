/** Deleting the threads that nobody changed for a time: how many and how large they are is told before, or told alone. */

import * as vscode from "vscode";
import { agree } from "../../bulk/agreement.ts";
import type { Worker } from "../../bulk/bulkChanges.ts";
import type { AgentServerRef } from "../../connections/connection.ts";
import { askChoice, askSeveral, askText, type Choice } from "../../kit/ask/questions.ts";
import { abortable, showWarning } from "../../kit/notice.ts";
import { NotPossibleError } from "../../kit/remedies.ts";
import { counted, localTime, oneLine, withoutIcons } from "../../kit/words.ts";
import type { Services } from "../../services.ts";
import {
  type DeleteItem,
  type DeleteJob,
  deleteWork,
  type ListedThread,
  measure,
  readByAge,
} from "../../threads/bulk/threadDeletion.ts";
import { statusWords } from "../../threads/threadStatus.ts";
import { askPace, askServers, goOnWith, readEach } from "./bulkQuestions.ts";

const title = "Delete Threads by Age";
const dayMs = 86_400_000;
const usualDays = [7, 30, 90, 365] as const;

/** Threads of one status that are old enough. */
interface OldThreads {
  readonly status: string;
  readonly threads: readonly ListedThread[];
  readonly size: string;
}

/** The threads that nobody changed for so many days, by the clocks of their servers. */
type OlderThan = (days: number) => readonly ListedThread[];

/** Asks which threads of a server are deleted, and does it; of servers that are asked for where none is given. */
export async function deleteThreads(services: Services, server: AgentServerRef | undefined): Promise<void> {
  const servers = server === undefined ? await askServers(services, title, "On which servers?") : [server];
  const all = await readAll(services, servers);
  const olderThan: OlderThan = (days) =>
    all.filter(
      ({ ref, updatedAt }) => Date.parse(updatedAt) <= services.agentServers.now(ref) - days * dayMs,
    );
  const days = await askDays(olderThan);
  const chosen = await askStatuses(await sized(services, olderThan(days)), days);
  const threads = chosen.flatMap((group) => group.threads);
  const sizes = chosen.map(({ status, size }) => `${statusWords(status)}: ${size}`).join("\n");
  const name = `${jobTitle(threads.length)} unchanged for ${counted(days, "day")}`;
  if (await isDryRun(threads.length)) {
    const content = [`${name}: nothing was deleted.`, sizes, "", ...threads.map(lineOf), ""].join("\n");
    const document = await vscode.workspace.openTextDocument({ content, language: "plaintext" });
    await vscode.window.showTextDocument(document);
    return;
  }
  const pace = await askPace(title, threads.length);
  const items = threads.map(itemOf);
  const agreed = await agree(services.connections, {
    ...{ title: name, verb: "Delete", items, first: "One is deleted" },
    note: `Their messages and checkpoints are deleted on the server. This can't be undone.\n${sizes}`,
  });
  const job = { ...{ title: name, doneWord: "deleted", pace, agreed, items, isTried: false } };
  await services.bulkChanges.begin<DeleteJob>({ ...job, change: { kind: "delete" } }, workerOf(services));
}

/** Goes on with what another window or an earlier session left; it is agreed to anew. */
export function goOnWithDeletion(services: Services, job: DeleteJob): Promise<void> {
  const proposal = (count: number) => ({ title: jobTitle(count), verb: "Delete", first: "One is deleted" });
  return goOnWith(services, job, proposal, workerOf(services));
}

function readAll(services: Services, servers: readonly AgentServerRef[]): Promise<readonly ListedThread[]> {
  return readEach(services, servers, {
    title: "Looking how old threads are",
    read: async (server, client, options) => {
      const { threads, isCut } = await readByAge(server, client.threads, options);
      if (isCut)
        void showWarning(
          `“${server.name}” has more threads: the oldest ${counted(threads.length, "thread")} are looked at.`,
        );
      return threads;
    },
    none: new NotPossibleError("There are no threads.", "Choose another server."),
  });
}

async function askDays(olderThan: OlderThan): Promise<number> {
  const choices: readonly Choice<number | undefined>[] = [
    ...usualDays.map((value) => ({
      label: counted(value, "day"),
      description: counted(olderThan(value).length, "thread"),
      value,
    })),
    { label: "Another number of days…", value: undefined },
  ];
  const placeholder = "Threads that nobody ran or changed for how long?";
  const chosen = await askChoice({ title }, choices, { placeholder });
  if (chosen !== undefined) return chosen;
  const problem = (typed: string): string | undefined =>
    /^\d{1,5}$/.test(typed) ? undefined : "Enter a number of days; 0 is for threads of any age.";
  return Number(await askText({ title }, { prompt: "Unchanged for so many days", value: "30", problem }));
}

/** By status; one in which a run goes on is never among them. */
function sized(services: Services, old: readonly ListedThread[]): Promise<readonly OldThreads[]> {
  const groups = [...Map.groupBy(old, ({ status }) => status)].filter(([status]) => status !== "busy");
  return abortable("Looking how large they are", (signal) =>
    Promise.all(
      groups.map(async ([status, threads]) => {
        const threadsOf = (ref: ListedThread["ref"]) => services.agentServers.client(ref).threads;
        const { bytes, read } = await measure(threads, threadsOf, signal);
        const by = read < threads.length ? `, by ${String(read)} of them` : "";
        const about = read === 0 ? "of unknown size" : `about ${sizeText(bytes)} of newest states${by}`;
        const size = `${counted(threads.length, "thread")}, ${about}`;
        return { status, threads, size };
      }),
    ),
  );
}

/** Only what is idle is ticked: what waits for a person, or failed, is somebody's work. */
async function askStatuses(groups: readonly OldThreads[], days: number): Promise<readonly OldThreads[]> {
  if (groups.length === 0)
    throw new NotPossibleError(
      `No thread is unchanged for ${counted(days, "day")}, but those in which runs go on.`,
      "Choose fewer days.",
    );
  const choices = groups.map((value) => ({
    label: withoutIcons(statusWords(value.status)),
    description: value.size,
    picked: value.status === "idle",
    value,
  }));
  const placeholder = "Which are deleted? Threads in which a run goes on are left.";
  const chosen = await askSeveral({ title }, choices, { placeholder });
  if (chosen.length === 0) throw new NotPossibleError("Nothing is ticked.", "Tick what is to be deleted.");
  return chosen;
}

function isDryRun(count: number): Promise<boolean> {
  const choices = [
    { label: `$(list-flat) List the ${counted(count, "thread")}`, detail: "Deletes nothing", value: true },
    { label: "$(trash) Delete them…", detail: "You are asked once more", value: false },
  ];
  return askChoice({ title }, choices, { placeholder: "What is done?" });
}

function lineOf({ ref, title: name, status, updatedAt }: ListedThread): string {
  return `${localTime(updatedAt)}  ${statusWords(status)}  ${oneLine(name)}  ${ref.threadId}`;
}

function itemOf({ ref, title: name, status, updatedAt }: ListedThread): DeleteItem {
  const words = `${statusWords(status)}, unchanged since ${localTime(updatedAt)}`;
  return { ...ref, name, status, before: updatedAt, words, state: "waiting" };
}

function jobTitle(count: number): string {
  return `Delete ${counted(count, "thread")}`;
}

/** "12 kB", "3.4 MB". */
function sizeText(bytes: number): string {
  return bytes < 1e6
    ? `${String(Math.max(1, Math.round(bytes / 1e3)))} kB`
    : `${(bytes / 1e6).toFixed(1)} MB`;
}

function workerOf({ agentServers, threads }: Services): Worker<DeleteJob> {
  return () => deleteWork({ serverOf: (thread) => agentServers.client(thread), threads });
}
