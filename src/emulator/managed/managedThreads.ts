import * as z from "zod";
import { flag } from "../kit/schemas.ts";
import { isObject, type JsonObject, parseObject } from "../kit/json.ts";
import { lastHumanText, type State } from "../runtime/messages.ts";
import { type Thread, type Threads, threadStatuses } from "../runtime/threads.ts";
import { allOf, type Row, type Store } from "../store/store.ts";
import { type Page, readPage } from "./pages.ts";

/** Managed agents' threads and runs are kept under this in place of a deployment's id, which is a UUID. */
export const managedDeploymentId = "managed";

/** What a managed thread has beyond a thread of an agent server. */
export interface ManagedFields {
  readonly agent_id: string;
  readonly title: string | null;
  readonly is_pinned: boolean;
  /** Whether somebody has seen it since its state last changed. */
  readonly is_read: boolean;
  readonly test_run: boolean;
  /** Members that clients added. */
  readonly extra: JsonObject;
}

/** A thread of a managed agent. */
export interface ManagedThread extends ManagedFields {
  readonly thread: Thread;
}

/** Which threads a listing shows. */
export const listQuery = z
  .object({
    agent_id: z.uuid(),
    page_size: z.coerce.number().int().min(1).max(20).default(20),
    cursor: z.string().min(1).optional(),
    status: z.enum(threadStatuses).optional(),
    is_pinned: flag.optional(),
    test_run: flag.default(false),
    requires_attention: flag.optional(),
  })
  .refine(({ status, requires_attention }) => status === undefined || requires_attention === undefined, {
    path: ["requires_attention"],
    message: "This cannot be asked together with status.",
  });
type ListQuery = z.output<typeof listQuery>;

const needsAttention =
  "(threads.status IN ('interrupted', 'error') OR (threads.status = 'idle' AND item.is_read = 0))";

/** Where the threads that pass a filter are found; `?` is the agent, or the status. */
const ofStatus = "SELECT thread_id FROM threads WHERE deployment_id = 'managed' AND status = ?";
const unread = "SELECT thread_id FROM managed_threads WHERE agent_id = ? AND is_read = 0";
const pinned = "SELECT thread_id FROM managed_threads WHERE agent_id = ? AND is_pinned = 1";
const ofTests = "SELECT thread_id FROM managed_threads WHERE agent_id = ? AND test_run = 1";
/** With more of them than these, a page is full before all threads were looked at. */
const fewThreads = 1000;

/** The threads of all managed agents. */
export class ManagedThreads {
  readonly #store: Store;
  readonly #threads: Threads;

  constructor(store: Store, threads: Threads) {
    this.#store = store;
    this.#threads = threads;
  }

  get(threadId: string): ManagedThread | undefined {
    const thread = this.#threads.get(managedDeploymentId, threadId);
    const row = this.#store.get("SELECT * FROM managed_threads WHERE thread_id = ?", threadId);
    return thread === undefined || row === undefined ? undefined : { ...toFields(row), thread };
  }

