/**
 * Answering what waits for a person without opening it, where the question is plain enough: what is about to be sent is
 * shown first, and what could not be sent stays.
 */

import * as vscode from "vscode";
import { fieldsText } from "../../../run/json/fieldsText.ts";
import type { Decision } from "../../../run/panel/transcript.ts";
import { type ConnectionSetting, threadOf, type ThreadRef } from "../../connections/connection.ts";
import { confirmAct, confirmTogether } from "../../connections/guard.ts";
import { isProtected } from "../../connections/mark.ts";
import type { WaitingThreadDocuments } from "../../documents/waitingThreads.ts";
import { agentOf } from "../../inbox/arrangement.ts";
import type { Inbox } from "../../inbox/inbox.ts";
import { rowsMeant } from "../../kit/ask/meant.ts";
import { askChoice, askText, type TextQuestion } from "../../kit/ask/questions.ts";
import type { CommandsOf } from "../../kit/commands.ts";
import { VIEWS } from "../../kit/ids.ts";
import { abortable, showInformation } from "../../kit/notice.ts";
import { adviceFor, adviceText, NotPossibleError } from "../../kit/remedies.ts";
import { isCancellation } from "../../kit/report.ts";
import { counted, dotted, oneLine, withoutIcons } from "../../kit/words.ts";
import type { RunPanels } from "../../runPanel/runPanels.ts";
import type { Services } from "../../services.ts";
import type { Question, WaitingThread } from "../../threads/waitingThread.ts";
import type { Views } from "../../views/index.ts";
import { clearInboxFilter, filterInbox, groupInbox } from "./inboxFilters.ts";

/** What the commands open, and where threads can be selected. */
interface InboxSurfaces {
  readonly views: Pick<Views, "inbox">;
  readonly panels: RunPanels;
  readonly waiting: WaitingThreadDocuments;
}

/** The commands of the Inbox view and its rows. */
export function commands(services: Services, surfaces: InboxSurfaces): CommandsOf<"inbox"> {
  const { inbox, sessions } = services;
  const { views, panels, waiting } = surfaces;
  const preview = async (node: unknown): Promise<void> => {
    const thread = threadOf(node);
    if (thread !== undefined) await waiting.show(thread);
  };
  const choose = (args: readonly unknown[], done?: Done): Promise<readonly WaitingThread[]> =>
    chooseWaiting(inbox, views.inbox, args, done);
  const decide = async ({ ref, question: { sole } }: WaitingThread, decision: Decision): Promise<void> => {
    if (sole === undefined)
      throw new NotPossibleError("The thread asks more than one thing.", "Open it, and answer there.");
    await sessions.decide(ref, sole, decision);
  };
  return {
    "agentOperations.inbox.refresh": () => views.inbox.refresh(),
    "agentOperations.inbox.loadMore": () => inbox.loadMore(),
    "agentOperations.inbox.group": () => groupInbox(inbox),
    "agentOperations.inbox.filter": () => filterInbox(inbox),
    "agentOperations.inbox.clearFilter": () => clearInboxFilter(inbox),
    "agentOperations.inbox.next": async () => preview(await views.inbox.selectNext()),
    "agentOperations.inbox.preview": preview,
    "agentOperations.inbox.approve": async (...args) => {
      const send = (thread: WaitingThread): Promise<void> => decide(thread, { type: "approve" });
      const threads = await choose(args, "approve");
      await answerAll(services, threads, { verb: "Approve", always: !waiting.isInSight(threads), send });
    },
    "agentOperations.inbox.reject": async (...args) => {
      const threads = await choose(args, "reject");
      const message = await askMessage(inbox, threads, "Reject", {
        prompt: "The agent is told this. It may be left empty.",
        placeholder: "Why not?",
      });
      const rejection: Decision = { type: "reject", ...(message !== "" && { message }) };
      const send = (thread: WaitingThread): Promise<void> => decide(thread, rejection);
      await answerAll(services, threads, { verb: "Reject", message, always: false, send });
    },
    "agentOperations.inbox.respond": async (...args) => {
      const threads = await choose(args, "respond");
      const message = await askMessage(inbox, threads, "Respond to", {
        prompt: "The agent gets this in place of what the tool would give.",
        problem: (text) => (text === "" ? "Write what the agent is told." : undefined),
      });
      const send = (thread: WaitingThread): Promise<void> => decide(thread, { type: "respond", message });
      await answerAll(services, threads, { verb: "Respond", message, always: false, send });
    },
    "agentOperations.inbox.continue": async (...args) => {
      const send = ({ ref }: WaitingThread): Promise<void> => sessions.continue(ref);
      const threads = await choose(args, "continue");
      await answerAll(services, threads, { verb: "Continue", always: !waiting.isInSight(threads), send });
    },
    "agentOperations.inbox.answer": async (...args) => {
      const [first] = await choose(args);
      if (first !== undefined) panels.open(first.ref);
    },
    "agentOperations.inbox.dismiss": async (node) => {
      const thread = threadOf(node) ?? panels.active;
      if (thread !== undefined) await dismiss(services, inbox, thread);
    },
  };
}

