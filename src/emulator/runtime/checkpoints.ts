import type { JsonObject } from "../kit/json.ts";
import { reader, type Row, type Store } from "../store/store.ts";
import { type Checkpoint, namespaceOf, pendingInterrupts, type Task, unfinished } from "./checkpoint.ts";
import type { Message } from "./messages.ts";

/** Which checkpoints a history lists, newest first. */
export interface HistoryQuery {
  readonly limit: number;
  readonly before?: string | undefined;
  readonly metadata?: JsonObject | undefined;
  readonly ns?: string | undefined;
  /** Only the checkpoint with this id. */
  readonly id?: string | undefined;
}

type StoredCheckpoint = Omit<Checkpoint, "ns" | "id" | "values"> & {
  readonly checkpoint_ns: string;
  readonly checkpoint_id: string;
  readonly values: JsonObject;
};
const readRow = reader<StoredCheckpoint>(["values", "tasks", "metadata"]);

/** The checkpoints of all threads. */
export class Checkpoints {
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  /** The newest checkpoint of a graph on a thread. */
  head(threadId: string, ns = ""): Checkpoint | undefined {
    const row = this.#store.get(
      "SELECT * FROM checkpoints WHERE thread_id = ? AND checkpoint_ns = ? ORDER BY checkpoint_id DESC LIMIT 1",
      threadId,
      ns,
    );
    return row === undefined ? undefined : toCheckpoint(row);
  }

  get(threadId: string, id: string, ns = ""): Checkpoint | undefined {
    const row = this.#store.get(
      "SELECT * FROM checkpoints WHERE thread_id = ? AND checkpoint_ns = ? AND checkpoint_id = ?",
      threadId,
      ns,
      id,
    );
    return row === undefined ? undefined : toCheckpoint(row);
  }

  history(threadId: string, query: HistoryQuery): Checkpoint[] {
    const before = query.before ?? null;
    const id = query.id ?? null;
    const metadata = query.metadata === undefined ? null : JSON.stringify(query.metadata);
    return this.#store
      .all(
        `SELECT * FROM checkpoints WHERE thread_id = ? AND checkpoint_ns = ?
           AND (? IS NULL OR checkpoint_id < ?) AND (? IS NULL OR checkpoint_id = ?)
           AND (? IS NULL OR json_holds(metadata, ?))
         ORDER BY checkpoint_id DESC LIMIT ?`,
        threadId,
        query.ns ?? "",
        before,
        before,
        id,
        id,
        metadata,
        metadata,
        query.limit,
      )
      .map(toCheckpoint);
  }

  /** The checkpoints that a run made, of all namespaces, oldest first. */
  ofRun(threadId: string, runId: string): Checkpoint[] {
    return this.#store
      .all(
        "SELECT * FROM checkpoints WHERE run_id = ? AND thread_id = ? ORDER BY checkpoint_id",
        runId,
        threadId,
      )
      .map(toCheckpoint);
  }

  insert({ ns, id, ...checkpoint }: Checkpoint): void {
    this.#store.insert("checkpoints", { ...checkpoint, checkpoint_ns: ns, checkpoint_id: id });
  }

  /** Stores how the steps of a checkpoint ended. */
  updateTasks(checkpoint: Checkpoint): void {
    const { thread_id, ns, id, tasks } = checkpoint;
    this.#store.update("checkpoints", { thread_id, checkpoint_ns: ns, checkpoint_id: id }, { tasks });
  }

  /** Gives one thread a copy of all checkpoints of another, as checkpoints of its own. */
  copy(fromThreadId: string, toThreadId: string): void {
    this.#store.run(
      `INSERT INTO checkpoints SELECT ?, checkpoint_ns, checkpoint_id, parent_id, run_id, node, "values", tasks,
         json_set(metadata, '$.thread_id', ?), created_at FROM checkpoints WHERE thread_id = ?`,
      toThreadId,
      toThreadId,
      fromThreadId,
    );
  }

  deleteOfRun(threadId: string, runId: string): void {
    this.#store.run("DELETE FROM checkpoints WHERE run_id = ? AND thread_id = ?", runId, threadId);
  }

  deleteOfThread(threadId: string): void {
    this.#store.run("DELETE FROM checkpoints WHERE thread_id = ?", threadId);
  }

  /** Deletes those of threads that are gone: earlier versions left some when a run began while its thread was deleted. */
  deleteLeft(): void {
    this.#store.run(
      `DELETE FROM checkpoints WHERE thread_id IN
         (SELECT thread_id FROM checkpoints EXCEPT SELECT thread_id FROM threads)`,
    );
  }

  /** The newest state of a thread in the form clients see, with the states of its subgraphs when wanted. */
  headState(checkpoint: Checkpoint, subgraphs = false): JsonObject {
    const next = unfinished(checkpoint).map(({ name }) => name);
    return { ...this.threadState(checkpoint, subgraphs), next };
  }

  /** A checkpoint in the form clients see: what came next then, and how it ended. */
  threadState(checkpoint: Checkpoint, subgraphs = false): JsonObject {
    return {
      values: checkpoint.values,
      next: checkpoint.tasks.map(({ name }) => name),
      tasks: checkpoint.tasks.map((task) => this.#taskView(checkpoint, task, subgraphs)),
      metadata: checkpoint.metadata,
      created_at: checkpoint.created_at,
      checkpoint: reference(checkpoint, checkpoint.id),
      parent_checkpoint: checkpoint.parent_id === null ? null : reference(checkpoint, checkpoint.parent_id),
      interrupts: pendingInterrupts(checkpoint),
    };
  }

  #taskView(checkpoint: Checkpoint, task: Task, subgraphs: boolean): JsonObject {
    const ns = namespaceOf(checkpoint, task);
    const inner = task.subgraph && subgraphs ? this.head(checkpoint.thread_id, ns) : undefined;
    const { error, interrupts } = task;
    return {
      id: task.id,
      name: task.name,
      path: ["__pregel_pull", task.name],
      error,
      interrupts,
      checkpoint: task.subgraph ? { thread_id: checkpoint.thread_id, checkpoint_ns: ns } : null,
      state: inner === undefined ? null : this.headState(inner, true),
      // An agent server shows no result of a step that had failed or asked before it ended well.
      result: error === null && interrupts.length === 0 ? task.result : null,
    };
  }
}

/** The state of a thread on which nothing has run. */
export const emptyThreadState: JsonObject = {
  values: {},
  next: [],
  tasks: [],
  metadata: {},
  created_at: null,
  checkpoint: null,
  parent_checkpoint: null,
  interrupts: [],
};

/** How clients name a checkpoint. */
export function reference(checkpoint: Checkpoint, id: string): JsonObject {
  return {
    thread_id: checkpoint.thread_id,
    checkpoint_ns: checkpoint.ns,
    checkpoint_id: id,
    checkpoint_map: null,
  };
}

function toCheckpoint(row: Row): Checkpoint {
  const { checkpoint_ns: ns, checkpoint_id: id, ...stored } = readRow(row);
  const { messages } = stored.values;
  const values = { ...stored.values, messages: Array.isArray(messages) ? (messages as Message[]) : [] };
  return { ...stored, ns, id, values };
}
