/** Custom events: whatever a graph writes, collapsed so that a flood of them stays one row. */

import type { Json } from "../../api/agentServer/wire.ts";
import { parseJson } from "../json/json.ts";
import type { Draft, Ledger, Section } from "./ledger.ts";
import { redact } from "../json/redact.ts";
import { copyOf } from "../raw/sharedText.ts";
import type { CustomEntry, LaneId } from "../panel/transcript.ts";

/** Collects the custom events of one run. */
export class Customs {
  readonly #ledger: Ledger;
  readonly #section: Section;
  readonly #runId: string;

  constructor(ledger: Ledger, section: Section, runId: string) {
    this.#ledger = ledger;
    this.#section = section;
    this.#runId = runId;
  }

  /** Adds an event to the lane's newest row if that is one of custom events, else begins one. */
  add(lane: LaneId, data: string, index: number): void {
    const tail = this.#section.tails.get(lane);
    if (tail instanceof CustomDraft) {
      tail.count += 1;
      tail.data = data;
      this.#ledger.touch(tail);
    } else this.#ledger.add(this.#section, new CustomDraft(this.#runId, lane, data, index));
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
