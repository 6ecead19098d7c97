/** Messages that are found again by who says what, also while they grow: of thousands, none but those are looked at. */

import { contentText, type MessageDraft } from "./drafts/messageDraft.ts";
import type { ChatMessage } from "./chatMessage.ts";
import type { LaneId } from "../panel/transcript.ts";

/** Each once, in the order in which they came. */
export class SaidMessages {
  readonly #places = new Map<MessageDraft, number>();
  readonly #byText = new Map<string, MessageDraft[]>();
  /** The text by which a message is found now. */
  readonly #texts = new Map<MessageDraft, string>();
  /** Those whose text is not looked at yet: it may change with every token. */
  readonly #reworded = new Set<MessageDraft>();
  #next = 0;

  has(draft: MessageDraft): boolean {
    return this.#places.has(draft);
  }

  all(): Iterable<MessageDraft> {
    return this.#places.keys();
  }

  add(draft: MessageDraft): void {
    if (this.has(draft)) return;
    this.#places.set(draft, this.#next++);
    this.#reworded.add(draft);
  }

  delete(draft: MessageDraft): void {
    this.#places.delete(draft);
    this.#reworded.delete(draft);
    this.#takeOut(draft);
  }

  /** A message has other words now. */
  reworded(draft: MessageDraft): void {
    if (this.has(draft)) this.#reworded.add(draft);
  }

  /** Those with the same words, the oldest first. */
  saying({ role, content }: ChatMessage, lane: LaneId): readonly MessageDraft[] {
    for (const draft of this.#reworded) {
      this.#takeOut(draft);
      this.#putIn(draft);
    }
    this.#reworded.clear();
    const same = this.#byText.get(contentText(content)) ?? [];
    return same.filter((draft) => draft.role === role && draft.lane === lane);
  }

  #putIn(draft: MessageDraft): void {
    const { text } = draft;
    const same = this.#byText.get(text) ?? [];
    const place = this.#placeOf(draft);
    const before = same.findLastIndex((other) => this.#placeOf(other) < place);
    same.splice(before + 1, 0, draft);
    this.#byText.set(text, same);
    this.#texts.set(draft, text);
  }

  #takeOut(draft: MessageDraft): void {
    const text = this.#texts.get(draft);
    if (text === undefined) return;
    this.#texts.delete(draft);
    const same = this.#byText.get(text) ?? [];
    if (same.length > 1) same.splice(same.indexOf(draft), 1);
    else this.#byText.delete(text);
  }

  #placeOf(draft: MessageDraft): number {
    return this.#places.get(draft) ?? 0;
  }
}
