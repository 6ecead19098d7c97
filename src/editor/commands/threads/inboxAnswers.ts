/** Answers to waiting threads: what is about to be sent is shown first, and what could not be sent stays. */

import { fieldsText } from "../../../run/json/fieldsText.ts";
import type { ConnectionSetting } from "../../connections/connection.ts";
import { confirmTogether } from "../../connections/guard.ts";
import { isProtected } from "../../connections/mark.ts";
import { agentOf } from "../../inbox/arrangement.ts";
import { abortable } from "../../kit/notice.ts";
import { adviceFor, adviceText, NotPossibleError } from "../../kit/remedies.ts";
import { isCancellation } from "../../kit/report.ts";
import { counted, dotted, oneLine } from "../../kit/words.ts";
import type { Services } from "../../services.ts";
import type { WaitingThread } from "../../threads/waitingThread.ts";

/** A way to let threads go on. */
export interface Answer {
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
export async function answerAll(
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

function detailOf({ title, agent, question }: WaitingThread, message: string | undefined): string {
  const { details } = question;
  const shown = details.length > longestShown ? `${details.slice(0, longestShown)}…` : details;
  return [dotted([title, agent]), shown, toldText(message)].filter((part) => part !== "").join("\n\n");
}

/** What is sent, by connection. */
function summaryOf(
  threads: readonly WaitingThread[],
  connections: readonly ConnectionSetting[],
  message: string | undefined,
): string {
  const listed = threads.slice(0, mostListed);
  const places = [...Map.groupBy(listed, ({ ref }) => ref.connectionId)].map(([id, members]) => {
    const connection = connections.find((one) => one.id === id);
    const name = `${connection?.name ?? id}${isProtected(connection) ? " (protected)" : ""}`;
    return [`${name}:`, ...members.map(lineOf)].join("\n");
  });
  const rest = threads.length - listed.length;
  const others = rest === 0 ? "" : `and ${counted(rest, "other")}`;
  return [...places, others, toldText(message)].filter((part) => part !== "").join("\n\n");
}

function lineOf(thread: WaitingThread): string {
  const { question, title } = thread;
  const args = question.sole === undefined ? question.details : fieldsText(question.sole.request.args);
  // A field goes on where a line is indented.
  const fields = args.replaceAll(/\n\s+/g, " ").replaceAll("\n", ", ");
  const line = `• ${dotted([question.label, oneLine(fields), title, agentOf(thread)])}`;
  return line.length > longestLine ? `${line.slice(0, longestLine)}…` : line;
}

function toldText(message: string | undefined): string {
  return message === undefined || message === "" ? "" : `The agent is told: ${message}`;
}