  /** Makes a thread. Throws 409 when there is one with this id, here or on an agent server. */
  insert(agentId: string, threadId: string, metadata: JsonObject, testRun: boolean): void {
    this.#store.atomically(() => {
      this.#threads.insert(managedDeploymentId, threadId, metadata);
      const row = { thread_id: threadId, agent_id: agentId, test_run: testRun };
      this.#store.insert("managed_threads", row);
    });
  }

  /** One page of an agent's threads, newest activity first. */
  list(query: ListQuery): Page {
    const { agent_id, page_size, cursor, status, is_pinned, test_run, requires_attention } = query;
    const filters = [status, is_pinned, test_run, requires_attention] as const;
    const bit = (value: boolean | undefined) => (value === undefined ? undefined : Number(value));
    const { where, parameters } = allOf(
      ["item.test_run = ?", bit(test_run)],
      ["item.is_pinned = ?", bit(is_pinned)],
      ["threads.status = ?", status],
      [`${needsAttention} = ?`, bit(requires_attention)],
    );
    return readPage(this.#store, {
      owner: agent_id,
      sort_by: "updated_at",
      sort_order: "desc",
      page_size,
      cursor,
      listing: JSON.stringify(filters),
      among: this.#few(query),
      from: "managed_threads AS item ON item.thread_id = place.item_id JOIN threads USING (thread_id)",
      where: [where, ...parameters],
    });
  }

  /** How many threads of an agent, or of all, wait for somebody to look at them. Test runs don't count. */
  attentionCount(agentId: string | undefined): number {
    const row = this.#store.get(
      `SELECT count(DISTINCT candidate.thread_id) AS n
       FROM (SELECT thread_id FROM threads WHERE deployment_id = 'managed' AND status IN ('interrupted', 'error')
         UNION ALL
         SELECT thread_id FROM managed_threads INDEXED BY managed_threads_unread WHERE is_read = 0) AS candidate
       JOIN managed_threads AS item ON item.thread_id = candidate.thread_id
       JOIN threads ON threads.thread_id = item.thread_id
       WHERE item.test_run = 0 AND (? IS NULL OR item.agent_id = ?) AND ${needsAttention}`,
      agentId ?? null,
      agentId ?? null,
    );
    return Number(row?.n);
  }

  /** Changes what is given; members of the metadata and the extra ones are merged. */
  update(
    { thread, ...current }: ManagedThread,
    change: Partial<ManagedFields>,
    metadata: JsonObject | undefined,
  ): void {
    const { title, is_pinned, is_read, extra } = { ...current, ...change };
    this.#store.atomically(() => {
      const row = { title, is_pinned, is_read, extra: { ...current.extra, ...extra } };
      this.#store.update("managed_threads", { thread_id: thread.thread_id }, row);
      // Pinning a thread, or having read it, is no activity on it.
      const active = metadata !== undefined || change.title !== undefined || change.extra !== undefined;
      if (active) this.#threads.setMetadata(thread.thread_id, { ...thread.metadata, ...metadata });
    });
  }

  /** All threads that can pass the filters, if they are few; undefined when they may be many. */
  #few({ agent_id, status, is_pinned, requires_attention, test_run }: ListQuery): string[] | undefined {
    const sources: [sql: string, ...parameters: string[]][] = [];
    if (is_pinned === true) sources.push([pinned, agent_id]);
    if (test_run) sources.push([ofTests, agent_id]);
    if (status !== undefined) sources.push([ofStatus, status]);
    if (requires_attention === true) {
      const sql = `${ofStatus} UNION ALL ${ofStatus} UNION ALL ${unread}`;
      sources.push([sql, "interrupted", "error", agent_id]);
    }
    for (const [sql, ...parameters] of sources) {
      const rows = this.#store.all(`${sql} LIMIT ${fewThreads + 1}`, ...parameters);
      if (rows.length <= fewThreads) return rows.map((row) => String(row.thread_id));
    }
    return undefined;
  }
}

/** A thread in the form clients see: under the names of both interfaces, `id` and `thread_id`. */
export function threadView({ thread, ...fields }: ManagedThread): JsonObject {
  const { extra, ...known } = fields;
  return {
    ...extra,
    ...thread,
    ...known,
    id: thread.thread_id,
    title: fields.title ?? firstWords(thread.values),
    has_interrupts: Object.values(thread.interrupts).flat().length > 0,
  };
}

/** A thread as listings show it: without its state. */
export function threadSummary(thread: ManagedThread): JsonObject {
  const state = ["values", "interrupts", "config"];
  return Object.fromEntries(Object.entries(threadView(thread)).filter(([name]) => !state.includes(name)));
}

/** A thread without a title is listed by its first message. */
function firstWords(values: JsonObject | null): string | null {
  if (values === null || !Array.isArray(values.messages)) return null;
  const first = (values.messages as unknown[]).find(
    (message) => isObject(message) && message.type === "human",
  );
  const said = lastHumanText({ messages: first === undefined ? [] : [first as State["messages"][number]] });
  const line = said.trim().split("\n", 1)[0] ?? "";
  if (line === "") return null;
  return line.length > 80 ? `${line.slice(0, 79)}…` : line;
}

function toFields(row: Row): ManagedFields {
  return {
    agent_id: String(row.agent_id),
    title: row.title === null ? null : String(row.title),
    is_pinned: row.is_pinned === 1,
    is_read: row.is_read === 1,
    test_run: row.test_run === 1,
    extra: parseObject(row.extra),
  };
}
