/** What is about to be sent to waiting threads, in words. */

import { fieldsText } from "../../../run/json/fieldsText.ts";
import type { ConnectionSetting } from "../../connections/connection.ts";
import { isProtected } from "../../connections/mark.ts";
import { agentOf } from "../../inbox/arrangement.ts";
import { counted, dotted, oneLine } from "../../kit/words.ts";
import type { WaitingThread } from "../../threads/waitingThread.ts";

/** More than this of a question does not fit a dialog. */
const longestShown = 1200;
const longestLine = 160;
const mostListed = 20;

/** What is asked, and what the agent is told. */
export function detailOf({ title, agent, question }: WaitingThread, message: string | undefined): string {
  const { details } = question;
  const shown = details.length > longestShown ? `${details.slice(0, longestShown)}…` : details;
  return [dotted([title, agent]), shown, toldText(message)].filter((part) => part !== "").join("\n\n");
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
  return [...groups, others, toldText(message)].filter((part) => part !== "").join("\n\n");
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
