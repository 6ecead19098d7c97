/** Merges what a server keeps of a thread, its state and its history, into the transcript: each row where it belongs. */

import type { ThreadState } from "../../api/agentServer/wire.ts";
import type { KeptRun } from "../history/keptRuns.ts";
import type { KeptStep } from "../history/keptSteps.ts";
import { type ChatMessage, chatMessages, fingerprint } from "./chatMessage.ts";
import type { Conversation } from "./conversation.ts";
import { contentText, type MessageDraft } from "./drafts/messageDraft.ts";
import { isObject, textOf } from "../json/json.ts";
import type { Draft, Ledger, Section } from "./drafts/ledger.ts";
import { isOver, isWithin, type Scope } from "./drafts/runDraft.ts";
import type { RunFold, ThreadParts } from "./runFold.ts";
import type { StepDraft } from "./drafts/stepDraft.ts";
import { childLane, parentLane } from "./steps.ts";
import { stateMessages } from "./threadState.ts";
import type { ToolDraft } from "./drafts/toolDraft.ts";
import type { LaneId } from "../panel/transcript.ts";

type Row = MessageDraft | ToolDraft;

/**
 * Walks the state's messages in their order. Each one is found in the transcript by id, or by who said what;
 * a missing one comes right after the message before it, a person's one at the end of that message's run.
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
  const messages = stateMessages(state);
  const unfinished = unfinishedIn(messages, state);
  for (const message of messages) {
    if (unfinished.has(message) && conversation.messages.get(message.id) === undefined) continue;
    const before = new Map(rowsOf(conversation, message, used).map((row) => [row, wordsOf(row)]));
    const section = (anchor === undefined ? undefined : ledger.sectionOf(anchor)) ?? history;
    const draft = conversation.whole(
      { section, run: undefined, lane: "", at: undefined, from: "state" },
      message,
      used,
    );
    const rows = rowsOf(conversation, message, new Set(), draft).filter(
      (row) => ledger.sectionOf(row) !== undefined,
    );
    if (rows.some((row) => wordsOf(row) !== before.get(row))) changes += 1;
    // A tool's answer belongs to its call, which is in the transcript already.
    if (message.role === "tool" && before.size > 0) continue;
    for (const row of rows) {
      if (row.positionFrom === "state") put(ledger, row, anchor, history, message.role === "human");
      anchor = row;
    }
  }
  return changes;
}

/**
 * What nodes returned that are done while others beside them are not: the last of the messages. A server makes up an id of
 * some each time it is asked for the state: such a message is told by its stream and by the thread's history.
 */
function unfinishedIn(messages: readonly ChatMessage[], { tasks }: ThreadState): ReadonlySet<ChatMessage> {
  const all: unknown = tasks;
  const results = Array.isArray(all) ? (all as readonly (ThreadState["tasks"][number] | null)[]) : [];
  const left = results.flatMap((task) => {
    const result = task?.result;
    return isObject(result) ? chatMessages(result["messages"]) : [];
  });
  const unfinished = new Set<ChatMessage>();
  for (const message of messages.toReversed()) {
    const at = left.findIndex(({ id, ...said }) =>
      id === undefined ? fingerprint({ ...said, id }) === fingerprint(message) : id === message.id,
    );
    if (at < 0) continue;
    left.splice(at, 1);
    unfinished.add(message);
  }
  return unfinished;
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
  draft: MessageDraft | undefined = conversation.messages.find(message, "", undefined, used),
): readonly Row[] {
  const ids = message.role === "tool" ? [message.callId ?? ""] : message.calls.map(({ id }) => id);
  const rows: (Row | undefined)[] = [draft, ...ids.map((id) => conversation.tools.get(id, draft?.id))];
  return rows.filter((row) => row !== undefined);
}

function wordsOf(row: Row): string {
  const entry = row.build();
  return entry.kind === "message" ? entry.text : `${entry.id}\n${entry.result ?? ""}`;
}

/** What the server keeps of a run: of its graph, and of each subgraph that ran in it, by its namespace. */
export interface KeptFacts {
  readonly root: KeptRun;
  readonly lanes: ReadonlyMap<LaneId, KeptRun>;
  /** The subgraphs of which the server kept nothing, in this run or in an earlier one: `lanes` knows better. */
  readonly unkept: ReadonlySet<LaneId>;
}

