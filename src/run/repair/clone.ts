/** Makes a thread anew on another server, step by step, out of what its own server keeps of it. */

import type { Json, JsonObject, Superstep, ThreadState } from "../../api/agentServer/wire.ts";
import { chatMessages, fingerprint } from "../fold/chatMessage.ts";
import { isOver } from "../fold/drafts/runDraft.ts";
import { pendingInterrupts } from "../fold/threadState.ts";
import { checkpointIn, lengthOf, pagesBefore } from "../history/pages.ts";
import { isList, isObject, sameJson, textOf } from "../json/json.ts";
import { readThread, type RunServer, statusOf } from "../session/server.ts";
import { changedMessages, keysThatDiffer } from "./stateEdit.ts";
import { CourseRefusal, type CourseThread } from "./threadPosition.ts";

/** In characters of JSON of the states that are read. */
const budget = 48_000_000;
const mask = "•••";

/** What is to be made. */
export interface ClonePlan {
  /** The graph that ran; undefined where the server does not tell. */
  readonly graphId: string | undefined;
  readonly title: string | undefined;
  readonly supersteps: readonly Superstep[];
  /** The states that are to be there, the oldest first. */
  readonly states: readonly ThreadState[];
  /** Of what is sent, in characters of JSON. */
  readonly length: number;
  /** What the clone lacks, a sentence each. */
  readonly leftOut: readonly string[];
}

/** Where it is to be made. */
interface CloneTarget {
  readonly server: {
    readonly threads: RunServer["threads"] & {
      /** Absent where what was made can't be taken back. */
      delete?(threadId: string): Promise<unknown>;
    };
  };
  readonly signal: AbortSignal;
}

/** What became of it. */
export interface Cloned {
  readonly threadId: string;
  /** Whether the server took only the newest state. */
  readonly onlyNewest: boolean;
  /** How many of the planned states are not as they were. */
  readonly different: number;
}

/** Reads a thread's newest branch to its beginning, and replaces the values of the named keys wherever they stand. */
export async function planClone(thread: CourseThread, keys: readonly string[]): Promise<ClonePlan> {
  const now = await readThread(thread);
  const { row } = now.state;
  const branch = await readBranch(thread, now.state);
  const isBusy = row?.status === "busy" || now.runs.some(({ status }) => !isOver(status));
  const hidden = new Set(keys);
  const shown = branch.map((state) => ({
    ...state,
    values: withoutKeys(state.values, hidden) as JsonObject,
  }));
  const supersteps = shown.slice(1).flatMap((state, at) => stepTo(state, shown[at], hidden) ?? []);
  const states = shown.slice(1).filter((state, at) => stepTo(state, shown[at], hidden) !== undefined);
  if (supersteps.length === 0)
    throw new CourseRefusal(
      "The thread has no steps yet: there is nothing to clone.",
      "Start a run in it first.",
    );
  const leftOut = [
    "Runs, their events and feedback stay where they are.",
    ...(isBusy ? ["A run goes on: what it does from now on is not in the clone."] : []),
    ...(pendingInterrupts(now.state).length > 0
      ? ["The question that waits is asked anew when the clone goes on."]
      : []),
    ...(branch.some(({ tasks }) => tasks.some(({ checkpoint }) => isObject(checkpoint)))
      ? ["States within subgraphs."]
      : []),
    ...(hidden.size > 0 ? [`Values of ${[...hidden].join(", ")}.`] : []),
  ];
  const length = JSON.stringify(supersteps).length;
  const [graphId, title] = [textOf(row?.metadata?.["graph_id"]), textOf(row?.metadata?.["title"])];
  return { graphId, title, supersteps, states, length, leftOut };
}

/** The nodes that the clone's steps are written as. */
export function nodesWritten({ supersteps }: ClonePlan): readonly string[] {
  const nodes = supersteps.flatMap(({ updates }) => updates.map(({ as_node: node }) => node));
  return [...new Set(nodes)].filter((node) => node !== "__start__");
}

/**
 * Writes the clone, and compares it with what it was made of, state by state. A server that takes no steps gets the newest
 * state; one that refuses that, too, keeps nothing of it, and what it answered is thrown.
 */
