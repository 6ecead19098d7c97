/** A thread's checkpoints, read from the newest to the oldest: of each, what its transcript needs, not its state. */

import type { Interrupt, Json, JsonObject, ThreadState } from "../../api/agentServer/wire.ts";
import { isList, isNestedTooDeep, isObject, sameJson, textOf } from "../json/json.ts";
import { preview } from "../json/preview.ts";

/** One saved state of a thread, and what was to run next. */
export interface KeptCheckpoint {
  readonly id: string;
  readonly parentId: string | undefined;
  /** Epoch milliseconds, by the server's clock. */
  readonly at: number | undefined;
  /** Undefined for what no run made: a state that a person wrote. */
  readonly runId: string | undefined;
  /** "input", "loop", "update", "fork", or as the server spells it. */
  readonly source: string;
  /** What was to run next, and how it ended: it may end after the checkpoint was read. */
  tasks: readonly KeptTask[];
  /** Against the state before it; undefined as long as that one was not read. */
  change: Change | undefined;
  /** What its state holds beside the conversation, as JSON text that may be cut. */
  readonly rest: KeptValues | undefined;
  /** Of the newest one: messages of nodes that are done while others beside them are not. */
  left: readonly Json[];
  /** Of the newest one: how many of its nodes still come; undefined where that is not told. */
  coming: number | undefined;
}

/** A node that was to run after a checkpoint. */
export interface KeptTask {
  readonly id: string;
  readonly node: string;
  readonly error: Json | undefined;
  readonly interrupts: readonly Interrupt[];
  /** What it returned; undefined when the server does not say. */
  readonly result: KeptValues | undefined;
  /** The messages that it returned, and their keys. */
  readonly messages: readonly Json[];
  readonly said: ReadonlySet<string>;
}

/** Part of a state: which keys, and their values as JSON text that may be cut. */
export interface KeptValues {
  readonly keys: readonly string[];
  /** All but the messages; undefined when there is nothing else. */
  readonly text: string | undefined;
}

/** What one state has that the one before it has not. */
export interface Change extends KeptValues {
  readonly messages: readonly Json[];
}

/** The checkpoints of one graph of a thread; of its state, only the newest ones are kept, until the next is read. */
export class Checkpoints {
  readonly #known = new Map<string, KeptCheckpoint>();
  readonly #children = new Map<string, KeptCheckpoint[]>();
  /** States whose parent was not read yet, by the parent's id. */
  readonly #waiting = new Map<string, { readonly child: KeptCheckpoint; readonly values: JsonObject }[]>();

  /** Whether states were left out that are nested too deep. */
  tooDeep = false;

  /** Takes states, the newest first; of one that is known, its nodes may have ended meanwhile. */
  add(states: readonly ThreadState[]): void {
    for (const state of states) this.#add(state);
  }

  /** The newest state as the history tells it, and as it is when it is asked for by itself. */
  setNewest(kept: ThreadState, head: ThreadState): void {
    for (const checkpoint of this.#known.values()) {
      checkpoint.left = [];
      checkpoint.coming = undefined;
    }
    this.add([kept]);
    const [id, before, now] = [kept.checkpoint?.checkpoint_id, asJson(kept.values), asJson(head.values)];
    const newest = id === head.checkpoint?.checkpoint_id ? this.#known.get(id ?? "") : undefined;
    const next = asJson(head.next);
    if (newest !== undefined && isList(next)) newest.coming = next.length;
    if (newest !== undefined && kept !== head && isObject(before) && isObject(now) && !isNestedTooDeep(head))
      newest.left = changeOf(before, now).messages;
  }

  get(id: string): KeptCheckpoint | undefined {
    return this.#known.get(id);
  }

