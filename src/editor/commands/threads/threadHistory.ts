/** A thread's earlier states: opened as the newest one is, or compared with it. */

import * as vscode from "vscode";
import type { ThreadState } from "../../../api/agentServer/wire.ts";
import { Branches, type Branching } from "../../../run/history/branches.ts";
import { earlierState } from "../../../run/fold/threadState.ts";
import type { ThreadRef } from "../../connections/connection.ts";
import type { StateOfCheckpoint, ThreadStateDocuments } from "../../documents/threadStates.ts";
import { NotPossibleError } from "../../kit/remedies.ts";
import type { Services } from "../../services.ts";
import { themeIcon } from "../../kit/tree/rowItem.ts";
import { statusIcon } from "../../threads/threadStatus.ts";
import { ageOf } from "../../threads/threadFacts.ts";
import { chooseFromPages, type PagedChoice } from "../../kit/ask/pagedChoice.ts";
import { dotted } from "../../kit/words.ts";

/** A state as a row. */
export interface StateItem extends vscode.QuickPickItem {
  readonly state: ThreadState;
  readonly checkpointId: string;
  /** How many states the server lists before it, the newest first. */
  readonly index: number;
}

/** What a row is moved in by for each branch beside that of the head; nothing is read aloud for it. */
const indent = "\u2003";

const withNewest: vscode.QuickInputButton = {
  iconPath: new vscode.ThemeIcon("diff"),
  tooltip: "Compare with the newest state",
};
const withAnother: vscode.QuickInputButton = {
  iconPath: new vscode.ThemeIcon("compare-changes"),
  tooltip: "Compare with another state…",
};

interface StateQuestion {
  readonly title: string;
  /** The newest state's, and those of all others. */
  readonly buttons?: Readonly<Record<"newest" | "earlier", readonly vscode.QuickInputButton[]>>;
}

/** Lets a person choose among the states, the newest first, and shows the chosen one. */
export async function openEarlierState(
  services: Pick<Services, "threadHosts" | "agentServers">,
  documents: ThreadStateDocuments,
  thread: ThreadRef,
): Promise<void> {
  const { item, button } = await chooseState(services, thread, {
    title: "Open Earlier State",
    buttons: { newest: [withAnother], earlier: [withNewest, withAnother] },
  });
  const chosen = checkpointOf(item);
  if (button === withAnother) {
    const other = (await chooseState(services, thread, { title: `Compare ${chosen.name} with…` })).item;
    const [earlier, later] = [item, other].toSorted(byTime).map(checkpointOf);
    if (earlier !== undefined) await documents.compare(thread, earlier, later);
  } else if (button === withNewest) await documents.compare(thread, chosen);
  else await documents.openEarlier(thread, chosen);
}

/** Lets a person choose among a thread's states, the newest first. */
export function chooseState(
  { threadHosts, agentServers }: Pick<Services, "threadHosts" | "agentServers">,
  thread: ThreadRef,
  { title, buttons = { newest: [], earlier: [] } }: StateQuestion,
): Promise<PagedChoice<StateItem>> {
  return chooseFromPages({
    title,
    placeholder: "A state of the thread, the newest first",
    items: (signal) => {
      const states = threadHosts.of(thread).history(thread.threadId, { signal });
      return itemsOf(states, buttons, () => agentServers.now(thread));
    },
    more: "Show earlier states…",
  });
}

function checkpointOf({ state, checkpointId, label }: StateItem): StateOfCheckpoint {
  return { state, checkpointId, name: label.trim() };
}

/** Several states may be written within a millisecond: those are in the order of the server's list. */
function byTime(one: StateItem, other: StateItem): number {
  const times = (one.state.created_at ?? "").localeCompare(other.state.created_at ?? "");
  return times === 0 ? other.index - one.index : times;
}

function wordsOf({ lane, isEnd, ways }: Branching): readonly string[] {
  const left = isEnd ? "end of a branch that was left" : "on a branch that was left";
  return [lane === 0 ? "" : left, ways > 1 ? `${String(ways)} branches go on from here` : ""];
}

function iconOf({ lane, ways }: Branching): string {
  return ways > 1 ? "repo-forked" : lane === 0 ? "circle-small-filled" : "circle-small";
}

/** States without a checkpoint are nothing that could be opened again. */
async function* itemsOf(
  states: AsyncIterable<ThreadState>,
  buttons: NonNullable<StateQuestion["buttons"]>,
  now: () => number,
): AsyncIterable<StateItem> {
  let index = 0;
  const branches = new Branches();
  for await (const state of states) {
    const checkpointId = state.checkpoint?.checkpoint_id;
    if (checkpointId === undefined) continue;
    const { step, source, detail, waits } = earlierState(state);
    const branching = branches.next(state);
    const facts = [
      index === 0 ? "newest" : "",
      ...wordsOf(branching),
      source,
      ageOf(state.created_at ?? "", now()),
    ];
    yield {
      label: `${indent.repeat(branching.lane)}${step}`,
      description: dotted(facts),
      detail,
      iconPath: waits ? themeIcon(statusIcon("interrupted")) : new vscode.ThemeIcon(iconOf(branching)),
      buttons: index === 0 ? buttons.newest : buttons.earlier,
      ...{ state, checkpointId, index },
    };
    index += 1;
  }
  if (index === 0)
    throw new NotPossibleError("The thread has no states yet.", "Start a run: each of its steps leaves one.");
}
