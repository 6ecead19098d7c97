/** Answering what waits for a person without opening it, where the question is plain enough. */

import * as vscode from "vscode";
import type { Decision } from "../../../run/panel/transcript.ts";
import { threadOf, type ThreadRef } from "../../connections/connection.ts";
import { showInformation } from "../../kit/notice.ts";
import { confirmAct } from "../../connections/guard.ts";
import { NotPossibleError } from "../../kit/remedies.ts";
import type { RunPanels } from "../../runPanel/runPanels.ts";
import type { Services } from "../../services.ts";
import type { Views } from "../../views/index.ts";
import type { Inbox } from "../../threads/inbox.ts";
import type { Question, WaitingThread } from "../../threads/waitingThread.ts";
import { askChoice, askText } from "../../kit/ask/questions.ts";
import type { CommandsOf } from "../../kit/commands.ts";

/** The commands of the Inbox view and its rows. */
export function commands(
  services: Services,
  { views, panels }: { readonly views: Pick<Views, "inbox">; readonly panels: RunPanels },
): CommandsOf<"inbox"> {
  const { inbox, sessions } = services;
  const decide = async ({ ref, question: { sole } }: WaitingThread, decision: Decision): Promise<void> => {
    if (sole === undefined)
      throw new NotPossibleError("The thread asks more than one thing.", "Open it, and answer there.");
    await sessions.decide(ref, sole, decision);
  };
  return {
    "agentOperations.inbox.refresh": () => views.inbox.refresh(),
    "agentOperations.inbox.loadMore": () => inbox.loadMore(),
    "agentOperations.inbox.approve": async (node) => {
      await decide(await chooseWaiting(inbox, node, "approved"), { type: "approve" });
    },
    "agentOperations.inbox.reject": async (node) => {
      const waiting = await chooseWaiting(inbox, node, "rejected");
      const message = await askText(
        { title: `Reject ${waiting.question.label}` },
        { prompt: "The agent is told this. It may be left empty.", placeholder: "Why not?" },
      );
      await decide(waiting, { type: "reject", ...(message !== "" && { message }) });
    },
    "agentOperations.inbox.continue": async (node) => {
      await sessions.continue((await chooseWaiting(inbox, node, "continued")).ref);
    },
    "agentOperations.inbox.answer": async (node) => {
      panels.open((await chooseWaiting(inbox, node, undefined)).ref);
    },
    "agentOperations.inbox.dismiss": async (node) => {
      const thread = threadOf(node) ?? panels.active;
      if (thread !== undefined) await dismiss(services, inbox, thread);
    },
  };
}

/** What can be done about a waiting thread without opening it. */
const fits = {
  approved: ({ sole }) => sole?.request.allowed.includes("approve") === true,
  rejected: ({ sole }) => sole?.request.allowed.includes("reject") === true,
  continued: ({ isBreakpoint }) => isBreakpoint === true,
} satisfies Record<string, (question: Question) => boolean>;

/** The row that was clicked, else one that the person chooses among those that can be answered so. */
async function chooseWaiting(
  inbox: Inbox,
  node: unknown,
  done: keyof typeof fits | undefined,
): Promise<WaitingThread> {
  const named = threadOf(node);
  if (named !== undefined) {
    const found = inbox.find(named);
    if (found === undefined) throw new vscode.CancellationError();
    return found;
  }
  await inbox.load(true);
  const fitting = inbox.threads.filter(({ question }) => done === undefined || fits[done](question));
  if (fitting.length === 0) {
    const which = done === undefined ? "for you" : `that can be ${done} without opening it`;
    void showInformation(`Nothing waits ${which}.`);
    throw new vscode.CancellationError();
  }
  const choices = fitting.map((value) => {
    return { label: value.title, description: value.question.label, detail: value.place, value };
  });
  return askChoice({ title: "What waits for you" }, choices, { placeholder: "" });
}

/** Ends the pause without an answer, which is neither an approval nor a rejection. */
async function dismiss(services: Services, inbox: Inbox, thread: ThreadRef): Promise<void> {
  const { connectionId, server, threadId } = thread;
  if (server.kind !== "managedAgent")
    throw new NotPossibleError(
      "Only threads of managed agents can be dismissed.",
      "Open the thread and reject what it asks.",
    );
  const what = inbox.find(thread)?.question.label ?? services.threads.titleOf(thread);
  const detail =
    "This is neither an approval nor a rejection: what was asked is not run, the agent is told nothing, and the thread goes idle.";
  const act = { question: `Dismiss “${what}”?`, detail, verb: "Dismiss Without Running", always: true };
  await confirmAct(services.connections.resolve(connectionId), act);
  const api = await services.platforms.managedAgents(connectionId);
  await api.threads.resolveInterrupt(threadId);
  services.threads.notify({ kind: "continued", threads: [thread] });
}