  /** All that were read, the oldest first. */
  inOrder(): readonly KeptCheckpoint[] {
    const all = [...this.#known.values()].reverse();
    return all.sort((a, b) => (a.at ?? 0) - (b.at ?? 0));
  }

  /** Whether states name one before them that was not read. */
  get hasMissingParents(): boolean {
    return [...this.#waiting.keys()].some((id) => !this.#known.has(id));
  }

  childrenOf(id: string): readonly KeptCheckpoint[] {
    return this.#children.get(id) ?? [];
  }

  #add(state: ThreadState): void {
    const id = textOf(asJson(state.checkpoint?.checkpoint_id));
    if (id === undefined) return;
    const given = asJson(state.values);
    const deep = isNestedTooDeep(state);
    this.tooDeep ||= deep;
    const values = isObject(given) && !deep ? given : {};
    for (const { child, values: after } of this.#waiting.get(id) ?? [])
      child.change = changeOf(values, after);
    this.#waiting.delete(id);
    const known = this.#known.get(id);
    if (known !== undefined) {
      if (!deep) known.tasks = tasksOf(state);
      return;
    }
    const parentId = textOf(asJson(state.parent_checkpoint?.checkpoint_id));
    const at = Date.parse(state.created_at ?? "");
    const metadata = asJson(state.metadata);
    const about = isObject(metadata) ? metadata : {};
    const checkpoint: KeptCheckpoint = {
      id,
      parentId,
      at: Number.isNaN(at) ? undefined : at,
      runId: textOf(about["run_id"]),
      source: textOf(about["source"]) ?? "loop",
      tasks: deep ? [] : tasksOf(state),
      change: parentId === undefined ? changeOf({}, values) : undefined,
      rest: kept(Object.fromEntries(Object.entries(values).filter(([, value]) => !isEmpty(value)))),
      left: [],
      coming: undefined,
    };
    this.#known.set(id, checkpoint);
    if (parentId === undefined) return;
    this.#children.set(parentId, [...this.childrenOf(parentId), checkpoint]);
    const waiting = this.#waiting.get(parentId) ?? [];
    this.#waiting.set(parentId, [...waiting, { child: checkpoint, values }]);
  }
}

/** What tells one message of a state from the others. */
export function messageKey(message: Json): string {
  if (!isObject(message)) return JSON.stringify(message);
  const id = textOf(message["id"]);
  if (id !== undefined) return id;
  const call = textOf(message["tool_call_id"]);
  return call === undefined ? preview(message["content"] ?? null, 500) : `call ${call}`;
}

function changeOf(before: JsonObject, after: JsonObject): Change {
  const known = new Set(messagesOf(before).map(messageKey));
  const messages = messagesOf(after).filter((message) => !known.has(messageKey(message)));
  const changed = Object.entries(after).filter(([key, value]) =>
    key === "messages" ? messages.length > 0 : !sameJson(value, before[key]),
  );
  return { keys: [], text: undefined, ...kept(Object.fromEntries(changed)), messages };
}

/** Undefined for a value that holds nothing. */
function kept(values: JsonObject): KeptValues | undefined {
  const keys = Object.keys(values).filter((key) => key !== "__interrupt__");
  if (keys.length === 0) return undefined;
  const rest = Object.entries(values).filter(([key]) => key !== "messages" && key !== "__interrupt__");
  return { keys, text: rest.length === 0 ? undefined : preview(Object.fromEntries(rest)) };
}

function isEmpty(value: Json | undefined): boolean {
  if (value === undefined || value === null || value === "") return true;
  return typeof value === "object" && Object.keys(value).length === 0;
}

function messagesOf(values: JsonObject): readonly Json[] {
  const messages = values["messages"];
  return isList(messages) ? messages : [];
}

function tasksOf(state: ThreadState): readonly KeptTask[] {
  const tasks = asJson(state.tasks);
  if (!isList(tasks)) return [];
  return tasks.filter(isObject).flatMap((task) => {
    const [id, node] = [textOf(task["id"]), textOf(task["name"])];
    if (id === undefined || node === undefined || node === "__start__") return [];
    const result = task["result"];
    const returned = isObject(result) ? result : undefined;
    const messages = messagesIn(returned);
    const interrupts = isList(task["interrupts"]) ? task["interrupts"].filter(isObject) : [];
    return {
      id,
      node,
      error: task["error"] ?? undefined,
      interrupts: interrupts.map((interrupt) => {
        const interruptId = textOf(interrupt["id"]) ?? textOf(interrupt["interrupt_id"]);
        return { value: interrupt["value"] ?? null, ...(interruptId !== undefined && { id: interruptId }) };
      }),
      result: returned === undefined ? undefined : (kept(returned) ?? { keys: [], text: undefined }),
      messages,
      said: new Set(messages.map(messageKey)),
    };
  });
}

function messagesIn(result: JsonObject | undefined): readonly Json[] {
  const messages = result?.["messages"];
  return isList(messages) ? messages : messages === undefined ? [] : [messages];
}

/** Types promise a shape that no server is held to. */
function asJson(value: unknown): Json | undefined {
  return value as Json | undefined;
}
