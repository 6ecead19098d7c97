/** Which rows of a view are unfolded, folded and selected, kept over a reload. */

import { KeptList, type Memory } from "../keptList.ts";

const mostRows = 300;

/** What is remembered of one view's rows, by their ids. */
export class RememberedRows {
  readonly #kept: KeptList<readonly [id: string, open: boolean]>;
  readonly #open: Map<string, boolean>;
  readonly #memory: Memory;
  readonly #selectedName: string;

  /** `view` is the view's own name in the memory. */
  constructor(memory: Memory, view: string) {
    this.#memory = memory;
    this.#selectedName = `${view}.selected`;
    this.#kept = new KeptList(memory, `${view}.open`, ([id]) => id, mostRows);
    this.#open = new Map(this.#kept.items);
  }

  /** Whether it was unfolded or folded; undefined for a row that nobody touched and that does not begin unfolded. */
  isOpen(id: string): boolean | undefined {
    return this.#open.get(id);
  }

  noteOpen(id: string, open: boolean): void {
    this.#open.set(id, open);
    void this.#kept.keep([id, open]);
  }

  /** The row that was selected last. */
  get selected(): string | undefined {
    const id = this.#memory.get(this.#selectedName);
    return typeof id === "string" ? id : undefined;
  }

  noteSelected(id: string | undefined): void {
    void this.#memory.update(this.#selectedName, id);
  }
}
