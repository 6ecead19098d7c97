/** An agent server that plays a script, for what no real one does on demand: cuts, refusals, silence. */

import type { CallOptions } from "../../../../src/api/http.ts";
import type { EventBatches, RunServer } from "../../../../src/run/session/server.ts";
import type { Json, Run, RunCreate, RunStatus, ThreadState } from "../../../../src/api/agentServer/wire.ts";
import type { StateNow } from "../../../../src/run/fold/threadState.ts";
import { parseEvents } from "../../../../src/api/exchange.ts";
import type { SseEvent } from "../../../../src/api/exchange.ts";

export interface ScriptedRun {
  readonly bytes: Uint8Array;
  /** How the run ends. */
  readonly status: RunStatus;
  /** The first connection breaks after so many bytes. */
  readonly cutAt?: number;
  /** The stream stays open, and the run goes on, until it is stopped. */
  readonly endless?: boolean;
  readonly resumable?: boolean;
  /** The first connection of an endless run breaks after so long a silence. */
  readonly silence?: () => Promise<unknown>;
  /** The answer's headers do not name the run. */
  readonly nameless?: boolean;
  /** They come only after that. */
  readonly answered?: Promise<unknown>;
  /** The thread's state from the run's start on. */
  readonly state?: StateNow;
}

/** A failure as the HTTP client throws it. */
export class Refusal extends Error {
  override readonly name = "Refusal";
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

export class ScriptedServer implements RunServer {
  /** What is played by the next runs. */
  readonly script: ScriptedRun[] = [];
  /** The bodies of the runs that were started. */
  readonly started: RunCreate[] = [];
  /** Every call, as "what run". */
  readonly calls: string[] = [];
  /** Thrown by the next calls of that name. */
  readonly failures = new Map<string, Error[]>();
  state: StateNow = stateOf({ messages: [] });
  /** Happens once, before the state is answered the next time. */
  meanwhile: (() => void) | undefined;
  private readonly played = new Map<
    string,
    { run: Run; script: ScriptedRun; stop: AbortController; joins: number }
  >();

  readonly threads: RunServer["threads"] = {
    create: () => this.answer("create", { thread_id: "thread" }),
    state: () => {
      this.meanwhile?.();
      this.meanwhile = undefined;
      return this.answer("state", this.state);
    },
  };

  readonly runs: RunServer["runs"] = {
    stream: async (_thread, body, options) => {
      await this.answer("stream", undefined);
      const script = this.script.shift();
      if (script === undefined) throw new Refusal(500, "nothing to play");
      this.started.push(body);
      this.state = script.state ?? this.state;
      const runId = this.add(script, body).run_id;
      await script.answered;
      const events = this.play(runId, undefined, options);
      return { runId: script.nameless === true ? undefined : runId, events };
    },
    rejoin: async (_thread, runId, options) => {
      await this.answer(`rejoin ${options?.lastEventId ?? "now"}`, undefined);
      return { runId, events: this.play(runId, options?.lastEventId ?? "", options) };
    },
    get: async (_thread, runId) => {
      await this.answer("get", undefined);
      return this.known(runId).run;
    },
    list: () =>
      this.answer(
        "list",
        [...this.played.values()].map(({ run }) => run),
      ),
    cancel: async (_thread, runId) => {
      await this.answer("cancel", undefined);
      this.known(runId).stop.abort();
    },
  };

  /** Adds a run that somebody else started. */
  add(script: ScriptedRun, body: RunCreate): Run {
    const number = this.played.size + 1;
    const at = new Date(1_700_000_000_000 + number * 1000).toISOString();
    const run: Run = {
      run_id: `run${number}`,
      thread_id: "thread",
      assistant_id: body.assistant_id,
      status: script.endless === true ? "running" : script.status,
      created_at: at,
      updated_at: at,
      metadata: body.metadata ?? {},
      kwargs: { ...kwargs(body), resumable: script.resumable ?? true },
    };
    const stop = new AbortController();
    const played = { run, script, stop, joins: 0 };
    stop.signal.addEventListener("abort", () => (played.run = { ...run, status: script.status }));
    this.played.set(run.run_id, played);
    return run;
  }

  forget(runId: string): void {
    this.played.delete(runId);
  }

  private async answer<T>(call: string, value: T): Promise<T> {
    await Promise.resolve();
    this.calls.push(call);
    const name = call.split(" ")[0] ?? "";
    const failure = this.failures.get(name)?.shift();
    if (failure !== undefined) throw failure;
    return value;
  }

  private known(runId: string): NonNullable<ReturnType<typeof this.played.get>> {
    const played = this.played.get(runId);
    if (played === undefined) throw new Refusal(404, "Run not found");
    return played;
  }

  private async *play(
    runId: string,
    lastEventId: string | undefined,
    options?: CallOptions,
  ): EventBatches["events"] {
    const played = this.known(runId);
    const { bytes, cutAt, endless, resumable, silence } = played.script;
    const first = played.joins++ === 0;
    if (lastEventId !== undefined && resumable === false) return;
    const after = lastEventId === undefined || lastEventId === "-1" ? -1 : Number(lastEventId);
    const cut = first && cutAt !== undefined;
    for await (const batch of parseEvents(chunks(cut ? bytes.slice(0, cutAt) : bytes))) {
      const fresh = batch.filter(({ id }: SseEvent) => id === undefined || Number(id) > after);
      if (fresh.length > 0) yield fresh;
    }
    if (cut) throw new Error("terminated");
    if (first && silence !== undefined) {
      await silence();
      throw new Error("terminated");
    }
    if (endless === true) await ended(played.stop.signal, options?.signal);
  }
}

/** The state of a thread that waits for nothing. */
export function stateOf(values: ThreadState["values"], tasks: ThreadState["tasks"] = []): ThreadState {
  return { values, tasks, next: [], created_at: null, checkpoint: null, parent_checkpoint: null };
}

/** Events as a server writes them, with ids that count up. */
export function streamOf(...events: readonly (readonly [event: string, data: Json])[]): Uint8Array {
  const text = events.map(
    ([event, data], id) => `event: ${event}\ndata: ${JSON.stringify(data)}\nid: ${id}\n\n`,
  );
  return new TextEncoder().encode(text.join(""));
}

function kwargs(body: RunCreate): Record<string, Json> {
  const { input, command } = body;
  return JSON.parse(JSON.stringify({ input, command })) as Record<string, Json>;
}

/** The bytes in pieces of uneven sizes. */
async function* chunks(bytes: Uint8Array): AsyncIterable<Uint8Array> {
  for (let at = 0, size = 900; at < bytes.length; at += size, size += 700) {
    await Promise.resolve();
    yield bytes.slice(at, at + size);
  }
}

function ended(stopped: AbortSignal, left: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    if (stopped.aborted) resolve();
    stopped.addEventListener("abort", () => resolve());
    left?.addEventListener("abort", () => reject(new Error("aborted")));
  });
}
