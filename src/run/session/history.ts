/** Reads a thread's history, newest first and as much of it as is asked for, and folds what it tells of the runs. */

import type { Run, ThreadState } from "../../api/agentServer/wire.ts";
import { isUnsupportedStatus } from "../../api/retry.ts";
import { Checkpoints } from "../history/checkpoints.ts";
import { keptRuns, type KeptRun } from "../history/keptRuns.ts";
import type { KeptStep } from "../history/keptSteps.ts";
import { checkpointIn, costOf, lengthOf, mostOnPage, pageLength, pagesBefore } from "../history/pages.ts";
import { isObject, mostNested } from "../json/json.ts";
import { childLane, parentLane } from "../fold/steps.ts";
import { type SessionParts, statusOf } from "./server.ts";

/** How much is read at once, in characters of JSON: each state of a history is a whole one, and may be large. */
const budget = 24_000_000;
/** Subgraphs that are asked for at once, and in one go. */
const atOnce = 4;
const mostSubgraphs = 60;
/** After how many steps of a node that were no subgraph other steps of it count as none, too. */
const enoughPlain = 2;

/** What is known of a thread's past; its states are read once. */
export class ThreadHistory {
  readonly #parts: SessionParts;
  readonly #isWanted: (runId: string) => boolean;
  readonly #root = new Checkpoints();
  readonly #lanes = new Map<string, Checkpoints>();
  readonly #asked = new Set<string>();
  /** Of those, what the server told. */
  readonly #read = new Set<string>();
  /** Subgraphs that were asked for and of which nothing is kept. */
  readonly #unkept = new Set<string>();
  readonly #plain = new Map<string, number>();
  #runs: readonly Run[] = [];
  /** The checkpoints before which states were not read, up to one that was or to the first of all; the newest last. */
  readonly #gaps: string[] = [];
  /** How many of them are being read without having been asked for. */
  #closing = 0;
  #pagesRead: Promise<unknown> = Promise.resolve();
  #isKept = true;
  readonly #said = new Set<string>();

  /** Subgraphs are read of those runs that are wanted. */
  constructor(parts: SessionParts, isWanted: (runId: string) => boolean) {
    this.#parts = parts;
    this.#isWanted = isWanted;
  }

  /** Whether there are older states that were not read. */
  get hasEarlier(): boolean {
    return this.#gaps.length > this.#closing;
  }

  /** Reads what is newer than what was read before, and folds what it tells of these runs; never rejects but when given up. */
  async read(runs: readonly Run[], head: ThreadState, skip: (runId: string) => boolean): Promise<void> {
    const byId = new Map([...this.#runs, ...runs].map((run) => [run.run_id, run]));
    this.#runs = [...byId.values()].toSorted((a, b) => (a.created_at < b.created_at ? -1 : 1));
    const { threads } = this.#parts.server;
    if (threads.history === undefined || !this.#isKept) {
      for (const { run_id: runId } of runs) if (!skip(runId)) this.#parts.fold.setUnkept(runId);
      return;
    }
    await this.#inTurn(async () => {
      const newest = await this.#asKept(head);
      const from = checkpointIn(newest);
      const isNew = from !== undefined && this.#root.get(from) === undefined;
      const others = this.#gaps.length;
      this.#root.setNewest(newest, head);
      if (!isNew) return;
      this.#gaps.push(from);
      this.#closing = 1;
      await this.#pages(lengthOf(newest), others).finally(() => (this.#closing = 0));
    });
    await this.#fold(skip);
  }

  /** Reads older states. */
  async readEarlier(skip: (runId: string) => boolean): Promise<void> {
    if (!this.hasEarlier) return;
    await this.#inTurn(() => this.#pages(pageLength, 0));
    await this.#fold(skip);
  }

  /** Reads what the subgraphs of these runs did; it is folded with `refold`. */
  async readSubgraphs(runIds: ReadonlySet<string>): Promise<void> {
    await this.#readLanes(this.#kept().filter(({ runId }) => runIds.has(runId)));
  }

  /** Folds again what is known of these runs, after events that were folded since. */
  refold(wanted: (runId: string) => boolean): void {
    this.#keep(this.#kept().filter(({ runId }) => wanted(runId)));
  }

