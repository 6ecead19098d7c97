/** What the transcript shows that nobody said: notices, what a server says about a failed run, and custom events, collapsed so that a flood of them stays one row. */

import type { Json } from "../../api/agentServer/wire.ts";
import { isObject, parseJson, textOf } from "../json/json.ts";
import type { Draft, Ledger, Section } from "./drafts/ledger.ts";
import { redact } from "../json/redact.ts";
import { copyOf } from "../raw/sharedText.ts";
import type { CustomEntry, LaneId, NoticeEntry } from "../panel/transcript.ts";

/** What is to be said; `detail` is evidence that a person may want to open. */
export type Notice = Pick<NoticeEntry, "level" | "text" | "detail" | "node"> &
  Partial<Pick<NoticeEntry, "lane">>;

const longestDetail = 4000;

/** Writes notices; those that repeat the one before them only raise its count. */
export class Notices {
  readonly #ledger: Ledger;
  #next = 1;

  constructor(ledger: Ledger) {
    this.#ledger = ledger;
  }

  add(section: Section, runId: string | undefined, notice: Notice, head?: Draft): NoticeDraft {
    const tail = section.tails.get(notice.lane ?? "");
    if (tail instanceof NoticeDraft && tail.repeats(notice)) {
      tail.again(notice.detail);
      this.#ledger.touch(tail);
      return tail;
    }
    const id = `notice:${runId ?? "thread"}:${this.#next++}`;
    const draft = new NoticeDraft(id, runId, notice);
    this.#ledger.add(section, draft, head);
    return draft;
  }
}

/** One notice. */
export class NoticeDraft implements Draft {
  readonly id: string;
  readonly lane: LaneId;
  readonly #runId: string | undefined;
  #notice: Notice;
  /** Evidence that was not read yet. */
  #data: string | undefined;
  #detail: string | undefined;
  #count = 1;

  constructor(id: string, runId: string | undefined, notice: Notice) {
    this.id = id;
    this.#runId = runId;
    this.lane = notice.lane ?? "";
    const { level, text, node } = notice;
    this.#notice = { level, text, ...(node !== undefined && { node }) };
    this.#data = notice.detail;
  }

  repeats(notice: Notice): boolean {
    return this.#notice.level === notice.level && this.#notice.text === notice.text;
  }

  again(detail: string | undefined): void {
    this.#count += 1;
    this.#data = detail;
  }

  /** It is why a node failed; false when it says so already. */
  fail({ text, detail }: Pick<Notice, "text" | "detail">, node: string | undefined): boolean {
    if (this.#notice.node === node && this.#notice.text === text) return false;
    this.#notice = { level: "error", text, ...(node !== undefined && { node }) };
    if (detail !== undefined) this.#data = detail;
    return true;
  }

  build(): NoticeEntry {
    if (this.#data !== undefined) this.#detail = copyOf(cut(redact(this.#data)));
    this.#data = undefined;
    const { id, lane } = this;
    const [runId, detail, count] = [this.#runId, this.#detail, this.#count];
    const { level, text, node } = this.#notice;
    return {
      kind: "notice",
      id,
      lane,
      level,
      text: count === 1 ? text : `${text} (${count} times)`,
      ...(runId !== undefined && { runId }),
      ...(detail !== undefined && { detail }),
      ...(node !== undefined && { node }),
    };
  }
}

function cut(text: string): string {
  return text.length <= longestDetail ? text : `${text.slice(0, longestDetail)}…`;
}

/** The line, and the whole error as JSON where there is more to it. */
export interface RunFailure {
  readonly text: string;
  readonly detail?: string;
}

/** Reads an error event's data or a task's error: an object, its JSON in a string, or a bare string. */
export function failureText(value: Json): RunFailure {
  const error = unwrapped(value);
  if (!isObject(error))
    return { text: typeof error === "string" && error !== "" ? error : "The run failed." };
  const name = textOf(error["error"]) ?? textOf(error["name"]);
  const message = textOf(error["message"]) ?? textOf(error["detail"]);
  if (message === "rollback") return { text: "The run was rolled back." };
  const text = message === undefined ? (name ?? "The run failed.") : withName(name, message);
  const [first = text, ...others] = text.split("\n");
  // Servers order and name the parts of one error differently, in an event and in a state.
  const more = Object.entries(error).filter(([key]) => !["error", "name", "message"].includes(key));
  return {
    text: others.length === 0 ? first : `${first} …`,
    detail: JSON.stringify({ name, message, ...Object.fromEntries(more) }),
  };
}

function withName(name: string | undefined, message: string): string {
  return name === undefined || name === "Error" || message.startsWith(name) ? message : `${name}: ${message}`;
}

/** Some servers put the error as JSON into the message, or into a string. */
function unwrapped(value: Json): Json {
  if (typeof value === "string") {
    const inner = parseJson(value);
    return isObject(inner) || typeof inner === "string" ? unwrapped(inner) : value;
  }
  if (!isObject(value) || typeof value["message"] !== "string") return value;
  const inner = parseJson(value["message"]);
  return isObject(inner) && inner["message"] !== undefined ? unwrapped(inner) : value;
}

/** Collects the custom events of one run. */
export class Customs {
  readonly #ledger: Ledger;
  readonly #section: Section;
  readonly #runId: string;
  readonly #rows: CustomDraft[] = [];

  constructor(ledger: Ledger, section: Section, runId: string) {
    this.#ledger = ledger;
    this.#section = section;
    this.#runId = runId;
  }

  /** Puts what came of a lane and no step was known to send below a step that is now. */
  placeLoose(lane: LaneId, head: Draft): void {
    for (const row of this.#rows)
      if (row.lane === lane && this.#ledger.headOf(row) === undefined)
        this.#ledger.putBelow(this.#section, head, row);
  }

  /** Adds an event to the lane's newest row if that is one of custom events below the same head, else begins one. */
  add(lane: LaneId, data: string, index: number, head: Draft | undefined): void {
    const tail = this.#ledger.tailOf(this.#section, lane, head);
    if (tail instanceof CustomDraft && this.#ledger.headOf(tail) === head) {
      tail.count += 1;
      tail.data = data;
      this.#ledger.touch(tail);
      return;
    }
    const row = new CustomDraft(this.#runId, lane, data, index);
    this.#rows.push(row);
    this.#ledger.add(this.#section, row, head);
  }
}

class CustomDraft implements Draft {
  readonly id: string;
  readonly lane: LaneId;
  count = 1;
  /** The latest event, until it is read. */
  data: string | undefined;
  #latest: Json = null;
  readonly #runId: string;
  readonly #firstEvent: number;

  constructor(runId: string, lane: LaneId, data: string, firstEvent: number) {
    this.id = `custom:${runId}:${firstEvent}`;
    this.#runId = runId;
    this.lane = lane;
    this.data = data;
    this.#firstEvent = firstEvent;
  }

  build(): CustomEntry {
    if (this.data !== undefined) {
      const text = redact(this.data);
      this.#latest = parseJson(text) ?? copyOf(text);
      this.data = undefined;
    }
    const { id, lane, count } = this;
    const [runId, latest, firstEvent] = [this.#runId, this.#latest, this.#firstEvent];
    return { kind: "custom", id, runId, lane, count, latest, firstEvent };
  }
}
