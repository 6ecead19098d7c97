/** What is asked before work on many threads: on which servers, how fast, and once more for what was left before. */

import * as vscode from "vscode";
import type { AgentServer } from "../../../api/agentServer/index.ts";
import { agree, type Proposal } from "../../bulk/agreement.ts";
import type { BulkJob, Pace } from "../../bulk/bulkJob.ts";
import type { Worker } from "../../bulk/bulkChanges.ts";
import type { AgentServerRef, ThreadRef } from "../../connections/connection.ts";
import { markedLabel } from "../../connections/mark.ts";
import { askChoice, askSeveral, type Choice } from "../../kit/ask/questions.ts";
import { SECTION, SETTINGS } from "../../kit/ids.ts";
import { abortable } from "../../kit/notice.ts";
import { NotPossibleError } from "../../kit/remedies.ts";
import { counted, withoutIcons } from "../../kit/words.ts";
import type { Services } from "../../services.ts";
import { isTitleOfId } from "../../threads/servers/threadTitle.ts";
import { askEach, askEachAloud } from "../connections/connectionChoice.ts";

/** Agent servers of any connection; the only one is taken without asking. */
export async function askServers(
  { agentServers, connections }: Services,
  title: string,
  placeholder: string,
): Promise<readonly AgentServerRef[]> {
  const all = await askEach(connections.list(), ({ id }) => agentServers.list(id));
  const servers = all.filter(({ server }) => server.kind !== "chatBackend");
  if (servers.length === 0)
    throw new NotPossibleError("No connection has an agent server.", "Add a connection.", ["addConnection"]);
  if (servers.length === 1) return servers;
  const choices = servers.map((value) => {
    const setting = connections.get(value.connectionId);
    return {
      ...{ label: withoutIcons(value.name), description: setting === undefined ? "" : markedLabel(setting) },
      ...{ picked: true, value },
    };
  });
  return askSeveral({ title }, choices, { placeholder });
}

interface Reading<T> {
  /** What is told while it is read, before how many threads were. */
  readonly title: string;
  readonly read: (server: AgentServerRef, client: AgentServer, options: ReadOptions) => Promise<readonly T[]>;
  /** Where no server has any. */
  readonly none: NotPossibleError;
}

interface ReadOptions {
  readonly signal: AbortSignal;
  /** Called with how many threads were read. */
  readonly onRead: (count: number) => void;
}

/** What servers have together, called as in all views; says which of them could not be asked. */
export function readEach<T extends { readonly ref: ThreadRef; readonly title: string }>(
  { agentServers, threads }: Services,
  servers: readonly AgentServerRef[],
  { title, read, none }: Reading<T>,
): Promise<readonly T[]> {
  return abortable(title, async (signal, report) => {
    const counts = new Map<AgentServerRef, number>();
    const readOne = async (server: AgentServerRef): Promise<readonly T[]> => {
      const onRead = (count: number): void => {
        counts.set(server, count);
        const all = [...counts.values()].reduce((sum, one) => sum + one, 0);
        report(counted(all, "thread"));
      };
      return read(server, agentServers.client(server), { signal, onRead });
    };
    const found = await askEachAloud(servers, readOne, signal);
    if (found.length === 0) throw none;
    return found.map((one) => {
      const isNamed = !isTitleOfId(one.title, one.ref.threadId);
      return isNamed ? one : { ...one, title: threads.knownTitle(one.ref) ?? one.title };
    });
  });
}

/** How fast so many things are done. */
export async function askPace(title: string, count: number): Promise<Pace> {
  const mostFailures = 5;
  const usual = vscode.workspace.getConfiguration(SECTION).get(SETTINGS.bulkAtOnce, 2);
  if (count === 1) return { atOnce: 1, everyMs: 0, mostFailures };
  const choices: readonly Choice<Pace>[] = [
    {
      label: `${String(usual)} at a time`,
      description: "as the settings say",
      value: { atOnce: usual, everyMs: 0, mostFailures },
    },
    { label: "10 at a time", value: { atOnce: 10, everyMs: 0, mostFailures } },
    { label: "One after the other", value: { atOnce: 1, everyMs: 0, mostFailures } },
    { label: "60 a minute", value: { atOnce: 10, everyMs: 1000, mostFailures } },
    { label: "6 a minute", value: { atOnce: 10, everyMs: 10_000, mostFailures } },
  ];
  const placeholder =
    "How fast? It stops when five fail again in a row, and whenever you cancel it in the Activity view.";
  return askChoice({ title }, choices, { placeholder });
}

/** Goes on with what another window or an earlier session left of a job; it is agreed to anew. */
export async function goOnWith<Job extends BulkJob>(
  { bulkChanges, connections }: Services,
  job: Job,
  proposal: (count: number) => Pick<Proposal, "title" | "verb" | "first">,
  worker: Worker<Job>,
): Promise<void> {
  const open = job.items.filter(({ state }) => state === "waiting" || state === "sending");
  const items = open.filter(({ connectionId }) => connections.get(connectionId) !== undefined);
  const renewed = items.length === 0 ? [] : await agree(connections, { ...proposal(items.length), items });
  const agreed = job.agreed.map((old) => renewed.find((one) => one.connectionId === old.connectionId) ?? old);
  await bulkChanges.carryOut({ ...job, agreed }, worker);
}
