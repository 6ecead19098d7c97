/** A thread's earlier states: opened as the newest one is, or compared with it. */

import * as vscode from "vscode";
import type { ThreadState } from "../../../api/agentServer/wire.ts";
import { earlierState } from "../../../run/fold/threadState.ts";
import type { ThreadRef } from "../../connections/connection.ts";
import type { ThreadStateDocuments } from "../../documents/threadStates.ts";
import { NotPossibleError } from "../../kit/remedies.ts";
import type { Services } from "../../services.ts";
import { statusIcon } from "../../views/threads/threadNode.ts";
import { ageOf } from "../../threads/threadFacts.ts";
import { chooseFromPages } from "../../kit/ask/pagedChoice.ts";
import { dotted } from "../../kit/words.ts";

type StateItem = vscode.QuickPickItem & { readonly state: ThreadState; readonly checkpointId: string };

const compare: vscode.QuickInputButton = {
  iconPath: new vscode.ThemeIcon("diff"),
  tooltip: "Compare with the newest state",
};

/** Lets a person choose among the states, the newest first, and shows the chosen one. */
export async function openEarlierState(
  { threadHosts }: Pick<Services, "threadHosts">,
  documents: ThreadStateDocuments,
  thread: ThreadRef,
): Promise<void> {
  const chosen = await chooseFromPages({
    title: "Open Earlier State",
    placeholder: "A state of the thread, the newest first",
    items: (signal) => itemsOf(threadHosts.of(thread).history(thread.threadId, { signal })),
    more: "Show earlier states…",
  });
  const { state, checkpointId, label: name } = chosen.item;
  const earlier = { state, checkpointId, name };
  if (chosen.button === compare) await documents.compare(thread, earlier);
  else await documents.openEarlier(thread, earlier);
}

/** States without a checkpoint are nothing that could be opened again. */
async function* itemsOf(states: AsyncIterable<ThreadState>): AsyncIterable<StateItem> {
  let newest = true;
  for await (const state of states) {
    const checkpointId = state.checkpoint?.checkpoint_id;
    if (checkpointId === undefined) continue;
    const { step, source, detail, waits } = earlierState(state);
    const facts = [newest ? "newest" : "", source, ageOf(state.created_at ?? "", Date.now())];
    yield {
      label: step,
      description: dotted(facts),
      detail,
      iconPath: waits ? statusIcon("interrupted") : new vscode.ThemeIcon("circle-small"),
      ...(newest ? {} : { buttons: [compare] }),
      state,
      checkpointId,
    };
    newest = false;
  }
  if (newest)
    throw new NotPossibleError("The thread has no states yet.", "Start a run: each of its steps leaves one.");
}
