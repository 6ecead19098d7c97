/** Event names of the stream: a mode, and the namespace of the subgraph that it comes from. */

import { copyOf } from "./sharedText.ts";
import type { LaneId } from "../panel/transcript.ts";

/** `updates|researcher:<id>` is the mode `updates` in the lane `researcher:<id>`. */
export interface EventName {
  readonly mode: string;
  readonly lane: LaneId;
}

/** Splits event names, each only once. */
export class EventNames {
  readonly #known = new Map<string, EventName>();
  #lastEvent = "";
  #lastName: EventName = { mode: "", lane: "" };

  of(event: string): EventName {
    // Events of one name come in long rows.
    if (event === this.#lastEvent) return this.#lastName;
    const name = this.#known.get(event) ?? this.#learn(copyOf(event));
    this.#lastEvent = event;
    this.#lastName = name;
    return name;
  }

  #learn(event: string): EventName {
    const bar = event.indexOf("|");
    const lane = bar < 0 ? "" : event.slice(bar + 1);
    const name = { mode: bar < 0 ? event : event.slice(0, bar), lane };
    this.#known.set(event, name);
    return name;
  }
}

/** The path of the lane that contains this one; the root is its own parent. */
export function parentLane(lane: LaneId): LaneId {
  const bar = lane.lastIndexOf("|");
  return bar < 0 ? "" : lane.slice(0, bar);
}

/** The node that a lane's subgraph runs in: `a:1|web_researcher:<id>` is "web_researcher". */
export function laneName(lane: LaneId): string {
  const named = lane.split("|").findLast((segment) => !/^\d+$/.test(segment)) ?? lane;
  const colon = named.indexOf(":");
  return colon < 0 ? named : named.slice(0, colon);
}
