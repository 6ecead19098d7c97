/** Notices: what the transcript says that no agent said. */

import type { Draft, Ledger, Section } from "./ledger.ts";
import { redact } from "../json/redact.ts";
import { copyOf } from "../raw/sharedText.ts";
import type { LaneId, NoticeEntry } from "../panel/transcript.ts";

/** What is to be said; `detail` is evidence that a person may want to open. */
export type Notice = Pick<NoticeEntry, "level" | "text" | "detail"> & Partial<Pick<NoticeEntry, "lane">>;

const longestDetail = 4000;

/** Writes notices; those that repeat the one before them only raise its count. */
export class Notices {
  readonly #ledger: Ledger;
  #next = 1;

  constructor(ledger: Ledger) {
    this.#ledger = ledger;
  }

  add(section: Section, runId: string | undefined, notice: Notice): void {
    const tail = section.tails.get(notice.lane ?? "");
    if (tail instanceof NoticeDraft && tail.repeats(notice)) {
      tail.again(notice.detail);
      this.#ledger.touch(tail);
      return;
    }
    const id = `notice:${runId ?? "thread"}:${this.#next++}`;
    this.#ledger.add(section, new NoticeDraft(id, runId, notice));
  }
}

class NoticeDraft implements Draft {
  readonly id: string;
  readonly lane: LaneId;
  readonly #runId: string | undefined;
  readonly #notice: Notice;
  /** Evidence that was not read yet. */
  #data: string | undefined;
  #detail: string | undefined;
  #count = 1;

  constructor(id: string, runId: string | undefined, notice: Notice) {
    this.id = id;
    this.#runId = runId;
    this.lane = notice.lane ?? "";
    this.#notice = { level: notice.level, text: notice.text };
    this.#data = notice.detail;
  }

  repeats(notice: Notice): boolean {
    return this.#notice.level === notice.level && this.#notice.text === notice.text;
  }

  again(detail: string | undefined): void {
    this.#count += 1;
    this.#data = detail;
  }

  build(): NoticeEntry {
    if (this.#data !== undefined) this.#detail = copyOf(cut(redact(this.#data)));
    this.#data = undefined;
    const { id, lane } = this;
    const [runId, detail, count] = [this.#runId, this.#detail, this.#count];
    const { level, text } = this.#notice;
    return {
      kind: "notice",
      id,
      lane,
      level,
      text: count === 1 ? text : `${text} (${count} times)`,
      ...(runId !== undefined && { runId }),
      ...(detail !== undefined && { detail }),
    };
  }
}

function cut(text: string): string {
  return text.length <= longestDetail ? text : `${text.slice(0, longestDetail)}…`;
}