/** What can be done about a waiting thread without opening it. */
const fits = {
  approve: ({ sole }) => sole?.request.allowed.includes("approve") === true,
  reject: ({ sole }) => sole?.request.allowed.includes("reject") === true,
  respond: ({ sole }) => sole?.request.allowed.includes("respond") === true,
  continue: ({ isBreakpoint }) => isBreakpoint === true,
} satisfies Record<string, (question: Question) => boolean>;

type Done = keyof typeof fits;

const past: Readonly<Record<Done, string>> = {
  approve: "approved",
  reject: "rejected",
  respond: "responded to",
  continue: "continued",
};

/** The rows that are meant as far as they can be answered so, else one that the person chooses among those. */
async function chooseWaiting(
  inbox: Inbox,
  view: Views["inbox"],
  args: readonly unknown[],
  done: Done | undefined,
): Promise<readonly WaitingThread[]> {
  const isFit = ({ question }: WaitingThread): boolean => done === undefined || fits[done](question);
  // A key that follows the one for the next thread at once means that thread, which is not selected yet.
  const next = Array.isArray(args[0]) ? await view.selecting() : undefined;
  const selection = { viewId: VIEWS.inbox, rows: view.selectedThreads };
  const named = next === undefined ? rowsMeant(args, threadOf, [selection]) : [next];
  if (named !== undefined) {
    const found = named.flatMap((thread) => inbox.find(thread) ?? []);
    if (found.length === 0) throw new vscode.CancellationError();
    const fitting = found.filter(isFit);
    if (fitting.length > 0 || done === undefined) return fitting;
    throw new NotPossibleError(
      `What ${found.length === 1 ? "the thread asks" : "these threads ask"} can't be ${past[done]} without opening it.`,
      "Open the thread, and answer there.",
    );
  }
  await inbox.load(true);
  const fitting = inbox.threads.filter(isFit);
  if (fitting.length === 0) {
    const which = done === undefined ? "for you" : `that can be ${past[done]} without opening it`;
    void showInformation(`Nothing waits ${which}.`);
    throw new vscode.CancellationError();
  }
  const choices = fitting.map((value) => {
    const { connection, question, title } = value;
    return {
      label: withoutIcons(`${connection} · ${question.label}`),
      description: withoutIcons(title),
      detail: withoutIcons(agentOf(value)),
      value,
    };
  });
  return [await askChoice({ title: "What waits for you" }, choices, { placeholder: "" })];
}

/** A way to let threads go on. */
interface Answer {
  /** "Approve". */
  readonly verb: string;
  /** What a person wrote to the agent. */
  readonly message?: string;
  /** Whether it is asked about on a connection that is not protected, too: what is sent was not in sight. */
  readonly always: boolean;
  readonly send: (thread: WaitingThread) => Promise<void>;
}

/** More than this of a question does not fit a dialog. */
const longestShown = 1200;
const longestLine = 160;
const mostListed = 20;
const sentAtOnce = 6;

