/**
 * The way to the panel's page and back. What goes to it is paced: only a few patches are on their way at once, and the
 * next one holds all that came meanwhile.
 */

import type { PanelState, ToWebview } from "../../run/panel/messages.ts";
import type { Entry, TranscriptPatch } from "../../run/panel/transcript.ts";

/** Where the page's data comes from. */
export interface PostSource {
  readonly state: PanelState;
  readonly entries: readonly Entry[];
  /** How many events were received so far. */
  readonly events: number;
  /** What changed since it was last asked; undefined when nothing did. */
  takePatch(): TranscriptPatch | undefined;
}

/**
 * That a run begins, that it runs and its first token are three patches within milliseconds, and none of them is to wait
 * until the page has painted another. One more is painted meanwhile.
 */
const mostUnpainted = 4;

/** One page's side of a transcript; made anew when the page is. */
export class Post {
  readonly #source: PostSource;
  readonly #send: (message: ToWebview) => void;
  #revision = 0;
  /** The latest revision that the page has painted. */
  #painted = 0;
  #ready = false;
  #state = "";

  constructor(source: PostSource, send: (message: ToWebview) => void) {
    this.#source = source;
    this.#send = send;
  }

  /** The page is there, for the first time, or again after it was hidden or moved: it gets everything. */
  ready(): void {
    this.#ready = true;
    // A snapshot holds what the next patch would have brought.
    this.#source.takePatch();
    this.#revision += 1;
    // Nothing goes on top of a snapshot, which may be large, before it is there.
    this.#painted = this.#revision - mostUnpainted;
    const { state, entries } = this.#source;
    this.#state = textOf(state);
    this.#send({ type: "snapshot", revision: this.#revision, state, entries });
  }

  /** The page painted a revision. */
  painted(revision: number): void {
    if (revision <= this.#painted || revision > this.#revision) return;
    this.#painted = revision;
    this.changed();
  }

  /** Something changed: it leaves now if the page keeps up, else with the next `painted`. */
  changed(): void {
    if (!this.#ready || this.#revision - this.#painted >= mostUnpainted) return;
    this.#postState();
    const patch = this.#source.takePatch();
    if (patch === undefined) return;
    this.#revision += 1;
    this.#send({ type: "patch", revision: this.#revision, patch, events: this.#source.events });
  }

  #postState(): void {
    const { state } = this.#source;
    const text = textOf(state);
    if (text === this.#state) return;
    this.#state = text;
    this.#send({ type: "state", state });
  }
}

/** The count of events goes with each patch and is no reason for a message of its own. */
function textOf(state: PanelState): string {
  return JSON.stringify({ ...state, events: 0 });
}
