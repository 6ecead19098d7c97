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
    // Numbers come nearly in their order: the range is one of the last.
    const index = this.#ranges.findLastIndex(({ from }) => from <= number);
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

  #forget(): void {
    const [first, second] = this.#ranges;
    if (this.#ranges.length <= mostRanges || first === undefined || second === undefined) return;
    second.from = first.from;
    this.#ranges.shift();
  }
}
