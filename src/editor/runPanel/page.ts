/**
 * The way to the panel's page and back. What goes to it is paced: text that streams leaves at once, all else waits a
 * moment for what follows; only a few patches are on their way at once, and the next one holds all that came meanwhile.
 */

import type { PanelState, ToWebview } from "../../run/panel/messages.ts";
import type { Entry, TranscriptPatch } from "../../run/panel/transcript.ts";

/** Where the page's data comes from. */
export interface PostSource {
  readonly state: PanelState;
  readonly entries: readonly Entry[];
  /** How many events were received so far. */
  readonly events: number;
  /** Whether text that a person watches being written is among what changed. */
  readonly streams: boolean;
  /** What changed since it was last asked; undefined when nothing did. */
  takePatch(): TranscriptPatch | undefined;
}

/** While the page paints one, the next are on their way. */
const mostUnpainted = 4;
/**
 * How long what is no streaming text waits for what follows, in milliseconds. The first token comes a few milliseconds
 * after its run began: a page that draws the beginning alone would make it wait.
 */
const restMs = 20;

/** One page's side of a transcript; made anew when the page is. */
export class Post {
  readonly #source: PostSource;
  readonly #send: (message: ToWebview) => void;
  #revision = 0;
  /** The latest revision that the page has painted. */
  #painted = 0;
  #ready = false;
  #state = "";
  #due: NodeJS.Timeout | undefined;

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

  /** Something changed: it leaves now or in a moment if the page keeps up, else with the next `painted`. */
  changed(): void {
    if (this.#source.streams) this.#flush();
    else this.#due ??= setTimeout(() => this.#flush(), restMs);
  }

  /** The page is gone. */
  dispose(): void {
    clearTimeout(this.#due);
    this.#ready = false;
  }

  #flush(): void {
    clearTimeout(this.#due);
    this.#due = undefined;
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