/** The same facts give the same rows in the same order, however often and after whatever events they are merged. */
export function mergeKept(run: RunFold, parts: ThreadParts, { root, lanes, unkept }: KeptFacts): void {
  // What a subgraph said stands in its lane, also where the graph around it says it again.
  const innerFirst = [...lanes].sort(([one], [other]) => depthOf(other) - depthOf(one));
  const merged: Kept = { questions: new Set(), said: new Set() };
  for (const [lane, kept] of innerFirst) {
    const { steps } = lanes.get(parentLane(lane)) ?? root;
    const step = steps.find(({ taskId }) => lane.endsWith(`:${taskId}`));
    run.lanes.keep(lane, laneFacts(kept, step), { callId: callOf(step), task: taskOf(kept) });
    mergeLane(run, parts, lane, kept, merged);
  }
  if (root.isVain) parts.interrupts.wasVain(run.runId);
  mergeLane(run, parts, "", root, merged);
  putUnkept(run, parts, merged);
  run.keepSaid(merged.said);
  if (run.header.assign({ left: root.left })) parts.ledger.touch(run.header);
  for (const lane of run.lanes.paths().filter((path) => unkept.has(path) && !lanes.has(path))) {
    run.steps.setUnkept(lane);
    run.lanes.setUnkept(lane);
  }
  parts.ledger.nest(run.section, (row) => run.lanes.begunBy(row));
  if (root.stoppedBefore.length > 0) {
    const stop = parts.interrupts.stopped(run.section, run.runId, root.stoppedBefore);
    // The row of the stop comes last, in whatever order things arrived.
    parts.ledger.putLast(run.section, stop);
  } else if (root.end !== undefined && isOver(run.header.status)) parts.interrupts.notStopped(run.runId);
  const waits = root.steps.some(({ status }) => status === "interrupted");
  if (isOver(run.header.status) && !waits && root.end?.rest?.text !== undefined)
    run.outcome.result(root.end.rest);
}

/** What is kept of a run in all its lanes: the questions that were put below a step, and the messages. */
interface Kept {
  readonly questions: Set<Draft>;
  readonly said: Set<MessageDraft | undefined>;
}

function mergeLane(run: RunFold, parts: ThreadParts, lane: LaneId, kept: KeptRun, merged: Kept): void {
  const { conversation, interrupts } = parts;
  const scope = (head: Draft | undefined): Scope => {
    return { section: run.section, run: run.header, lane, at: undefined, head, from: "history" };
  };
  const head = lane === "" ? run.header : run.lanes.get(lane);
  for (const message of chatMessages(kept.input)) {
    // A subgraph may be given the whole conversation around it: that was said where it was said.
    const known = lane === "" ? undefined : conversation.messages.find(message, lane, run.runId);
    if (lane === "") merged.said.add(conversation.given(scope(head), message));
    else if (known === undefined || known.lane === lane || isWithin(known.lane, lane))
      merged.said.add(conversation.whole(scope(head), message));
  }
  // What is kept of the thread's own graph names its nodes, or a server that names none is not to be taken at its word.
  const shown = kept.steps.filter(({ node }) => node !== "" || lane !== "");
  const isLost = run.header.build().eventsLost === true;
  const rows = new Map(run.steps.keep(lane, shown, isLost).map((row, index) => [shown[index], row]));
  let newest = head;
  for (const step of kept.steps) {
    const row = rows.get(step);
    newest = row ?? newest;
    if (row !== undefined && step.status === "stopped") conversation.cutBelow(row);
    const messages = chatMessages(step.messages);
    const said: MessageDraft[] = [];
    for (const [at, message] of messages.entries()) {
      const known = row === undefined ? conversation.messages.find(message, lane, run.runId) : undefined;
      const stands = known && parts.ledger.headOf(known);
      // Its stream said which node it comes from, which is more than the server keeps.
      if (stands !== undefined && stands !== head) continue;
      const draft = conversation.kept(scope(newest), message, `${lane}|${step.taskId}#${at}`);
      merged.said.add(draft);
      if (draft === undefined) continue;
      said.push(draft);
      if (!step.isInState && message.id !== undefined) conversation.messages.leaveBehind(draft);
    }
    if (row === undefined) continue;
    if (messages.every(({ calls }) => calls.length === 0)) putInOrder(run.section, parts.ledger, row, said);
    for (const interrupt of step.questions) {
      const question =
        step.status === "stopped"
          ? interrupts.addAgain(run.section, run.runId, lane, interrupt)
          : interrupts.add(run.section, run.runId, lane, interrupt, "history");
      if (question?.runId !== run.runId || merged.questions.has(question)) continue;
      merged.questions.add(question);
      // A graph that a node calls by itself is not asked which of its steps asks: it is where it stopped.
      const inner = childLane(lane, step.node, step.taskId);
      const isInner = run.lanes.get(inner) !== undefined;
      if (isInner && !isWithin(question.lane, inner)) question.lane = inner;
      const asking = isInner ? (run.steps.lastIn(question.lane) ?? run.lanes.get(question.lane)) : row;
      parts.ledger.putBelow(run.section, asking ?? row, question);
      parts.ledger.touch(question);
    }
    noteEnd(run, step, row);
  }
  const unnamed = [...rows.values()].find((row) => row?.seen === false);
  if (isOver(run.header.status) && unnamed !== undefined) run.customs.placeLoose(lane, unnamed);
}

