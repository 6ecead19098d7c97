import type { LogReader } from "../runtime/logReader.ts";
import type { RunLog } from "../runtime/runLog.ts";
import type { RunLogs } from "../runtime/runLogs.ts";
import type { Run } from "../runtime/runs.ts";
import type { FollowedRun, ThreadStreams } from "../runtime/ticket.ts";
import { LifecycleTree, type TreeNode } from "./lifecycleTree.ts";
import { eventText, type ProtocolEvent } from "./protocolEvent.ts";
import { ProtocolProjector } from "./protocolProjector.ts";

interface Stream {
  readonly log: RunLog;
  /** What the newest run ran. */
  tree: LifecycleTree | undefined;
}

/**
 * The protocol streams of threads: one sequence of events per thread over all its runs, from the first command or
 * subscription on, kept over restarts. Threads without a client of the protocol cost nothing.
 */
export class ProtocolStreams implements ThreadStreams {
  readonly #logs: RunLogs;
  readonly #streams = new Map<string, Stream>();

  constructor(logs: RunLogs) {
    this.#logs = logs;
  }

  /** Makes the thread's coming runs part of its protocol stream. */
  open(threadId: string): void {
    this.#stream(threadId);
  }

  /** Follows a thread's events after a sequence number; 0 is from the start. */
  read(threadId: string, since: number): LogReader {
    return this.#stream(threadId).log.read(since);
  }

  /** The number of the newest event. */
  lastSeq(threadId: string): number {
    return Math.max(0, this.#stream(threadId).log.next - 1);
  }

  /** What the newest run of the thread's stream has run so far, if one has begun. */
  tree(threadId: string): TreeNode | undefined {
    if (!this.#isOpen(threadId)) return undefined;
    const stream = this.#stream(threadId);
    stream.tree ??= replayed(stream.log);
    return stream.tree.node();
  }

  /** Adds a run that begins to the thread's stream, if there is one. */
  follow(run: Run, graphName: string): FollowedRun | undefined {
    const { thread_id: threadId } = run;
    if (run.kwargs.temporary || !this.#isOpen(threadId)) return undefined;
    const stream = this.#stream(threadId);
    const projector = new ProtocolProjector(graphName, (event) => append(stream.log, event));
    stream.tree = projector.tree;
    // That the run began is on disk as soon as the run itself is.
    stream.log.flush();
    return {
      project: (event) => projector.project(event),
      room: (signal) => stream.log.room(signal),
      end: (outcome) => {
        projector.end(outcome);
        stream.log.rest();
      },
    };
  }

  /** Records that a run was lost with the process that it ran in. */
  lost(threadId: string, graphName: string, error: string): void {
    if (!this.#isOpen(threadId)) return;
    const data = { event: "failed", graph_name: graphName, error };
    const stream = this.#stream(threadId);
    append(stream.log, { method: "lifecycle", namespace: [], data });
    stream.tree = undefined;
  }

  /** Forgets a stream that nobody reads and in which nothing has happened. */
  release(threadId: string): void {
    const log = this.#streams.get(threadId)?.log;
    if (log === undefined || log.readers > 0 || log.next > 1) return;
    this.#streams.delete(threadId);
    this.#logs.end(log);
  }

  /** Ends a thread's stream and deletes what is kept of it. */
  delete(threadId: string): void {
    const stream = this.#streams.get(threadId);
    this.#streams.delete(threadId);
    if (stream !== undefined) this.#logs.end(stream.log);
    this.#logs.delete(keyOf(threadId));
  }

  #isOpen(threadId: string): boolean {
    return this.#streams.has(threadId) || this.#logs.isKept(keyOf(threadId));
  }

  #stream(threadId: string): Stream {
    let stream = this.#streams.get(threadId);
    if (stream === undefined) {
      stream = { log: this.#logs.resume(keyOf(threadId)), tree: undefined };
      this.#streams.set(threadId, stream);
    }
    return stream;
  }
}

function append(log: RunLog, event: ProtocolEvent): void {
  log.append(event.method, eventText(log.next, event));
}

/** The tree that the events of an earlier process tell. */
function replayed(log: RunLog): LifecycleTree {
  const tree = new LifecycleTree();
  for (let piece = log.piece(0); piece !== undefined; piece = log.piece(piece.next)) {
    for (const frame of piece.bytes.toString().split("\n\n")) {
      if (frame.includes("\nevent: lifecycle\n")) tree.replay(frame);
    }
  }
  return tree;
}

function keyOf(threadId: string): string {
  return `protocol:${threadId}`;
}