/** Shows what will be sent where, and sends it; throws when some of it could not be sent. */
async function answerAll(
  services: Services,
  threads: readonly WaitingThread[],
  answer: Answer,
): Promise<void> {
  const connections = threads.map(({ ref }) => services.connections.resolve(ref.connectionId));
  const [only] = threads;
  const isOne = threads.length === 1 && only !== undefined;
  const { verb } = answer;
  await confirmTogether(connections, {
    question: isOne ? `${verb} “${only.question.label}”?` : `${verb} ${counted(threads.length, "thread")}?`,
    detail: isOne ? detailOf(only, answer.message) : summaryOf(threads, connections, answer.message),
    verb: isOne ? verb : `${verb} ${String(threads.length)}`,
    always: answer.always || !isOne,
  });
  const send = async (signal?: AbortSignal, report?: (text: string) => void): Promise<readonly unknown[]> => {
    const errors: unknown[] = [];
    for (let start = 0; start < threads.length && signal?.aborted !== true; start += sentAtOnce) {
      report?.(`${String(start)} of ${String(threads.length)}`);
      const slice = threads.slice(start, start + sentAtOnce);
      const sent = await Promise.all(slice.map((thread) => sendOne(services, thread, answer)));
      errors.push(...sent.filter((error) => error !== undefined));
    }
    return errors;
  };
  const errors = isOne
    ? await send()
    : await abortable(`${verb}: ${counted(threads.length, "thread")}`, (signal, report) =>
        send(signal, report),
      );
  const first = errors.find((error) => !isCancellation(error));
  if (first === undefined) return;
  if (isOne && first instanceof Error) throw first;
  const { message, remedy } = adviceFor(first);
  throw new NotPossibleError(
    `${String(errors.length)} of ${String(threads.length)} answers were not sent. ${adviceText({ message, remedy })}`,
    "They stay in the Inbox.",
  );
}

/** Why it could not be sent, if so. */
async function sendOne(services: Services, thread: WaitingThread, answer: Answer): Promise<unknown> {
  const { inbox } = services;
  try {
    await answer.send(thread);
    inbox.noteSent(thread.ref);
    return undefined;
  } catch (error) {
    if (isCancellation(error)) return error;
    const { message } = answer;
    const reason = adviceFor(error).message;
    inbox.noteSent(thread.ref, { reason, ...(message !== undefined && { message }) });
    return error;
  }
}

/** Asks what an agent is told; what could not be sent before stands there again. */
function askMessage(
  inbox: Inbox,
  threads: readonly WaitingThread[],
  verb: string,
  question: TextQuestion,
): Promise<string> {
  const [first, ...others] = threads;
  const what =
    first === undefined || others.length > 0 ? counted(threads.length, "thread") : first.question.label;
  const value = first === undefined ? undefined : inbox.unsent(first.ref)?.message;
  return askText({ title: `${verb} ${what}` }, { ...question, ...(value !== undefined && { value }) });
}

/** Ends the pause without an answer, which is neither an approval nor a rejection. */
async function dismiss(services: Services, inbox: Inbox, thread: ThreadRef): Promise<void> {
  const { connectionId, server } = thread;
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
  await services.managedThreads.dismiss(thread);
}

/** What is asked, and what the agent is told. */
export function detailOf({ title, agent, question }: WaitingThread, message: string | undefined): string {
  const { details } = question;
  const shown = details.length > longestShown ? `${details.slice(0, longestShown)}…` : details;
  return [dotted([title, agent]), shown, noteForAgent(message)].filter((part) => part !== "").join("\n\n");
}

/** What is sent, by connection. */
export function summaryOf(
  threads: readonly WaitingThread[],
  connections: readonly ConnectionSetting[],
  message: string | undefined,
): string {
  const listed = threads.slice(0, mostListed);
  const groups = [...Map.groupBy(listed, ({ ref }) => ref.connectionId)].map(([id, members]) => {
    const connection = connections.find((one) => one.id === id);
    const name = `${connection?.name ?? id}${isProtected(connection) ? " (protected)" : ""}`;
    return [`${name}:`, ...members.map(lineOf)].join("\n");
  });
  const rest = threads.length - listed.length;
  const others = rest === 0 ? "" : `and ${counted(rest, "other")}`;
  return [...groups, others, noteForAgent(message)].filter((part) => part !== "").join("\n\n");
}

function lineOf(thread: WaitingThread): string {
  const { question, title } = thread;
  const args = question.sole === undefined ? question.details : fieldsText(question.sole.request.args);
  // A field goes on where a line is indented.
  const fields = args.replaceAll(/\n\s+/g, " ").replaceAll("\n", ", ");
  const line = `• ${dotted([question.label, oneLine(fields), title, agentOf(thread)])}`;
  return line.length > longestLine ? `${line.slice(0, longestLine)}…` : line;
}

function noteForAgent(message: string | undefined): string {
  return message === undefined || message === "" ? "" : `The agent is told: ${message}`;
}
