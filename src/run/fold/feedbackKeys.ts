/** The feedback a run asks for; the pre-signed addresses stay here and are part of no entry. */

import type { Draft, Ledger, Section } from "./drafts/ledger.ts";
import type { Feedback, FeedbackEntry, FeedbackKey } from "../panel/transcript.ts";

/** Looks up what was sent for a run's key before. */
export type GivenFeedback = (runId: string, key: string) => Feedback | undefined;

/** Keeps the feedback keys of all runs of a thread. */
export class FeedbackKeys {
  readonly #ledger: Ledger;
  readonly #given: GivenFeedback;
  readonly #runs = new Map<string, FeedbackDraft>();

  constructor(ledger: Ledger, given: GivenFeedback = () => undefined) {
    this.#ledger = ledger;
    this.#given = given;
  }

  /** Takes the keys of a run, and the addresses to send feedback for them to. */
  add(section: Section, runId: string, urls: ReadonlyMap<string, string>): void {
    const draft = this.#runs.get(runId) ?? new FeedbackDraft(runId);
    for (const [key, url] of urls) {
      draft.urls.set(key, url);
      if (draft.keys.has(key)) continue;
      const given = this.#given(runId, key);
      draft.keys.set(key, given === undefined ? { key, state: "open" } : { key, state: "sent", given });
    }
    if (this.#runs.has(runId)) this.#ledger.touch(draft);
    else this.#ledger.add(section, draft);
    this.#runs.set(runId, draft);
  }

  /** The pre-signed address to send a key's feedback to, and what became of it; undefined when the run has no such key. */
  get(
    runId: string,
    key: string,
  ): { readonly url: string; readonly state: FeedbackKey["state"] } | undefined {
    const draft = this.#runs.get(runId);
    const [url, asked] = [draft?.urls.get(key), draft?.keys.get(key)];
    return url === undefined || asked === undefined ? undefined : { url, state: asked.state };
  }

  set(runId: string, key: FeedbackKey): void {
    const draft = this.#runs.get(runId);
    if (draft === undefined) return;
    draft.keys.set(key.key, key);
    this.#ledger.touch(draft);
  }
}

class FeedbackDraft implements Draft {
  readonly id: string;
  readonly lane = "";
  readonly keys = new Map<string, FeedbackKey>();
  readonly urls = new Map<string, string>();
  readonly #runId: string;

  constructor(runId: string) {
    this.id = `feedback:${runId}`;
    this.#runId = runId;
  }

  build(): FeedbackEntry {
    return { kind: "feedback", id: this.id, runId: this.#runId, lane: "", keys: [...this.keys.values()] };
  }
}
