/** Decides whether a list that grows at its end should follow it: only when the reader is there. */
export class Following {
  #offset = 0;
  #size = 0;
  /** Whether the end is followed. */
  on: boolean;

  constructor(on: boolean) {
    this.on = on;
  }

  /**
   * Takes a scroll position in pixels. Reaching the end follows it; only moving up lets go of it, for content
   * that grows below a still position is no wish to stay. Returns whether the answer changed.
   */
  scrolled(offset: number, viewport: number, size: number): boolean {
    const before = this.on;
    const movedUp = offset < this.#offset - 1 && size >= this.#size;
    if (size - viewport - offset < 16) this.on = true;
    else if (movedUp) this.on = false;
    this.#offset = offset;
    this.#size = size;
    return this.on !== before;
  }
}