export async function writeClone(
  { server, signal }: CloneTarget,
  { supersteps, states, title }: ClonePlan,
  graphId: string,
): Promise<Cloned> {
  const { threads } = server;
  const metadata = { graph_id: graphId, ...(title !== undefined && { title }) };
  // A server that refuses the steps may have made the thread all the same: by an id of ours it is found.
  const fresh = { thread_id: crypto.randomUUID(), metadata };
  const whole = await threads.create({ ...fresh, supersteps }, { signal }).catch(async (error: unknown) => {
    if (![400, 404, 422, 500, 501].includes(statusOf(error) ?? 0)) throw error;
    await threads.delete?.(fresh.thread_id).catch(() => undefined);
    return undefined;
  });
  if (whole !== undefined) {
    const { thread_id: threadId } = whole;
    const head = await threads.state(threadId, { signal });
    const written = await readBranch({ server, threadId, signal }, head);
    const different = states.filter((state, at) => !sameState(state, written[at])).length;
    return { threadId, onlyNewest: false, different };
  }
  const { thread_id: threadId } = await threads.create({ ...fresh, if_exists: "do_nothing" }, { signal });
  const newest = states.at(-1);
  const asNode = supersteps.at(-1)?.updates.at(-1)?.as_node ?? "__start__";
  if (newest !== undefined)
    await threads
      .update?.(threadId, { values: newest.values, as_node: asNode }, { signal })
      .catch(async (error: unknown) => {
        await threads.delete?.(threadId).catch(() => undefined);
        throw error;
      });
  const now = await threads.state(threadId, { signal });
  const isSame = newest !== undefined && sameState(newest, now);
  return { threadId, onlyNewest: true, different: isSame ? 0 : 1 };
}

/** The state and those before it, the oldest first. */
async function readBranch(
  {
    server,
    threadId,
    signal,
  }: { readonly server: CloneTarget["server"]; readonly threadId: string; readonly signal: AbortSignal },
  head: ThreadState,
): Promise<readonly ThreadState[]> {
  const known = new Map<string, ThreadState>();
  const from = checkpointIn(head);
  const { threads } = server;
  if (from === undefined) return [];
  if (threads.history === undefined)
    throw new CourseRefusal("The server of this thread does not tell its earlier states.", "");
  const read = async (limit: number, before: string) =>
    threads.history?.(threadId, { limit, before, signal }) ?? [];
  let left = budget;
  for await (const { states, length } of pagesBefore(from, lengthOf(head), read)) {
    for (const state of states) known.set(checkpointIn(state) ?? "", state);
    left -= length;
    if (left <= 0) break;
  }
  const branch: ThreadState[] = [];
  for (let at: ThreadState | undefined = head; at !== undefined;) {
    branch.unshift(at);
    const parent: string | undefined = at.parent_checkpoint?.checkpoint_id;
    at = parent === undefined ? undefined : known.get(parent);
    if (parent !== undefined && at === undefined)
      throw new CourseRefusal(
        "The beginning of this thread is not available: its server keeps too little of it, or it is too large.",
        "Clone it by the server's own means.",
      );
  }
  return branch;
}

/** What made a state of the one before it; undefined where nothing was written, as before an input. */
function stepTo(
  state: ThreadState,
  before: ThreadState | undefined,
  hidden: ReadonlySet<string>,
): Superstep | undefined {
  if (before === undefined || state.metadata?.["source"] === "input") return undefined;
  const isWritten = state.metadata?.["source"] === "update" || state.metadata?.["source"] === "fork";
  const updates = before.tasks.flatMap(({ name, result }) =>
    result === undefined || result === null
      ? []
      : [{ values: withIds(withoutKeys(result, hidden), state), as_node: name }],
  );
  if (updates.length > 0 && !isWritten) return { updates };
  // A state that a person wrote: as the step that it took the place of, as far as that can be told.
  const node = before.next.find((name) => !state.next.includes(name)) ?? before.next[0] ?? "__start__";
  return { updates: [{ values: changesIn(before.values, state.values), as_node: node }] };
}

/** What was given without ids, as an input is, gets those that its server gave it. */
function withIds(result: Json, state: ThreadState): Json {
  const said = isObject(result) ? result["messages"] : undefined;
  const there = state.values["messages"];
  if (said === undefined || !isList(there)) return result;
  const named = (isList(said) ? said : [said]).map((message) => {
    if (isObject(message) && textOf(message["id"]) !== undefined) return message;
    const [words] = chatMessages([message]).map(fingerprint);
    const same = there.findLast((one) => chatMessages([one]).map(fingerprint)[0] === words);
    return same ?? message;
  });
  return { ...(result as JsonObject), messages: named };
}

function changesIn(before: JsonObject, now: JsonObject): JsonObject {
  const changed = Object.entries(now).filter(([key, value]) => !sameJson(value, before[key]));
  return Object.fromEntries(
    changed.map(([key, value]) => [key, key === "messages" ? changedMessages(before[key], value) : value]),
  );
}

function sameState(wanted: ThreadState, written: ThreadState | undefined): boolean {
  return (
    written !== undefined &&
    keysThatDiffer(wanted.values, written.values).length === 0 &&
    sameJson([...wanted.next], [...written.next])
  );
}

function withoutKeys(value: Json, keys: ReadonlySet<string>): Json {
  if (keys.size === 0) return value;
  if (isList(value)) return value.map((item) => withoutKeys(item, keys));
  if (!isObject(value)) return value;
  const entries = Object.entries(value).map(([key, item = null]) => [
    key,
    keys.has(key) ? mask : withoutKeys(item, keys),
  ]);
  return Object.fromEntries(entries) as JsonObject;
}
