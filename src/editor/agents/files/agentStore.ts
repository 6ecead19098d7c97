/** Agents as they are on their platforms: fetched with their files, shared for a moment, changed one after the other. */

import * as vscode from "vscode";
import type { Agent, AgentUpdate } from "../../../api/managedAgents/wire.ts";
import type { Platforms } from "../../connections/platforms.ts";
import { type AgentLayout, type AgentTree, layoutOf } from "./agentTree.ts";
import { agentKey, type AgentRef } from "./agentUri.ts";

/** An agent and its files at one moment. */
export interface AgentSnapshot extends AgentLayout {
  readonly agent: Agent;
}

/** How an agent's files differ from those that were fetched before. */
export interface AgentFilesChange {
  readonly ref: AgentRef;
  readonly before: AgentTree;
  readonly after: AgentTree;
}

interface Held {
  readonly snapshot: AgentSnapshot;
  readonly at: number;
}

/** Opening a folder asks for each of its files: one request serves them all. */
const sharedMs = 1500;

/** Reads and changes agents together with their files. */
export class AgentStore implements vscode.Disposable {
  readonly #platforms: Pick<Platforms, "managedAgents">;
  readonly #held = new Map<string, Held>();
  readonly #asking = new Map<string, Promise<AgentSnapshot>>();
  readonly #turns = new Map<string, Promise<unknown>>();
  readonly #changed = new vscode.EventEmitter<AgentFilesChange>();
  /** An agent was fetched or changed, and its files differ from what was known. */
  readonly onDidChange = this.#changed.event;

  constructor(platforms: Pick<Platforms, "managedAgents">) {
    this.#platforms = platforms;
  }

  /** The agent as it was a moment ago at most; throws what the platform answers. */
  async get(ref: AgentRef): Promise<AgentSnapshot> {
    const held = this.#held.get(agentKey(ref));
    return held !== undefined && Date.now() - held.at < sharedMs ? held.snapshot : this.fetch(ref);
  }

  /** The agent as it is now. */
  async fetch(ref: AgentRef): Promise<AgentSnapshot> {
    const key = agentKey(ref);
    const asking = this.#asking.get(key) ?? this.#fetch(ref);
    this.#asking.set(key, asking);
    try {
      return await asking;
    } finally {
      if (this.#asking.get(key) === asking) this.#asking.delete(key);
    }
  }

  /**
   * Changes an agent by what `change` makes of its newest state; undefined changes nothing. Changes of one agent take
   * turns. Whatever `change` throws is thrown.
   */
  async change(
    ref: AgentRef,
    change: (now: AgentSnapshot) => AgentUpdate | undefined,
  ): Promise<AgentSnapshot> {
    const key = agentKey(ref);
    const before = this.#turns.get(key) ?? Promise.resolve();
    const turn = before.catch(() => undefined).then(() => this.#change(ref, change));
    this.#turns.set(key, turn);
    try {
      return await turn;
    } finally {
      if (this.#turns.get(key) === turn) this.#turns.delete(key);
    }
  }

  dispose(): void {
    this.#changed.dispose();
  }

  async #change(
    ref: AgentRef,
    change: (now: AgentSnapshot) => AgentUpdate | undefined,
  ): Promise<AgentSnapshot> {
    const now = this.#keep(ref, await this.#ask(ref));
    const update = change(now);
    if (update === undefined || Object.keys(update).length === 0) return now;
    const { agents } = await this.#platforms.managedAgents(ref.connectionId);
    return this.#keep(ref, await agents.update(ref.agentId, update, { includeFiles: true }));
  }

  async #fetch(ref: AgentRef): Promise<AgentSnapshot> {
    return this.#keep(ref, await this.#ask(ref));
  }

  async #ask({ connectionId, agentId }: AgentRef): Promise<Agent> {
    const { agents } = await this.#platforms.managedAgents(connectionId);
    return agents.get(agentId, { includeFiles: true });
  }

  #keep(ref: AgentRef, agent: Agent): AgentSnapshot {
    const snapshot = { ...layoutOf(agent), agent };
    const before = this.#held.get(agentKey(ref));
    this.#held.set(agentKey(ref), { snapshot, at: Date.now() });
    if (before !== undefined) this.#changed.fire({ ref, before: before.snapshot.tree, after: snapshot.tree });
    return snapshot;
  }
}
