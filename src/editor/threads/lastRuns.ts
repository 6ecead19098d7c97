/** The last run of each agent on servers of the workspace's graphs, as far as this window followed or read it. */

import { type NodeMark, nodeMarks } from "../../run/panel/graphMarks.ts";
import { runsIn } from "../../run/panel/landmarks.ts";
import type { Entry } from "../../run/panel/transcript.ts";
import type { ThreadRef } from "../connections/connection.ts";
import { isSameThread } from "../connections/serverRef.ts";
import type { Sessions } from "./sessions.ts";
import type { Threads } from "./threads.ts";

/** What is known of a run and the thread that it is in. */
export interface LastRun {
  readonly thread: ThreadRef;
  readonly assistantId: string;
  /** The newest run of the thread that was given an input: this one, or the one that it goes on from. */
  readonly givenTo: string;
  /** Epoch milliseconds. */
  readonly startedAt: number;
  /** What it did of each node, by the ids of the graph's drawing. */
  readonly marks: ReadonlyMap<string, NodeMark>;
  /** The checkpoint before the newest step of each node of the graph itself. */
  readonly before: ReadonlyMap<string, string>;
}

/** Streams change many times a second. */
const pauseMs = 500;

/** Follows the sessions of the window. */
export class LastRuns {
  readonly #sessions: Pick<Sessions, "hold" | "of" | "threads">;
  readonly #changed: () => void;
  readonly #kept = new Map<string, LastRun>();
  readonly #followed = new WeakSet();
  readonly #subscription: { dispose(): unknown };
  #due: NodeJS.Timeout | undefined;

  /** `changed` is called a moment after one of the runs did something. */
  constructor(
    sessions: Pick<Sessions, "hold" | "of" | "threads">,
    threads: Pick<Threads, "onDidChange">,
    changed: () => void,
  ) {
    this.#sessions = sessions;
    this.#changed = changed;
    this.#subscription = threads.onDidChange(({ kind, threads }) => {
      for (const thread of threads)
        if (kind === "run") this.#follow(thread);
        else if (kind === "deleted") this.#forget(thread);
    });
    for (const thread of sessions.threads) this.#follow(thread);
  }

  /** Of each agent of a connection the run that began last. */
  of(connectionId: string): readonly LastRun[] {
    for (const thread of this.#sessions.threads) this.#take(thread);
    return [...this.#kept.values()].filter(({ thread }) => thread.connectionId === connectionId);
  }

  /** Reads once what ran in a thread that this window does not follow. */
  async read(thread: ThreadRef): Promise<void> {
    if (this.#sessions.of(thread) !== undefined) return;
    const { RunSession } = await import("../../run/session/session.ts");
    const reading = Promise.withResolvers<undefined>();
    let isBegun = false;
    const held = this.#sessions.hold(thread, RunSession, () => {
      if (held.session.state.kind === "loading") isBegun = true;
      else if (isBegun) reading.resolve(undefined);
    });
    await reading.promise;
    this.#take(thread);
    held.release();
    this.#soon();
  }

  dispose(): void {
    clearTimeout(this.#due);
    this.#subscription.dispose();
  }

  #follow(thread: ThreadRef): void {
    const session = this.#sessions.of(thread);
    if (session === undefined || thread.server.kind !== "workspaceGraphs") return;
    // A session may end with its run.
    this.#take(thread);
    this.#soon();
    if (this.#followed.has(session)) return;
    this.#followed.add(session);
    session.listen(() => this.#soon());
  }

  #soon(): void {
    this.#due ??= setTimeout(() => {
      this.#due = undefined;
      this.#changed();
    }, pauseMs);
  }

  #take(thread: ThreadRef): void {
    const session = thread.server.kind === "workspaceGraphs" ? this.#sessions.of(thread) : undefined;
    const run = session && lastRunIn(thread, session.entries);
    if (run === undefined) return;
    const key = `${thread.connectionId} ${run.assistantId}`;
    const known = this.#kept.get(key);
    // When it began is told first by this window's clock, then by the server's.
    const isNewer = known === undefined || known.startedAt <= run.startedAt;
    if (isNewer || isSameThread(known.thread, thread)) this.#kept.set(key, run);
  }

  #forget(thread: ThreadRef): void {
    for (const [key, run] of this.#kept) if (isSameThread(run.thread, thread)) this.#kept.delete(key);
    this.#soon();
  }
}

/** The newest run of a thread; undefined where it has none. */
function lastRunIn(thread: ThreadRef, entries: readonly Entry[]): LastRun | undefined {
  const runs = runsIn(entries);
  const newest = runs.at(-1)?.run;
  if (newest === undefined) return undefined;
  const { runId, assistantId, startedAt = 0 } = newest;
  const before = new Map<string, string>();
  for (const entry of entries)
    if (entry.kind === "step" && entry.lane === "" && entry.checkpoints !== undefined)
      before.set(entry.name, entry.checkpoints.before);
  const givenTo = runs.findLast(({ asked }) => asked !== undefined)?.run.runId ?? runId;
  return { thread, assistantId, givenTo, startedAt, marks: nodeMarks(entries, "newest"), before };
}
