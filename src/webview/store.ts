/** The page's copy of the panel: snapshots and patches in, one immutable view per painted frame out. */

import type { PanelState, ToWebview } from "../run/panel/messages.ts";
import { TranscriptCopy, type Entry } from "../run/panel/transcript.ts";
import { post } from "./kit/host.ts";

/** What one frame shows. `version` grows when the entries change. */
export interface PanelView {
  readonly state: PanelState | undefined;
  readonly entries: readonly Entry[];
  /** Events received so far. */
  readonly events: number;
  readonly version: number;
}

/** Applies what arrived once per animation frame, so that a burst of patches costs one paint. */
export class PanelStore {
  #view: PanelView = { state: undefined, entries: [], events: 0, version: 0 };
  #transcript = new TranscriptCopy();
  #revision = -1;
  #waitsForSnapshot = false;
  #arrived: ToWebview[] = [];
  /** Whether the next frame draws. */
  #due = false;
  readonly #draw: (view: PanelView) => void;

  constructor(draw: (view: PanelView) => void) {
    this.#draw = draw;
  }

  /** What is shown now. */
  get view(): PanelView {
    return this.#view;
  }

  /** Takes a message; it is on the screen after the next frame. */
  receive(message: ToWebview): void {
    this.#arrived.push(message);
    this.redraw();
  }

  /** Draws in the next frame, also when nothing arrived. */
  redraw(): void {
    if (this.#due) return;
    this.#due = true;
    requestAnimationFrame(() => this.#paint());
  }

  /** Forgets everything and asks the host for the whole state, after a failure of this page. */
  restart(): void {
    this.#revision = -1;
    this.#waitsForSnapshot = true;
    post({ type: "ready" });
  }

  #paint(): void {
    this.#due = false;
    const messages = this.#arrived;
    this.#arrived = [];
    const before = this.#revision;
    for (const message of messages) this.#apply(message);
    this.#draw(this.view);
    if (this.#revision === before || this.#waitsForSnapshot) return;
    const painted = this.#revision;
    setTimeout(() => post({ type: "painted", revision: painted }));
  }

  #apply(message: ToWebview): void {
    if (message.type === "snapshot") {
      this.#transcript = new TranscriptCopy(message.entries);
      this.#revision = message.revision;
      this.#waitsForSnapshot = false;
      this.#show(message.state.events, message.state);
    } else if (message.type === "state") {
      this.#view = { ...this.#view, state: message.state, events: message.state.events };
    } else if (message.type === "patch" && !this.#waitsForSnapshot && message.revision > this.#revision) {
      if (message.revision !== this.#revision + 1) {
        this.restart();
        return;
      }
      this.#revision = message.revision;
      this.#transcript.apply(message.patch);
      this.#show(message.events);
    }
  }

  #show(events: number, state = this.#view.state): void {
    this.#view = { state, entries: this.#transcript.entries, events, version: this.#view.version + 1 };
  }
}
