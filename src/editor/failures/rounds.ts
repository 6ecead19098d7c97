/** Checks many items in turn, a few at a time, and keeps the last result of each. */

interface LastCheck<Found> {
  /** Missing where no check could say anything yet. */
  readonly found: Found | undefined;
  readonly at: number;
}

/** What was found of things, each checked every few rounds. */
export class Rounds<Found> {
  readonly #most: number;
  readonly #restMs: number;
  readonly #now: () => number;
  /** By the owner of things and then by their keys. */
  readonly #owners = new Map<string, Map<string, LastCheck<Found>>>();

  /** At most `most` things of an owner are checked in one round, and none again within `restMs`. */
  constructor(most: number, now: () => number, restMs = 0) {
    this.#most = most;
    this.#restMs = restMs;
    this.#now = now;
  }

  /**
   * Checks those that waited longest, and gives what is known of all. Where `at` gives nothing, what was found before
   * stays; what it throws ends the round.
   */
  async check<T>(
    owner: string,
    things: readonly T[],
    keyOf: (thing: T) => string,
    at: (thing: T) => Promise<Found | undefined>,
  ): Promise<readonly Found[]> {
    const known = this.#owners.get(owner) ?? new Map<string, LastCheck<Found>>();
    this.#owners.set(owner, known);
    const keys = new Set(things.map(keyOf));
    for (const key of known.keys()) if (!keys.has(key)) known.delete(key);
    const lastAt = (thing: T): number => known.get(keyOf(thing))?.at ?? -Infinity;
    const due = things
      .filter((thing) => this.#now() - lastAt(thing) >= this.#restMs)
      .sort((one, other) => lastAt(one) - lastAt(other))
      .slice(0, this.#most);
    await Promise.all(
      due.map(async (thing) => {
        const found = (await at(thing)) ?? known.get(keyOf(thing))?.found;
        known.set(keyOf(thing), { found, at: this.#now() });
      }),
    );
    return things.flatMap((thing) => known.get(keyOf(thing))?.found ?? []);
  }
}
