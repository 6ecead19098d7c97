/** Interrupts of a thread: each shown once, however often the server reports it. */

import type { Interrupt, Json } from "../../api/agentServer/wire.ts";
import { actionRequests } from "./humanReview.ts";
import { fieldOf, isObject, textOf } from "../json/json.ts";
import type { Draft, Ledger, Section } from "./ledger.ts";
import type { InterruptEntry, LaneId } from "../panel/transcript.ts";

type InterruptState = InterruptEntry["state"];

/** Keeps the interrupts of all runs of a thread, and what became of them. */
export class Interrupts {
  readonly #ledger: Ledger;
  readonly #known: InterruptDraft[] = [];

  constructor(ledger: Ledger) {
    this.#ledger = ledger;
  }

  /** Adds what the server reports, unless it is known; one that waits again is open again. */
  add(section: Section, runId: string | undefined, lane: LaneId, interrupt: Interrupt): void {
    const known = this.#find(interrupt);
    if (known === undefined) {
      this.#create(section, runId, lane, interrupt);
      return;
    }
    if (known.provisional) {
      known.provisional = false;
      known.runId = runId;
      known.lane = lane;
      this.#ledger.putLast(section, known);
      this.#ledger.touch(known);
    }
    if (known.lane === "" && lane !== "" && known.runId === runId) {
      known.lane = lane;
      this.#ledger.touch(known);
    }
    if (known.state !== "open" && known.state !== "sending" && known.runId !== runId)
      this.set(known.id, "open");
  }

  get(id: string): InterruptEntry | undefined {
    return this.#known.find((draft) => draft.id === id)?.build();
  }

  all(): readonly InterruptEntry[] {
    return this.#known.map((draft) => draft.build());
  }

  open(): readonly InterruptEntry[] {
    return this.#known
      .filter(({ state }) => state === "open" || state === "failed")
      .map((draft) => draft.build());
  }

  /** The server's id of an interrupt; undefined when it gave none. */
  serverId(id: string): string | undefined {
    return this.#known.find((draft) => draft.id === id)?.serverId;
  }

  set(id: string, state: InterruptState, answer?: string): void {
    const draft = this.#known.find((known) => known.id === id);
    if (draft === undefined || (draft.state === state && draft.answer === answer)) return;
    draft.state = state;
    draft.answer = answer;
    this.#ledger.touch(draft);
  }

  /**
   * Open interrupts that are not pending any more were answered elsewhere; pending ones are open,
   * and those that are new come to the end of the section.
   */
  reconcile(section: Section, runId: string | undefined, pending: readonly Interrupt[]): void {
    for (const interrupt of pending) {
      const known = this.#find(interrupt);
      if (known === undefined) this.#create(section, runId, "", interrupt).provisional = true;
      else if (known.provisional) this.#ledger.putLast(section, known);
    }
    const waiting = new Set(pending.map((interrupt) => this.#find(interrupt)));
    for (const draft of this.#known) {
      const isOpen = draft.state === "open" || draft.state === "failed";
      if (isOpen && !waiting.has(draft)) this.set(draft.id, "elsewhere");
      if ((draft.state === "elsewhere" || draft.state === "answered") && waiting.has(draft))
        this.set(draft.id, "open");
    }
  }

  #create(section: Section, runId: string | undefined, lane: LaneId, interrupt: Interrupt): InterruptDraft {
    const draft = new InterruptDraft(`${section.key}:${this.#known.length}`, runId, lane, interrupt);
    this.#known.push(draft);
    this.#ledger.add(section, draft);
    return draft;
  }

  #find(interrupt: Interrupt): InterruptDraft | undefined {
    if (interrupt.id !== undefined) return this.#known.find(({ serverId }) => serverId === interrupt.id);
    const value = JSON.stringify(interrupt.value);
    return this.#known.find((draft) => draft.serverId === undefined && JSON.stringify(draft.value) === value);
  }
}

/** Reads an interrupt; undefined when the value is none. */
export function interruptOf(value: Json): Interrupt | undefined {
  if (!isObject(value)) return undefined;
  const id = textOf(fieldOf(value, "id", "interrupt_id"));
  return { value: value["value"] ?? null, ...(id !== undefined && { id }) };
}

class InterruptDraft implements Draft {
  readonly id: string;
  readonly serverId: string | undefined;
  readonly value: Json;
  runId: string | undefined;
  lane: LaneId;
  /** Known from the thread's state only: the stream knows better where it belongs. */
  provisional = false;
  state: InterruptState = "open";
  answer: string | undefined;

  constructor(fallbackId: string, runId: string | undefined, lane: LaneId, interrupt: Interrupt) {
    this.serverId = interrupt.id;
    this.id = `interrupt:${interrupt.id ?? fallbackId}`;
    this.runId = runId;
    this.lane = lane;
    this.value = interrupt.value;
  }

  build(): InterruptEntry {
    const { id, runId, lane, value, state, answer } = this;
    return {
      kind: "interrupt",
      id,
      lane,
      requests: actionRequests(value),
      value,
      state,
      ...(runId !== undefined && { runId }),
      ...(answer !== undefined && { answer }),
    };
  }
}
