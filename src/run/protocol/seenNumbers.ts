/** Whole numbers that were seen, kept as ranges: as many as there are holes between them, not as there are numbers. */

interface Range {
  from: number;
  to: number;
}

/** More holes than any stream has; beyond that the oldest ones count as filled. */
const mostRanges = 512;

/** A set of whole numbers that stays small while they come nearly in their order. */
export class SeenNumbers {
  /** In their order, with a hole between each and the next. */
  readonly #ranges: Range[] = [];

  /** False when it was seen before. */
  add(number: number): boolean {
    const index = this.#indexOf(number);
    const [before, after] = [this.#ranges[index], this.#ranges[index + 1]];
    if (before !== undefined && number <= before.to) return false;
    const joins = after?.from === number + 1;
    if (before !== undefined && before.to === number - 1) {
      before.to = joins ? after.to : number;
      if (joins) this.#ranges.splice(index + 1, 1);
    } else if (joins) after.from = number;
    else this.#ranges.splice(index + 1, 0, { from: number, to: number });
    this.#forget();
    return true;
  }

  /** How many ranges they make. */
  get ranges(): number {
    return this.#ranges.length;
  }

  /** Where the last range is that begins at the number or below; -1 when there is none. */
  #indexOf(number: number): number {
    let [low, high] = [-1, this.#ranges.length - 1];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((this.#ranges[middle]?.from ?? 0) <= number) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  #forget(): void {
    const [first, second] = this.#ranges;
    if (this.#ranges.length <= mostRanges || first === undefined || second === undefined) return;
    second.from = first.from;
    this.#ranges.shift();
  }
}
