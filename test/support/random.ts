/** Random choices that are the same for the same seed, so that whatever they found can be found again. */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** From 0 up to 1, which it never is. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** A whole number from 0 up to `limit`, which it never is. */
  below(limit: number): number {
    return Math.floor(this.next() * limit);
  }

  /** True in the given share of all cases. */
  chance(share: number): boolean {
    return this.next() < share;
  }

  /** One of the items; throws RangeError when there is none. */
  pick<T>(items: readonly T[]): T {
    if (items.length === 0) throw new RangeError("there is nothing to pick from");
    return items[this.below(items.length)] as T;
  }
}
