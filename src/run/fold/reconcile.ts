/** Merges a thread's state into its transcript: what the stream did not bring is put where it belongs. */

import type { ThreadState } from "../../api/agentServer/wire.ts";
import type { ChatMessage } from "./chatMessage.ts";
import type { Conversation, MessageDraft } from "./conversation.ts";
import type { Ledger, Section } from "./ledger.ts";
import { stateMessages } from "./threadState.ts";
import type { ToolDraft } from "./toolCalls.ts";

type Row = MessageDraft | ToolDraft;

/**
 * Walks the state's messages in their order. Each one is found in the transcript by id, or by who said what;
 * a missing one comes right behind the message before it, a person's one at the end of that message's run.
 * Returns how many messages were missing or had other words.
 */
export function reconcile(
  state: ThreadState,
  conversation: Conversation,
  ledger: Ledger,
  history: Section,
): number {
  const used = new Set<MessageDraft>();
  let anchor: Row | undefined;
  let changes = 0;
  for (const message of stateMessages(state)) {
    const before = rowsOf(conversation, message, used).map(wordsOf);
    const section = (anchor === undefined ? undefined : ledger.sectionOf(anchor)) ?? history;
    const draft = conversation.whole(
      { section, run: undefined, lane: "", at: undefined, settled: true },
      message,
      used,
    );
    const rows = rowsOf(conversation, message, new Set(), draft).filter(
      (row) => ledger.sectionOf(row) !== undefined,
    );
    if (rows.some((row, index) => wordsOf(row) !== before[index])) changes += 1;
    // A tool's answer belongs to its call, which is in the transcript already.
    if (message.role === "tool" && before.length > 0) continue;
    for (const row of rows) {
      if (row.provisional) put(ledger, row, anchor, history, message.role === "human");
      anchor = row;
    }
  }
  return changes;
}

function put(ledger: Ledger, row: Row, anchor: Row | undefined, history: Section, startsRun: boolean): void {
  const section = anchor === undefined ? undefined : ledger.sectionOf(anchor);
  if (anchor === undefined || section === undefined) ledger.putFirst(history, row);
  else if (startsRun) ledger.putLast(section, row);
  else ledger.putAfter(anchor, row);
}

/** The rows that show a message: its text, its tool calls; of a tool's answer the call that it answers. */
function rowsOf(
  conversation: Conversation,
  message: ChatMessage,
  used: ReadonlySet<MessageDraft>,
  draft: MessageDraft | undefined = conversation.find(message, "", undefined, used),
): readonly Row[] {
  const ids = message.role === "tool" ? [message.callId ?? ""] : message.calls.map(({ id }) => id);
  const rows: (Row | undefined)[] = [draft, ...ids.map((id) => conversation.tools.get(id))];
  return rows.filter((row) => row !== undefined);
}

function wordsOf(row: Row): string {
  const entry = row.build();
  return entry.kind === "message" ? entry.text : `${entry.id}\n${entry.result ?? ""}`;
}
