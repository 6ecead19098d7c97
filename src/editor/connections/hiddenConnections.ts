/** The connections that have no rows in this workspace; waiting threads and failures there are shown all the same. */

import * as vscode from "vscode";
import { KeptList, type Memory } from "../kit/keptList.ts";
import type { ConnectionSetting } from "./connection.ts";
import type { Connections } from "./connections.ts";

/** Remembers which connections a person has hidden. */
export class HiddenConnections implements vscode.Disposable {
  readonly #connections: Pick<Connections, "list">;
  readonly #kept: KeptList<string>;
  readonly #changed = new vscode.EventEmitter<void>();
  readonly onDidChange = this.#changed.event;

  constructor(connections: Pick<Connections, "list">, memory: Memory) {
    this.#connections = connections;
    this.#kept = new KeptList(memory, "connections.hidden", (id) => id);
  }

  /** How many of the connections that there are have no rows. */
  get count(): number {
    const all = this.#connections.list();
    return all.length - this.shownOf(all).length;
  }

  /** Those of the connections that have rows; all of them where nothing else would be left of the list. */
  shownOf(connections: readonly ConnectionSetting[]): readonly ConnectionSetting[] {
    const hidden = new Set(this.#kept.items);
    const isLeft = this.#connections.list().some(({ id }) => !hidden.has(id));
    return isLeft ? connections.filter(({ id }) => !hidden.has(id)) : connections;
  }

  async hide(connectionId: string): Promise<void> {
    await this.#kept.keep(connectionId);
    this.#changed.fire();
  }

  /** Hides all others. */
  async showOnly(connectionId: string): Promise<void> {
    const others = this.#connections.list().flatMap(({ id }) => (id === connectionId ? [] : [id]));
    await this.#kept.replace(others);
    this.#changed.fire();
  }

  async showAll(): Promise<void> {
    await this.#kept.replace([]);
    this.#changed.fire();
  }

  dispose(): void {
    this.#changed.dispose();
  }
}
