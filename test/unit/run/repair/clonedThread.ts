/** A thread whose steps are known, and a server that keeps it. */

import type { JsonObject, Run, ThreadState } from "../../../../src/api/agentServer/wire.ts";
import { planClone } from "../../../../src/run/repair/clone.ts";
import type { RunServer } from "../../../../src/run/session/server.ts";

export const { signal } = new AbortController();
export const words = { role: "user", content: "Hello" };
export const hello = { type: "human", content: "Hello", id: "m1" };

type Task = ThreadState["tasks"][number];

/** A task that returned something. */
export function done(name: string, result: unknown): Task {
  return { id: `task of ${name}`, name, interrupts: [], result } as Task;
}

/** One of its states. */
export function state(
  id: string,
  parent: string | undefined,
  source: string,
  values: object,
  tasks: readonly Task[] = [],
): ThreadState {
  const checkpoint = (name: string) => ({ thread_id: "t", checkpoint_ns: "", checkpoint_id: name });
  return {
    values: values as JsonObject,
    tasks,
    next: tasks.map(({ name }) => name),
    metadata: { source },
    created_at: null,
    checkpoint: checkpoint(id),
    parent_checkpoint: parent === undefined ? null : checkpoint(parent),
  };
}

export const start = state("0", undefined, "input", {}, [done("__start__", { messages: words, key: "k1" })]);
export const asked = state("1", "0", "loop", { messages: [hello], key: "k1" }, [
  done("plan", { plan: [{ key: "k2", step: "look" }] }),
]);
export const planned = state(
  "2",
  "1",
  "loop",
  { messages: [hello], key: "k1", plan: [{ key: "k2", step: "look" }] },
  [done("left", { a: 1 }), done("right", null)],
);
export const ended = state("3", "2", "loop", { ...planned.values, a: 1 });
export const left = state("2b", "1", "fork", { ...planned.values, plan: ["left behind"] });
export const whole = [start, asked, planned, ended] as const;

/** What of it is kept. */
export interface Kept {
  /** The oldest first. */
  readonly states?: readonly ThreadState[];
  readonly runs?: readonly Pick<Run, "run_id" | "status">[];
  readonly row?: object;
  readonly history?: undefined;
}

/** A server that keeps one thread. */
export function keeping({ states = whole, runs = [], row = {}, ...rest }: Kept = {}): RunServer {
  const newestFirst = [...states].reverse();
  return {
    threads: {
      state: () => Promise.resolve(newestFirst[0]),
      row: () => Promise.resolve({ thread_id: "t", status: "idle", metadata: {}, ...row }),
      history: (_: string, { before }: { before: string }) => {
        const at = newestFirst.findIndex(({ checkpoint }) => checkpoint?.checkpoint_id === before);
        return Promise.resolve(newestFirst.slice(at + 1));
      },
      ...("history" in rest && { history: undefined }),
    },
    runs: { list: () => Promise.resolve(runs.map((run) => ({ created_at: "", kwargs: {}, ...run }))) },
  } as unknown as RunServer;
}

/** What is planned for it. */
export const plan = (kept: Kept = {}, keys: readonly string[] = []) =>
  planClone({ server: keeping(kept), threadId: "t", signal }, keys);
