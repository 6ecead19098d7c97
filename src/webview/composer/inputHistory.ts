/** Walks through the inputs that were sent, as a shell does: only from an empty box or from one it filled itself. */
export class InputHistory {
  readonly #sent: () => readonly string[];
  /** How far back the walk is; 0 is the box itself. */
  #back = 0;

  constructor(sent: () => readonly string[]) {
    this.#sent = sent;
  }

  /** The text that a key brings into the box; undefined when the key keeps its usual meaning. */
  recall(key: string, text: string): string | undefined {
    const sent = this.#sent();
    if (text !== (sent.at(-this.#back) ?? "") || this.#back === 0) this.#back = 0;
    if (this.#back === 0 && text !== "") return undefined;
    if (key === "ArrowUp" && this.#back < sent.length) return sent.at(-++this.#back);
    if (key === "ArrowDown" && this.#back > 0) return --this.#back === 0 ? "" : sent.at(-this.#back);
    return undefined;
  }
}