/** What was said below a step stands there in the order of the thread's state, whichever of it was known first. */
function putInOrder(section: Section, ledger: Ledger, step: Draft, said: readonly Draft[]): void {
  if (said.length < 2) return;
  const own = said.filter((draft) => ledger.headOf(draft) === step);
  const places = own.map((draft) => section.drafts.indexOf(draft));
  if (places.every((place, at) => place > (places[at - 1] ?? -1))) return;
  for (const draft of own) ledger.putBelow(section, step, draft);
}

/** What a run asked just when it was stopped is not kept: it was the last thing that happened in its graph. */
function putUnkept(
  { header, section, steps, runId }: RunFold,
  { interrupts, ledger }: ThreadParts,
  { questions }: Kept,
): void {
  if (!isOver(header.status) || header.status === "success") return;
  for (const question of interrupts.askedBy(runId)) {
    const last = questions.has(question) ? undefined : steps.lastIn(question.lane);
    if (last !== undefined) ledger.putBelow(section, last, question);
  }
}

function noteEnd(run: RunFold, step: KeptStep, row: StepDraft): void {
  if (step.lostQuestion) {
    const text = "It asked a question here that the server does not keep: it asked another one later.";
    run.outcome.note(row, { lane: row.lane, level: "info", text });
  }
  if (step.status === "error" && row.lane === "") {
    run.outcome.failedIn(row, step.error, step.isErrorUnsure);
  }
}

/** How a subgraph stands; where the server keeps only that its steps were done, as the step that it ran in. */
function laneFacts(
  { steps }: KeptRun,
  around: KeptStep | undefined,
): Parameters<RunFold["lanes"]["keep"]>[1] {
  const statuses = steps.map(({ status }) => status);
  const last = steps.at(-1);
  const worst = (["error", "interrupted", "running", "stopped"] as const).find((status) =>
    statuses.includes(status),
  );
  const isDone = worst === undefined || last?.status === "done";
  return {
    status: isDone ? (around?.status ?? "done") : worst,
    startedAt: steps[0]?.startedAt,
    endedAt: worst === "running" ? undefined : last?.endedAt,
  };
}

/** The tool call that a step answered, where it answered only one. */
function callOf(step: KeptStep | undefined): string | undefined {
  const calls = (step?.messages ?? []).flatMap((message) =>
    isObject(message) ? (textOf(message["tool_call_id"]) ?? []) : [],
  );
  return calls.length === 1 ? calls[0] : undefined;
}

/** What a subagent was told to do, which is all that it is given. */
function taskOf({ input }: KeptRun): string | undefined {
  const [given, ...others] = chatMessages(input);
  return given === undefined || others.length > 0 ? undefined : contentText(given.content);
}

function depthOf(lane: LaneId): number {
  return lane.split("|").length;
}
