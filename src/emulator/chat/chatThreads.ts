import * as z from "zod";
import { record } from "../kit/schemas.ts";
import { HttpError } from "../kit/httpError.ts";
import { isObject, type JsonObject } from "../kit/json.ts";
import type { Platform } from "../platform/platform.ts";
import { updateState } from "../platform/stateUpdate.ts";
import type { HistoryQuery } from "../runtime/checkpoints.ts";
import { blank, nextCheckpoint } from "../runtime/checkpoint.ts";
import { applyUpdate, InvalidInputError, textOf, toMessages } from "../runtime/messages.ts";
import type { Thread } from "../runtime/threads.ts";

/** A thread's state cannot become what was asked for: 422, or 409 while a run is in progress. */
export class InvalidStateUpdateError extends Error {
  override readonly name = "InvalidStateUpdateError";
  readonly status: 409 | 422;

  constructor(message: string, status: 409 | 422 = 422) {
    super(message);
    this.status = status;
  }
}

/** What a client asks a thread's state to become. */
export const stateBody = z.looseObject({
  values: record.nullish(),
  checkpoint: z.looseObject({ checkpoint_id: z.string().nullish() }).nullish(),
  as_node: z.string().nullish(),
});
type StateUpdate = z.output<typeof stateBody>;

/** One line of a chat's side bar. */
export const listedThread = z.object({ id: z.string(), title: z.string(), updatedAt: z.string().nullable() });

const maxTitle = 80;
const noGraph = { name: "", entry: [], nodes: {} };

/** Threads as a chat backend knows them: they begin with their first state, by whatever id the client gave. */
export class ChatThreads {
  readonly #platform: Platform;
  readonly #deploymentId: string;

  constructor(platform: Platform, deploymentId: string) {
    this.#platform = platform;
    this.#deploymentId = deploymentId;
  }

  /** The newest state; undefined before the first one. */
  state(threadId: string): JsonObject | undefined {
    const { threads, checkpoints } = this.#platform;
    if (threads.get(this.#deploymentId, threadId) === undefined) return undefined;
    const head = checkpoints.head(threadId);
    return head === undefined ? undefined : checkpoints.headState(head);
  }

  history(threadId: string, query: HistoryQuery): JsonObject[] | undefined {
    if (this.state(threadId) === undefined) return undefined;
    const { checkpoints } = this.#platform;
    return checkpoints.history(threadId, query).map((checkpoint) => checkpoints.threadState(checkpoint));
  }

  /** Makes the first state, or a new one on top of the newest or the named one. Throws `InvalidStateUpdateError`. */
  update(threadId: string, update: StateUpdate): JsonObject {
    const { threads, store } = this.#platform;
    const values = update.values ?? { messages: [] };
    try {
      store.atomically(() => {
        const thread = threads.get(this.#deploymentId, threadId) ?? this.#create(threadId);
        if (typeof thread.metadata.graph_id === "string") this.#change(thread, values, update);
        else this.#begin(threadId, values);
      });
    } catch (error) {
      if (error instanceof InvalidInputError) throw new InvalidStateUpdateError(error.message);
      if (error instanceof HttpError) {
        throw new InvalidStateUpdateError(error.message, error.status === 409 ? 409 : 422);
      }
      throw error;
    }
    return this.state(threadId) ?? {};
  }

  /** The threads that have a state, newest first. */
  list(limit: number, offset: number): z.output<typeof listedThread>[] {
    const { store, checkpoints } = this.#platform;
    const rows = store.all(
      `SELECT thread_id FROM threads AS listed WHERE deployment_id = ? AND EXISTS
         (SELECT 1 FROM checkpoints WHERE thread_id = listed.thread_id AND checkpoint_ns = '')
       ORDER BY updated_at DESC, thread_id DESC LIMIT ? OFFSET ?`,
      this.#deploymentId,
      limit,
      offset,
    );
    return rows.flatMap(({ thread_id }) => {
      const head = checkpoints.head(String(thread_id));
      if (head === undefined) return [];
      return [{ id: head.thread_id, title: titleOf(head.values), updatedAt: head.created_at }];
    });
  }

  /** Stops what runs on a thread and deletes all there is of it; nothing happens if there is none. */
  async remove(threadId: string): Promise<void> {
    if (this.#platform.threads.get(this.#deploymentId, threadId) === undefined) return;
    await this.#platform.scheduler.removeThread(threadId);
  }

  #create(threadId: string): Thread {
    const { threads, store } = this.#platform;
    if (store.get("SELECT 1 FROM threads WHERE thread_id = ?", threadId) !== undefined) {
      throw new InvalidStateUpdateError("The thread belongs to another deployment.");
    }
    threads.insert(this.#deploymentId, threadId, {});
    const created = threads.get(this.#deploymentId, threadId);
    if (created === undefined) throw new Error(`Thread ${threadId} was not stored.`);
    return created;
  }

  /** A state of a thread that no agent has run on: nothing comes next. */
  #begin(threadId: string, update: JsonObject): void {
    const { threads, checkpoints, scheduler } = this.#platform;
    if (scheduler.isBusy(threadId)) throw new InvalidStateUpdateError("Thread is busy", 409);
    const from = checkpoints.head(threadId) ?? blank(threadId);
    const values = applyUpdate(from.values, update);
    const next = nextCheckpoint(noGraph, from, null, "update", values, []);
    const { source, step } = next.metadata;
    checkpoints.insert({
      ...next,
      node: "__start__",
      metadata: { source, step, parents: {}, thread_id: threadId },
    });
    threads.setState(threadId, "idle", values, {});
  }

  #change(thread: Thread, values: JsonObject, { as_node, checkpoint }: StateUpdate): void {
    const empty = toMessages(values.messages).length === 0 && Object.keys(values).length <= 1;
    updateState(this.#platform, thread.thread_id, this.#deploymentId, {
      values,
      // An update that changes nothing must not make the agent's first step wait to run.
      as_node: as_node ?? (empty ? "__end__" : undefined),
      checkpoint,
    });
  }
}

function titleOf(values: JsonObject): string {
  const messages = Array.isArray(values.messages) ? (values.messages as unknown[]) : [];
  const first = messages.find((message) => isObject(message) && message.type === "human");
  const [message] = first === undefined ? [] : toMessages(first);
  const text = textOf(message).trim().slice(0, maxTitle).trim();
  return text === "" ? "New conversation" : text;
}
