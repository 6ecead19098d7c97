/** Goes on with a run that a restart of its server left running for ever: in a copy of its thread. */

import { realClock } from "../../../api/poll.ts";
import { copyStranded, planRescue, type Rescue } from "../../../run/repair/continueInCopy.ts";
import { effectsText } from "../../../run/repair/planText.ts";
import { linksIn } from "../../../run/repair/threadLinks.ts";
import { readState } from "../../../run/session/server.ts";
import { type CheckedThread, strandedText } from "../../../run/session/strandedRun.ts";
import type { ThreadRef } from "../../connections/connection.ts";
import { confirmAct } from "../../connections/guard.ts";
import { abortable, showInformation, showWarning } from "../../kit/notice.ts";
import type { RunPanels } from "../../runPanel/runPanels.ts";
import type { Services } from "../../services.ts";

/**
 * Checks the run, shows what is known and what runs again, asks, checks once more, and opens the copy in which the
 * run goes on.
 */
export async function continueInCopy(
  services: Services,
  panels: RunPanels,
  thread: ThreadRef,
): Promise<void> {
  const { connections, sessions, threadHosts, threads } = services;
  const { threadId } = thread;
  const server = threadHosts.of(thread).runs;
  const check = <T>(doing: string, work: (at: CheckedThread) => Promise<T>): Promise<T> =>
    abortable(doing, (signal) => work({ server, threadId, signal, clock: realClock }));
  const doing = "Looking whether the run goes on";
  const earlier = await check(doing, async (at) => linksIn((await readState(at)).row?.metadata).continuedIn);
  if (earlier !== undefined) {
    panels.open({ ...thread, threadId: earlier });
    await showInformation("This thread was continued in a copy before: here it is.");
    return;
  }
  const rescue = await check(doing, (at) => planRescue(at));
  await confirmAct(connections.resolve(thread.connectionId), {
    question: `Continue “${threads.titleOf(thread)}” in a copy?`,
    detail: detailOf(rescue),
    verb: "Continue in a Copy",
    always: true,
  });
  const doingCopy = "Copying the thread";
  const { threadId: copyId, run, said } = await check(doingCopy, (at) => copyStranded(at, rescue));
  const copy: ThreadRef = { ...thread, threadId: copyId };
  threads.copied(thread, copy);
  panels.open(copy);
  if (said !== "") void showWarning(said);
  if (run !== undefined) await sessions.changeCourse(copy, () => Promise.resolve(run));
}

function detailOf({ stranded, plan, why }: Rescue): string {
  return [
    strandedText(stranded),
    stranded.sign === "silence" ? "If it goes on after all, its steps run twice." : "",
    plan === undefined ? `Nothing is run in the copy: ${why ?? ""}` : effectsText(plan.effects),
    "This thread stays as it is, and leads to the copy.",
  ]
    .filter((line) => line !== "")
    .join("\n");
}
