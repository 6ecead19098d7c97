/** What a Memento remembers of one kind, so that it outlives the window: bounded, the oldest go first. */

import { isObject } from "../../api/shape.ts";

/** The part of a Memento that is needed; tests bring their own. */
export interface Memory {
  get(key: string): unknown;
  update(key: string, value: unknown): PromiseLike<void>;
}

/** A list of items with a key each, the newest last. It is read anew each time: other windows may write it, too. */
export class KeptList<Item> {
  readonly #memory: Memory;
  readonly #name: string;
  readonly #keyOf: (item: Item) => string;
  readonly #most: number;

  /** `name` is the Memento's own; of more than `most` items the oldest are forgotten. */
  constructor(memory: Memory, name: string, keyOf: (item: Item) => string, most = Infinity) {
    this.#memory = memory;
    this.#name = name;
    this.#keyOf = keyOf;
    this.#most = most;
  }

  get items(): readonly Item[] {
    const kept = this.#memory.get(this.#name);
    // Version 0.1.0 kept lists of pairs as an object.
    const list: unknown = isObject(kept) ? Object.entries(kept) : kept;
    return Array.isArray(list) ? (list as readonly Item[]) : [];
  }

  get(key: string): Item | undefined {
    return this.items.find((item) => this.#keyOf(item) === key);
  }

  /** Adds the item as the newest, in the place of the one with its key. */
  async keep(item: Item): Promise<void> {
    await this.replace([...this.#without(this.#keyOf(item)), item]);
  }

  /** False when there was none with this key. */
  async forget(key: string): Promise<boolean> {
    const others = this.#without(key);
    if (others.length === this.items.length) return false;
    await this.replace(others);
    return true;
  }

  /** Puts these in the place of all items. */
  async replace(items: readonly Item[]): Promise<void> {
    const newest = items.slice(Math.max(0, items.length - this.#most));
    await this.#memory.update(this.#name, newest.length === 0 ? undefined : newest);
  }

  #without(key: string): readonly Item[] {
    return this.items.filter((item) => this.#keyOf(item) !== key);
  }
}
