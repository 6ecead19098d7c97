/** Asking which waiting threads are wanted, and by what they are grouped. */

import * as vscode from "vscode";
import { agentOf, type InboxArrangement, type InboxGrouping, wanted } from "../../inbox/arrangement.ts";
import type { Inbox } from "../../inbox/inbox.ts";
import { askChoice, askText, type Choice } from "../../kit/ask/questions.ts";
import { counted, withoutIcons } from "../../kit/words.ts";
import type { WaitingThread } from "../../threads/waitingThread.ts";

/** Groups the threads, or no more. */
export async function groupInbox(inbox: Inbox): Promise<void> {
  const { group, ...others } = inbox.arrangement;
  const choices: readonly Choice<InboxGrouping | undefined>[] = [
    { label: "Oldest First, without Groups", value: undefined },
    { label: "By Connection", value: "connection" },
    { label: "By Agent", value: "agent" },
    { label: "By Tool", description: "by the action that is asked for", value: "tool" },
  ];
  const question = { placeholder: "How are waiting threads grouped?", active: group };
  const chosen = await askChoice({ title: "Group Inbox" }, choices, question);
  await inbox.arrange({ ...others, ...(chosen !== undefined && { group: chosen }) });
}

/** Sets one condition beside those that hold, or takes it away. */
export async function filterInbox(inbox: Inbox): Promise<void> {
  const { arrangement } = inbox;
  const title = "Filter Inbox";
  const chosen = await askChoice({ title }, choicesFor(inbox.threads, arrangement), {
    placeholder: "Which waiting threads?",
  });
  if (chosen !== "text") {
    await inbox.arrange(chosen);
    return;
  }
  const prompt = "Words of the title, the question, its arguments, the agent or the connection.";
  const text = await askText({ title }, { prompt, placeholder: "refund", value: arrangement.text ?? "" });
  await inbox.arrange(withCondition(arrangement, "text", text === "" ? undefined : text));
}

/** Shows all threads; the groups stay. */
export async function clearInboxFilter(inbox: Inbox): Promise<void> {
  const { group } = inbox.arrangement;
  await inbox.arrange(group === undefined ? {} : { group });
}

type Chosen = InboxArrangement | "text";

function choicesFor(
  threads: readonly WaitingThread[],
  arrangement: InboxArrangement,
): readonly (Choice<Chosen> | vscode.QuickPickItem)[] {
  const of = (
    name: "connectionId" | "agent" | "tool",
    heading: string,
    values: readonly (readonly [value: string, label: string])[],
  ): readonly (Choice<Chosen> | vscode.QuickPickItem)[] => {
    const known = [...new Map(values)];
    if (known.length < 2 && arrangement[name] === undefined) return [];
    return [
      { label: heading, kind: vscode.QuickPickItemKind.Separator },
      ...known.map(([value, label]) => {
        const isOn = arrangement[name] === value;
        const next = withCondition(arrangement, name, isOn ? undefined : value);
        const count = wanted(threads, { [name]: value }).length;
        const mark = isOn ? "$(check) " : "";
        const description = isOn ? "shown; choose it to show all" : counted(count, "waiting", "waiting");
        return { label: `${mark}${withoutIcons(label)}`, description, value: next };
      }),
    ];
  };
  const words = arrangement.text ?? "";
  return [
    { label: "$(search) Words…", description: words === "" ? "" : `“${words}”`, value: "text" },
    ...of(
      "connectionId",
      "Connection",
      threads.map(({ ref, connection }) => [ref.connectionId, connection]),
    ),
    ...of(
      "agent",
      "Agent",
      threads.map((thread) => [agentOf(thread), agentOf(thread)]),
    ),
    ...of(
      "tool",
      "Tool",
      threads.flatMap(({ question }) => question.tools.map((tool) => [tool, tool] as const)),
    ),
  ];
}

function withCondition(
  arrangement: InboxArrangement,
  name: "connectionId" | "agent" | "tool" | "text",
  value: string | undefined,
): InboxArrangement {
  const others = Object.entries(arrangement).filter(([other]) => other !== name);
  return { ...Object.fromEntries(others), ...(value !== undefined && { [name]: value }) };
}
