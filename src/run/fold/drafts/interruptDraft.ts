/** A question while it still changes. */

import type { Interrupt, Json } from "../../../api/agentServer/wire.ts";
import { actionRequests, freeQuestion } from "./humanReview.ts";
import { isObject, sameJson } from "../../json/json.ts";
import type { Draft, Section } from "./ledger.ts";
import type { AnswerGiver, InterruptEntry, LaneId } from "../../panel/transcript.ts";

/** What a run was started with, as far as questions are concerned. */
export interface RunStart {
  readonly runId: string;
  /** The answer that it brings; undefined for none. */
  readonly resume: Json | undefined;
  /** Its input; null goes on from a breakpoint, undefined where the server does not say. */
  readonly input: Json | undefined;
  /** Who gave the answer; undefined for this window. */
  readonly giver: AnswerGiver | undefined;
}

/** What a run asks, or the breakpoint at which it stopped. */
export class InterruptDraft implements Draft {
  readonly id: string;
  readonly serverId: string | undefined;
  readonly value: Json;
  runId: string | undefined;
  lane: LaneId;
  /** Of a breakpoint: the nodes that come next. */
  next: readonly string[] | undefined;
  /** Known from the thread's state only: the stream knows better where it belongs. */
  provisional = false;
  /** It waits again after a run that was stopped with its answer: only as long as nobody goes on. */
  isAgain = false;
  state: InterruptEntry["state"] = "open";
  answer: string | undefined;
  /** The run that answered it or left it behind. */
  by: RunStart | undefined;

  constructor(
    id: string,
    runId: string | undefined,
    lane: LaneId,
    interrupt: Interrupt,
    next: readonly string[] | undefined,
  ) {
    this.id = id;
    this.serverId = interrupt.id;
    this.runId = runId;
    this.lane = lane;
    this.value = interrupt.value;
    this.next = next;
  }

  build(): InterruptEntry {
    const { id, runId, lane, value, state, answer, next, by } = this;
    const requests = actionRequests(value);
    const question = requests.length > 0 ? undefined : freeQuestion(value);
    const giver = state === "answered" ? by?.giver : undefined;
    return {
      kind: "interrupt",
      id,
      lane,
      requests,
      value,
      state,
      ...(runId !== undefined && { runId }),
      ...(question !== undefined && { question }),
      ...(next !== undefined && { next }),
      ...(answer !== undefined && { answer }),
      ...(giver !== undefined && { giver }),
    };
  }
}

/** The questions and breakpoints of a thread that are known, in the order in which they were told. */
export class KnownQuestions {
  readonly all: InterruptDraft[] = [];

  byId(id: string): InterruptDraft | undefined {
    return this.all.find((draft) => draft.id === id);
  }

  /** The newest question that says the same, of those that are meant. */
  find(
    { id, value }: Interrupt,
    isMeant: (draft: InterruptDraft) => boolean = () => true,
  ): InterruptDraft | undefined {
    return this.all.findLast(
      (draft) =>
        draft.next === undefined && draft.serverId === id && sameJson(draft.value, value) && isMeant(draft),
    );
  }

  /** Servers give the questions that one node asks one after the other the same id. */
  newId(section: Section, { id }: Interrupt): string {
    for (let count = id === undefined ? this.all.length : 0; ; count++) {
      const name = id === undefined ? `interrupt:${section.key}:${count}` : `interrupt:${id}`;
      const free = id === undefined || count === 0 ? name : `${name}:${count}`;
      if (this.byId(free) === undefined) return free;
    }
  }

  remove(draft: InterruptDraft): void {
    this.all.splice(this.all.indexOf(draft), 1);
  }
}

/** The form of the ids that the graph engine itself makes. */
const engineId = /^[0-9a-f]{32}$/;

/** Whether a run names the questions that it answers. */
export function isById({ resume }: RunStart, known: readonly InterruptDraft[]): boolean {
  if (!isObject(resume)) return false;
  const ids = Object.keys(resume);
  return (
    ids.length > 0 && ids.every((id) => engineId.test(id) || known.some(({ serverId }) => serverId === id))
  );
}

/** Whether a run brings an answer to the question with this id. */
export function isAnswerTo({ resume }: RunStart, id: string | undefined): boolean {
  return id !== undefined && isObject(resume) && Object.hasOwn(resume, id);
}

/** Whether it can be answered. */
export function isOpen({ state }: InterruptDraft): boolean {
  return state === "open" || state === "failed";
}

/** Whether it waits for an answer, or for what becomes of one. */
export function isPending(draft: InterruptDraft): boolean {
  return isOpen(draft) || draft.state === "sending";
}