  /**
   * The newest state as the history has it, or a newer one. A state that is asked for by itself contains what nodes
   * wrote while others beside them are not done: that is not kept when the thread takes another way.
   */
  async #asKept(head: ThreadState): Promise<ThreadState> {
    const { server, threadId, signal } = this.#parts;
    if (!hasUnfinishedWrites(head)) return head;
    try {
      const [newest] = (await server.threads.history?.(threadId, { limit: 1, signal })) ?? [];
      return newest === undefined || checkpointIn(newest) === undefined ? head : newest;
    } catch {
      signal.throwIfAborted();
      return head;
    }
  }

  /** One after the other: each goes on where the one before it ended. */
  #inTurn(work: () => Promise<void>): Promise<void> {
    const done = this.#pagesRead.then(work);
    this.#pagesRead = done.catch(() => undefined);
    return done;
  }

  /** Reads gaps page by page, the newest first, until so many are left or the budget is spent. */
  async #pages(stateLength: number, gaps: number): Promise<void> {
    const { server, threadId, signal, describe, onChange } = this.#parts;
    const read = (limit: number, before: string) =>
      server.threads.history?.(threadId, { limit, before, signal }) ?? Promise.resolve([]);
    let left = budget;
    try {
      for (let gap = this.#gaps.at(-1); gap !== undefined && left > 0; gap = this.#gaps.at(-1)) {
        if (this.#gaps.length <= gaps) return;
        for await (const { states, length, next } of pagesBefore(gap, stateLength, read)) {
          const ids = new Set(states.flatMap((state) => checkpointIn(state) ?? []));
          const isClosed = [...ids].some((id) => this.#root.get(id) !== undefined);
          this.#root.add(states);
          this.#gaps.pop();
          // A page may reach through what is known into the next gap.
          const reached = this.#gaps.filter((from) => ids.has(from)).length;
          this.#gaps.length -= reached;
          if (next !== undefined && (!isClosed || reached > 0)) this.#gaps.push(next);
          left -= costOf(length);
          if (isClosed || left <= 0) break;
          onChange();
        }
      }
    } catch (error) {
      signal.throwIfAborted();
      this.#isKept = !isUnsupportedStatus(statusOf(error));
      const text = this.#isKept
        ? `The thread's history could not be read: ${describe(error).message}`
        : "This server keeps no history of the thread: which steps ran, and what was asked and answered before, is known only as far as this window saw it.";
      this.noteOnce({ level: this.#isKept ? "warning" : "info", text });
      if (!this.#isKept) this.#gaps.length = 0;
    }
  }

  async #fold(skip: (runId: string) => boolean): Promise<void> {
    const runs = this.#kept().filter(({ runId }) => !skip(runId));
    this.#keep(runs);
    this.#parts.onChange();
    await this.#readLanes(runs.filter(({ runId }) => this.#isWanted(runId)));
    this.#keep(runs);
    this.#noteMissing();
    this.#parts.onChange();
  }

  #kept(): readonly KeptRun[] {
    return keptRuns(this.#runs, this.#root, "root", this.#gaps.at(-1));
  }

  #keep(runs: readonly KeptRun[]): void {
    const lanes = this.#keptLanes();
    for (const root of runs) {
      const own = new Map<string, KeptRun>();
      const unkept = new Set(this.#unkept);
      for (const [lane, kept] of lanes) {
        const one = kept.find(({ runId, steps }) => runId === root.runId && steps.length > 0);
        if (one !== undefined) own.set(lane, one);
        else if (this.#read.has(`${root.runId} ${lane}`)) unkept.add(lane);
      }
      this.#parts.fold.keep({ root, lanes: own, unkept });
    }
  }

  /**
   * What each subgraph did; a run came to one if it ran the step around it, and is told of if that was read since. Outer
   * ones were read first.
   */
  #keptLanes(): ReadonlyMap<string, readonly KeptRun[]> {
    const graphs = new Map([["", this.#kept()]]);
    for (const [lane, checkpoints] of this.#lanes) {
      const around = graphs.get(parentLane(lane)) ?? [];
      const came = around.filter(({ steps }) => steps.some(({ taskId }) => lane.endsWith(`:${taskId}`)));
      const ids = new Set(came.map(({ runId }) => runId));
      const newest = this.#runs.findLastIndex(({ run_id: runId }) => this.#read.has(`${runId} ${lane}`));
      const runs = this.#runs.slice(0, newest + 1).filter(({ run_id: runId }) => ids.has(runId));
      graphs.set(lane, keptRuns(runs, checkpoints, "subgraph"));
    }
    graphs.delete("");
    return graphs;
  }

  /** Reads the histories of subgraphs, the newest run's first, and of those within them. */
  async #readLanes(runs: readonly KeptRun[]): Promise<void> {
    const graphs = runs.toReversed().map(({ runId, steps }): Graph => ({ runId, lane: "", steps }));
    for (let left = mostSubgraphs; left > 0;) {
      // What a node turned out to be is true of all its steps.
      const now = graphs.flatMap((graph) => this.#subgraphsIn(graph)).slice(0, Math.min(atOnce, left));
      if (now.length === 0) return;
      left -= now.length;
      await Promise.all(now.map((subgraph) => this.#readLane(subgraph)));
      this.#parts.signal.throwIfAborted();
      for (const { lane, runId } of now) {
        const checkpoints = this.#lanes.get(lane);
        const kept = checkpoints === undefined ? [] : keptRuns(this.#runs, checkpoints, "subgraph");
        const steps = kept.find((run) => run.runId === runId)?.steps ?? [];
        graphs.push({ runId, lane, steps });
      }
    }
  }

  /** The steps that may have run a subgraph: those whose lane is known, and a few of each node, to find out. */
  #subgraphsIn({ runId, lane: outer, steps }: Graph): readonly Subgraph[] {
    const streamed = new Set(this.#parts.fold.lanesOf(runId));
    const subgraphs = steps.map((step): Subgraph & { readonly isLikely: boolean } => {
      const lane = childLane(outer, step.node, step.taskId);
      const node = lane.replace(/:[^|:]+/g, "");
      const isTask = step.messages.some((message) => isObject(message) && message["name"] === "task");
      return { runId, lane, node, isLikely: isTask || streamed.has(lane) };
    });
    const tried = new Map<string, number>();
    return subgraphs.filter(({ lane, node, isLikely }) => {
      if (this.#asked.has(`${runId} ${lane}`)) return false;
      const count = (this.#plain.get(node) ?? 0) + (tried.get(node) ?? 0);
      if (!isLikely && count >= enoughPlain) return false;
      if (!isLikely) tried.set(node, (tried.get(node) ?? 0) + 1);
      return true;
    });
  }

  async #readLane({ runId, lane, node }: Subgraph): Promise<void> {
    const { server, threadId, signal } = this.#parts;
    this.#asked.add(`${runId} ${lane}`);
    try {
      const checkpoint = { checkpoint_ns: lane };
      const states =
        (await server.threads.history?.(threadId, { limit: mostOnPage, checkpoint, signal })) ?? [];
      const own = states.filter((state) => state.checkpoint?.checkpoint_ns === lane);
      if (own.length === 0) {
        this.#unkept.add(lane);
        this.#plain.set(node, (this.#plain.get(node) ?? 0) + 1);
        return;
      }
      this.#plain.set(node, -Infinity);
      const checkpoints = this.#lanes.get(lane) ?? new Checkpoints();
      checkpoints.add(own);
      this.#read.add(`${runId} ${lane}`);
      this.#lanes.set(lane, checkpoints);
    } catch {
      // What its stream brought of it stays; a server may not tell of subgraphs.
      this.#unkept.add(lane);
      this.#plain.set(node, (this.#plain.get(node) ?? 0) + 1);
    }
  }

  /** Says something of the thread, unless it was said before. */
  noteOnce(notice: { readonly level: "info" | "warning"; readonly text: string }): void {
    if (this.#said.has(notice.text)) return;
    this.#said.add(notice.text);
    this.#parts.fold.noteThread(notice);
  }

  #noteMissing(): void {
    if (this.#root.tooDeep) {
      const text = `Earlier states of the thread are nested deeper than ${mostNested} levels; what happened there is left out.`;
      this.noteOnce({ level: "warning", text });
    }
    if (this.#isKept && this.#gaps.length === 0 && this.#root.hasMissingParents) {
      const text =
        "The server has some earlier states of this thread no more: what the steps right after them changed is not known.";
      this.noteOnce({ level: "info", text });
    }
  }
}

/** A task that was answered has no result as long as one beside it waits, but it is none of the next ones any more. */
function hasUnfinishedWrites({ tasks, next }: ThreadState): boolean {
  const [all, coming]: readonly unknown[] = [tasks, next];
  if (!Array.isArray(all)) return false;
  const hasResult = all.some((task: ThreadState["tasks"][number] | null) => (task?.result ?? null) !== null);
  return hasResult || (Array.isArray(coming) && coming.length < all.length);
}

/** What is known of a graph that ran: its lane is empty for the thread's own. */
interface Graph {
  readonly runId: string;
  readonly lane: string;
  readonly steps: readonly KeptStep[];
}

interface Subgraph {
  readonly runId: string;
  readonly lane: string;
  /** Its path of nodes, without the ids of tasks. */
  readonly node: string;
}
